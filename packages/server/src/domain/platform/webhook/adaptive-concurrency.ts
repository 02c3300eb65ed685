export interface Pace {
  /** How many at a time at first, and at most. */
  readonly first: number
  readonly most: number
  /** Nothing more is started after this long. */
  readonly start_within_ms: number
}

/**
 * Does many things with one stranger at a time, side by side: as many as `most` while it goes well, one after another
 * once it does not. `step` tells how it went. Gives what was not started in time.
 */
export async function sideBySide<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<boolean>,
  pace: Pace,
): Promise<Item[]> {
  const waiting = [...items]
  const until = performance.now() + pace.start_within_ms
  let room = pace.first
  let underway = 0
  return new Promise((resolve, reject) => {
    const next = () => {
      while (underway < room && waiting.length > 0 && performance.now() < until) begin(waiting.shift() as Item)
      if (underway === 0) resolve(waiting)
    }
    const begin = (item: Item) => {
      underway++
      step(item).then((well) => {
        underway--
        room = well ? pace.most : 1
        next()
      }, reject)
    }
    next()
  })
}
