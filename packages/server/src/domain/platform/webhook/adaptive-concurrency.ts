export interface Concurrency {
  /** How many run at a time at first, and at most. */
  readonly first: number
  readonly most: number
  /** Nothing more is started after this long. */
  readonly start_within_ms: number
}

/**
 * Runs `step` over the items in order, concurrently: up to `most` at a time while it succeeds, one by one after a
 * failure. Returns the items that were not started in time.
 */
export async function runAdaptively<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<boolean>,
  concurrency: Concurrency,
): Promise<Item[]> {
  const waiting = [...items]
  const until = performance.now() + concurrency.start_within_ms
  let limit = concurrency.first
  let running = 0
  return new Promise((resolve, reject) => {
    const next = () => {
      while (running < limit && waiting.length > 0 && performance.now() < until) start(waiting.shift() as Item)
      if (running === 0) resolve(waiting)
    }
    const start = (item: Item) => {
      running++
      step(item).then((succeeded) => {
        running--
        limit = succeeded ? concurrency.most : 1
        next()
      }, reject)
    }
    next()
  })
}
