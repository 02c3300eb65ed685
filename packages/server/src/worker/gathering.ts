/**
 * Lanes whose batches keep a distance, and when each was last claimed from. Time is cut into equal moments, the same for all
 * lanes, and each of them is claimed from once in a moment: those that are busy come together, in one statement.
 */
export class Gathering {
  /** The earliest first: what is older than a moment says nothing more. */
  readonly #claimed = new Map<string, number>()

  claimed(lane: string, gather_ms: number, now: number): void {
    for (const [old, at] of this.#claimed) {
      if (at > now - gather_ms) break
      this.#claimed.delete(old)
    }
    this.#claimed.delete(lane)
    this.#claimed.set(lane, now)
  }

  /** What was begun did not come to anything: the lane may be claimed from at once. */
  undone(lane: string): void {
    this.#claimed.delete(lane)
  }

  /** When a lane may be claimed from: at once, `0`, or at the moment that comes next. */
  next(lane: string, gather_ms: number, now: number): number {
    const at = this.#claimed.get(lane)
    // A clock that was set back says nothing of how long ago that was.
    if (at === undefined || gather_ms === 0 || at > now) return 0
    const moment = Math.floor(at / gather_ms) + 1
    return moment * gather_ms > now ? moment * gather_ms : 0
  }
}
