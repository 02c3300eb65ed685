interface Waiting {
  readonly owner: string | undefined
}

/** Owners whose last turn is remembered. Whoever is forgotten counts as new, and comes sooner. */
const REMEMBERED = 10_000

/**
 * Whose order is next: that of the owner whose last turn is longest ago, and of those alike the one that came first. In a
 * line of all, two owners with a few slow orders each would keep everybody else waiting behind them.
 */
export class Turns {
  /** By the number of their last turn, the oldest first. */
  readonly #last = new Map<string, number>()
  #count = 0

  /** The place of the next order, or -1 when every owner who waits has one in work already. */
  next(queue: readonly Waiting[], at_work: ReadonlySet<string>): number {
    let [place, longest] = [-1, Number.POSITIVE_INFINITY]
    for (const [index, { owner }] of queue.entries()) {
      if (owner !== undefined && at_work.has(owner)) continue
      const last = owner === undefined ? -1 : (this.#last.get(owner) ?? -1)
      if (last < longest) [place, longest] = [index, last]
    }
    return place
  }

  took({ owner }: Waiting): void {
    if (owner === undefined) return
    this.#last.delete(owner)
    this.#last.set(owner, this.#count++)
    const [oldest] = this.#last.keys()
    if (this.#last.size > REMEMBERED && oldest !== undefined) this.#last.delete(oldest)
  }
}
