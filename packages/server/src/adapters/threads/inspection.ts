import { MAIL } from '../../catalog/limits.ts'
import {
  type Fault,
  type Inspected,
  type InspectedMail,
  type Inspection,
  type InspectionContext,
  WHOLE_MAIL,
} from '../../ports/inspection.ts'
import { openThreadPool } from './pool.ts'

export interface InspectionOrder {
  readonly bytes: Uint8Array
  readonly is_mail: boolean
  readonly reading: InspectionContext
}

export interface InspectionOptions {
  readonly idle_ms?: number
  readonly deadline_ms?: number
  /** What a thread may hold before it is ended: the largest file becomes a tree of some hundred megabytes. */
  readonly memory_mb?: number
}

class InspectionClosed extends Error {}

const TOO_MUCH: Fault = { reason: 'bomb', message: 'It takes more to read than any file of a supplier does.' }

/** What crossed over from a thread is a plain array of bytes. */
function withBuffers(inspected: Inspected): Inspected {
  if (!('documents' in inspected)) return inspected
  const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)
  return { ...inspected, documents: inspected.documents.map((one) => ({ ...one, xml: asBuffer(one.xml) })) }
}

/**
 * Opens mails and reads envelopes on threads, the smallest too: how long one takes is for its sender to say, not for its
 * size. What breaks its thread, by its size or by its time, is set aside, and the next is read on another. Mails have one
 * thread, large ones another, and the files that callers ask about have one: nobody who waits for an answer waits behind
 * the mail of a stranger, nor a usual mail behind a large one.
 */
export function threadInspection(options: InspectionOptions = {}): Inspection & { readonly alive: number } {
  const { idle_ms = 60_000, deadline_ms = MAIL.deadline_ms, memory_mb = 768 } = options
  const openPool = () =>
    openThreadPool<InspectionOrder, InspectedMail>({
      program: 'inspection-thread',
      what: 'an envelope that is read',
      max_threads: 1,
      // Those that wait are in the queue, as mails: a worker runs a few of them at a time.
      max_waiting: Number.POSITIVE_INFINITY,
      idle_ms,
      timeout_ms: deadline_ms,
      memory_mb,
      busy: () => new InspectionClosed('envelopes are no longer read here: the process is ending'),
    })
  const mails = openPool()
  const large = openPool()
  const files = openPool()
  const run = (threads: typeof mails, order: InspectionOrder): Promise<InspectedMail> =>
    threads.run(order).then(
      ({ files, read_ms }) => ({
        files: files.map((file) => ({ ...file, inspected: withBuffers(file.inspected) })),
        read_ms,
      }),
      (error: unknown) => {
        if (error instanceof InspectionClosed) throw error
        return { files: [{ name: WHOLE_MAIL, bytes: order.bytes, inspected: TOO_MUCH }], read_ms: deadline_ms }
      },
    )
  return {
    get alive() {
      return mails.alive + large.alive + files.alive
    },
    async inspect(file, reading) {
      const inspected = await run(files, { bytes: file, is_mail: false, reading })
      return inspected.files[0]?.inspected ?? TOO_MUCH
    },
    inspectMail: (raw, reading) =>
      run(raw.length > MAIL.usual_bytes ? large : mails, { bytes: raw, is_mail: true, reading }),
    async close() {
      await Promise.all([mails, large, files].map((threads) => threads.close()))
    },
  }
}
