import {
  type Fault,
  type InspectedFile,
  type InspectedMailFile,
  type Inspection,
  type InspectionContext,
  WHOLE_MAIL,
} from '../../ports/inspection.ts'
import { inspectFile, inspectMail } from '../inspection/inspect.ts'
import { openThreadPool } from './pool.ts'

export interface InspectionOrder {
  readonly bytes: Uint8Array
  readonly is_mail: boolean
  readonly reading: InspectionContext
}

/** A file that was asked about alone comes back as the only one. */
export type Inspected = readonly InspectedMailFile[]

export interface InspectionOptions {
  readonly idle_ms?: number
  /** The largest mail takes some ten seconds, and several times that on a busy machine. */
  readonly timeout_ms?: number
  /** What a thread may hold before it is ended: the largest file becomes a tree of some hundred megabytes. */
  readonly memory_mb?: number
  /** Up to here a file is read where it came, in less time than another thread takes to begin. */
  readonly small_bytes?: number
}

class InspectionClosed extends Error {}

const TOO_MUCH: Fault = { reason: 'bomb', message: 'It takes more to read than any file of a supplier does.' }

/** What crossed over from a thread is a plain array of bytes. */
function withBuffers(inspected: InspectedFile | Fault): InspectedFile | Fault {
  if ('reason' in inspected) return inspected
  const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)
  return { ...inspected, documents: inspected.documents.map((one) => ({ ...one, xml: asBuffer(one.xml) })) }
}

/**
 * Opens mails and reads envelopes on one thread, one after the other: a mail of ten megabytes would keep every caller
 * waiting for seconds. A file that breaks its thread, by its size or by its time, is set aside.
 */
export function threadInspection(options: InspectionOptions = {}): Inspection & { readonly alive: number } {
  const { idle_ms = 60_000, timeout_ms = 300_000, memory_mb = 768, small_bytes = 128 * 1024 } = options
  const threads = openThreadPool<InspectionOrder, Inspected>({
    program: 'inspection-thread',
    what: 'an envelope that is read',
    max_threads: 1,
    // Those that wait are in the queue, as mails: a worker runs a few of them at a time.
    max_waiting: Number.POSITIVE_INFINITY,
    idle_ms,
    timeout_ms,
    memory_mb,
    busy: () => new InspectionClosed('envelopes are no longer read here: the process is ending'),
  })
  const run = (order: InspectionOrder): Promise<Inspected> =>
    threads.run(order).then(
      (files) => files.map((file) => ({ ...file, inspected: withBuffers(file.inspected) })),
      (error: unknown) => {
        if (error instanceof InspectionClosed) throw error
        return [{ name: WHOLE_MAIL, bytes: order.bytes, inspected: TOO_MUCH }]
      },
    )
  const inspect: Inspection['inspect'] = async (file, reading) => {
    if (file.length <= small_bytes) return inspectFile(file, reading)
    const [inspected] = await run({ bytes: file, is_mail: false, reading })
    return inspected?.inspected ?? TOO_MUCH
  }
  return {
    get alive() {
      return threads.alive
    },
    inspect,
    inspectMail: (raw, reading) =>
      raw.length <= small_bytes ? inspectMail(raw, reading, inspect) : run({ bytes: raw, is_mail: true, reading }),
    close: () => threads.close(),
  }
}
