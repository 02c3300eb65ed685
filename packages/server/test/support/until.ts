// How a test waits for what a worker does: it looks when a job has ended, not by the clock.

import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 300_000
/** Jobs end in flocks: one look serves several. */
const FLOCK_MS = 50
/** Looks come ever more rarely, up to this, where no job ends: what other processes do ends none of this one. */
const MOST_MS = 500

const ends = new EventEmitter().setMaxListeners(0)
let ended = 0

/** A job of a world of this process has ended. */
export function tellJobEnd(): void {
  ended += 1
  ends.emit('job')
}

/** Until a job ends, or for so long where none does. */
async function nextJob(most_ms: number): Promise<void> {
  const pause = new AbortController()
  const { signal } = pause
  await Promise.race([once(ends, 'job', { signal }), sleep(most_ms, undefined, { signal })])
  pause.abort()
}

/**
 * Looks until there is something to see, and gives it. A look is a request or a query, and on a busy machine most looks
 * see nothing: between two of them a job has ended, or it was waited for one in vain.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  const patience = performance.now() + PATIENCE_MS
  for (let most_ms = FLOCK_MS; performance.now() < patience; most_ms = Math.min(2 * most_ms, MOST_MS)) {
    const before = ended
    const found = await look()
    if (found) return found
    await sleep(FLOCK_MS)
    if (ended === before) await nextJob(most_ms)
    if (ended > before) most_ms = FLOCK_MS
  }
  throw new Error(`waited in vain for ${what}`)
}
