interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Many calls within a moment become one: `together` gets what gathered and gives a result for each, in order. While
 * one batch is on its way the next one gathers, so the busier it is, the larger the batches grow. Where nobody waits
 * for the result, `wait_ms` lets a batch gather for a moment longer.
 */
export function coalesce<Item, Result>(
  together: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most, wait_ms = 0 }: { readonly most: number; readonly wait_ms?: number },
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let busy = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      if (wait_ms > 0 && waiting.length < most) await new Promise((resolve) => setTimeout(resolve, wait_ms))
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const results = await together(batch.map(({ item }) => item))
        batch.forEach(({ resolve }, i) => {
          resolve(results[i] as Result)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    busy = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (busy) return
      busy = true
      // Calls made in the same turn of the event loop join the batch.
      setImmediate(() => void drain())
    })
}
