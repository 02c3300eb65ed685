/** One timer for all who ask: what has nothing to do wakes up once a second, not once for each. */
export function secondTimer(): (act: () => void) => () => void {
  const acts = new Set<() => void>()
  let timer: NodeJS.Timeout | null = null
  return (act) => {
    acts.add(act)
    timer ??= setInterval(() => {
      for (const each of acts) each()
    }, 1_000).unref()
    return () => {
      acts.delete(act)
      if (acts.size > 0 || timer === null) return
      clearInterval(timer)
      timer = null
    }
  }
}

/** Calls it about once a second, in one turn with all the others of the process. */
export const everySecond = secondTimer()
