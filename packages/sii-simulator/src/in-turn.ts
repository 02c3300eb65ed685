const last = new WeakMap<object, Promise<unknown>>()

/**
 * Runs work that takes a while, one after the other with a turn of the loop between them: what many ask for in the same
 * instant would else leave nobody else answered until all of it is done.
 */
export function inTurn<T>(owner: object, work: () => T | Promise<T>): Promise<T> {
  const before = last.get(owner) ?? Promise.resolve()
  const done = before.then(() => new Promise(setImmediate)).then(work)
  last.set(
    owner,
    done.catch(() => undefined),
  )
  return done
}
