/**
 * Loads something when it is first asked for, and once. The loader of modules remembers too, but finds its way to a module
 * anew each time it is asked. What could not be loaded is tried again.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    return loaded
  }
}
