const acts = new Set<() => void>()
let timer: NodeJS.Timeout | null = null

/** Calls it about once a second, with all the others in one turn: what has nothing to do wakes up once, not once for each. */
export function everySecond(act: () => void): () => void {
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
