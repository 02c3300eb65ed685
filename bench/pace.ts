import { sign } from 'node:crypto'
import { type Keys, liveSizedKeys, SIGNED, STAMPED, sandboxSizedKeys } from './signatures.ts'
import { median } from './turns.ts'

/** Where RSA is slow a pair takes 4 ms of the thread that is measured. */
const EVERY_MS = 250
const [live, sandbox] = [liveSizedKeys(), sandboxSizedKeys()]

/** What the two RSA signatures of a document cost meanwhile, in milliseconds of the median pair. */
export interface Pace {
  /** With keys as long as those of live mode. */
  readonly pair: number
  /** With those of the sandbox, which a document of test mode is signed with. */
  readonly sandbox_pair: number
  /** What all the pairs took, which is not a document's. */
  readonly spent: number
}

function timePair({ stamp, signer }: Keys): number {
  const started = performance.now()
  sign('RSA-SHA1', STAMPED, stamp)
  sign('RSA-SHA1', SIGNED, signer)
  return performance.now() - started
}

/**
 * Signs a pair now and then on the thread that is measured, until it is stopped. A processor that sleeps between two requests does
 * not run at the speed of one that is never idle: here it took twice as long for the same signatures. So what a document costs at some
 * load is told in signatures that were made at the same load.
 */
export function keepPace(): { stop(): Pace } {
  const [pairs, sandbox_pairs]: [number[], number[]] = [[], []]
  const timer = setInterval(() => {
    pairs.push(timePair(live))
    sandbox_pairs.push(timePair(sandbox))
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      const spent = [...pairs, ...sandbox_pairs].reduce((sum, ms) => sum + ms, 0)
      return { pair: median(pairs), sandbox_pair: median(sandbox_pairs), spent }
    },
  }
}
