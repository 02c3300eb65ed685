import { availableParallelism } from 'node:os'
import type { Signing, SigningOrder, SigningResult } from '../../ports/signing.ts'
import { openThreadPool } from './pool.ts'

export interface SigningOptions {
  readonly threads?: number
  readonly idle_ms?: number
  /** The slowest document takes a tenth of a second. */
  readonly timeout_ms?: number
  readonly memory_mb?: number
}

/** Documents that go to a thread at once: one message for some thirty milliseconds of RSA, and a batch is still shared out. */
const BATCH_SIZE = 8

/**
 * Signs on threads that do nothing else: RSA on the pool of the event loop would need the loop again for every
 * signature, and a busy loop would keep the cores waiting.
 */
export function threadSigning(options: SigningOptions = {}): Signing & { readonly alive: number } {
  const threads = openThreadPool<SigningOrder, readonly SigningResult[]>({
    program: 'signing-thread',
    what: 'a signed document',
    max_threads: options.threads ?? Math.min(8, availableParallelism()),
    // The queue bounds what is in hand: batches of a hundred, sixteen at a time.
    max_waiting: Number.POSITIVE_INFINITY,
    idle_ms: options.idle_ms ?? 60_000,
    timeout_ms: options.timeout_ms ?? 60_000,
    memory_mb: options.memory_mb ?? 256,
    busy: () => new Error('documents are no longer signed here: the process is ending'),
  })
  return {
    get alive() {
      return threads.alive
    },
    async sign({ documents, ...order }) {
      const batches: SigningOrder[] = []
      for (let i = 0; i < documents.length; i += BATCH_SIZE) {
        batches.push({ ...order, documents: documents.slice(i, i + BATCH_SIZE) })
      }
      return (await Promise.all(batches.map((batch) => threads.run(batch)))).flat()
    },
    close: () => threads.close(),
  }
}
