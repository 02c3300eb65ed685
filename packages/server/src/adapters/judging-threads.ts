import type { Fault, JudgedFile, Judging, Reading } from '../ports/judging.ts'
import { judgeFile } from './judge-file.ts'
import { openThreads } from './threads.ts'

export interface JudgingOrder {
  readonly file: Uint8Array
  readonly reading: Reading
}

export interface JudgingOptions {
  readonly idle_ms?: number
  /** The largest file takes a few seconds. */
  readonly patience_ms?: number
  /** What a thread may hold before it is ended: the largest file becomes a tree of some hundred megabytes. */
  readonly memory_mb?: number
  /** Up to here a file is read where it came, in less time than another thread takes to begin. */
  readonly small_bytes?: number
}

class JudgingClosed extends Error {}

const TOO_MUCH: Fault = { reason: 'bomb', message: 'It takes more to read than any file of a supplier does.' }

/** What crossed over from a thread is a plain array of bytes. */
function landed(judged: JudgedFile | Fault): JudgedFile | Fault {
  if ('reason' in judged) return judged
  const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)
  return { ...judged, documents: judged.documents.map((one) => ({ ...one, xml: asBuffer(one.xml) })) }
}

/**
 * Reads envelopes on one thread, one after the other: a mail of ten megabytes would keep every caller waiting for
 * seconds. A file that breaks its thread, by its size or by its time, is set aside.
 */
export function threadJudging(options: JudgingOptions = {}): Judging & { readonly alive: number } {
  const { idle_ms = 60_000, patience_ms = 120_000, memory_mb = 768, small_bytes = 128 * 1024 } = options
  const threads = openThreads<JudgingOrder, JudgedFile | Fault>({
    program: 'judging-thread',
    what: 'an envelope that is read',
    most: 1,
    // Those that wait are in the queue, as mails: a worker runs a few of them at a time.
    room: Number.POSITIVE_INFINITY,
    idle_ms,
    patience_ms,
    memory_mb,
    busy: () => new JudgingClosed('envelopes are no longer read here: the process is ending'),
  })
  return {
    get alive() {
      return threads.alive
    },
    async judge(file, reading) {
      if (file.length <= small_bytes) return judgeFile(file, reading)
      return threads.run({ file, reading }).then(landed, (error: unknown) => {
        if (error instanceof JudgingClosed) throw error
        return TOO_MUCH
      })
    },
    close: () => threads.close(),
  }
}
