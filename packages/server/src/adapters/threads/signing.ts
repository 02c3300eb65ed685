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

/**
 * What goes to a thread at once: one message for some thirty milliseconds of RSA, and a batch is still shared out. A
 * document of hundreds of lines is an order of its own: whoever waits for a turn waits for one of them.
 */
const BATCH_SIZE = 8
const BATCH_LINES = 200

function inBatches({ caf, signer, at, documents }: SigningOrder): SigningOrder[] {
  const batches: SigningOrder['documents'][number][][] = []
  let lines = Number.POSITIVE_INFINITY
  for (const document of documents) {
    const own = document.draft.items?.length ?? 0
    const last = batches.at(-1)
    if (last && last.length < BATCH_SIZE && lines + own <= BATCH_LINES) last.push(document)
    else batches.push([document])
    lines = (batches.at(-1)?.length === 1 ? 0 : lines) + own
  }
  return batches.map((batch) => ({ caf, signer, at, documents: batch }))
}

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
    async sign(order, owner) {
      return (await Promise.all(inBatches(order).map((batch) => threads.run(batch, owner)))).flat()
    },
    close: () => threads.close(),
  }
}
