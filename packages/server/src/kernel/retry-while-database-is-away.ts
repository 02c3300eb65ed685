import { isDatabaseAway } from './db.ts'

const AGAIN_MS = 250

/** Writes something down that must not be lost, again and again while the database is away, but no longer than `within_ms`. */
export async function retryWhileDatabaseIsAway<T>(write: () => Promise<T>, within_ms: number): Promise<T> {
  const until = performance.now() + within_ms
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() + AGAIN_MS > until) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}
