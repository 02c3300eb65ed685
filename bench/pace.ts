import { sign } from 'node:crypto'
import { SIGNED, STAMPED, sandboxSizedKeys } from './signatures.ts'
import { median } from './turns.ts'

const EVERY_MS = 50
const { stamp, signer } = sandboxSizedKeys()

/** What the two RSA signatures of a document cost meanwhile. */
export interface Pace {
  /** Milliseconds, of the median pair. */
  readonly pair: number
  /** What all the pairs took, which is not a document's. */
  readonly spent: number
}

/**
 * Signs a pair now and then on the thread that is measured, until it is stopped. A processor that sleeps between two requests does
 * not run at the speed of one that is never idle: here it took twice as long for the same signatures. So what a document costs at some
 * load is told in signatures that were made at the same load.
 */
export function keepPace(): { stop(): Pace } {
  const pairs: number[] = []
  const timer = setInterval(() => {
    const started = performance.now()
    sign('RSA-SHA1', STAMPED, stamp)
    sign('RSA-SHA1', SIGNED, signer)
    pairs.push(performance.now() - started)
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return { pair: median(pairs), spent: pairs.reduce((sum, ms) => sum + ms, 0) }
    },
  }
}
