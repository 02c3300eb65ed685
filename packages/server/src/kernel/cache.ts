import { systemNow } from './clock.ts'
import type { Listener } from './listen.ts'
import { INVALIDATED } from './unit-of-work.ts'

/**
 * Rows this process has read, by name. An entry is never older than the last commit that touched the ids it was made of:
 * the commit itself announces them, and this process drops them before its own answer leaves. While the connection that
 * carries announcements is down nothing is served from here; and nothing is kept for long.
 */
export interface Cache {
  /** The entry of a name, or what `load` gives. `idsOf` tells which ids make it stale. Null is not kept. */
  get<T>(name: string, load: () => Promise<T | null>, idsOf: (value: T) => readonly string[]): Promise<T | null>
  /** Drops every entry that was made of this id. */
  invalidate(id: string): void
}

interface Entry {
  readonly value: unknown
  readonly ids: readonly string[]
  readonly expires_at: number
}

const MAX_ENTRIES = 20_000
const TTL_MS = 5_000

export function openCache(listener: Listener): Cache {
  const entries = new Map<string, Entry>()
  const namesById = new Map<string, Set<string>>()
  // A read that was overtaken by an announcement is not kept: it may have seen the row as it was before.
  let generation = 0

  const drop = (name: string) => {
    const entry = entries.get(name)
    if (!entry) return
    entries.delete(name)
    for (const id of entry.ids) {
      const names = namesById.get(id)
      names?.delete(name)
      if (names?.size === 0) namesById.delete(id)
    }
  }
  const clear = () => {
    generation++
    entries.clear()
    namesById.clear()
  }
  const put = (name: string, value: unknown, ids: readonly string[]) => {
    if (entries.size >= MAX_ENTRIES) clear()
    drop(name)
    entries.set(name, { value, ids, expires_at: systemNow() + TTL_MS })
    for (const id of ids) {
      const names = namesById.get(id)
      if (names) names.add(name)
      else namesById.set(id, new Set([name]))
    }
  }
  const invalidate = (id: string) => {
    generation++
    for (const name of [...(namesById.get(id) ?? [])]) drop(name)
  }
  listener.on(INVALIDATED, invalidate)
  listener.onLost(clear)

  return {
    async get<T>(name: string, load: () => Promise<T | null>, idsOf: (value: T) => readonly string[]) {
      const known = listener.connected ? entries.get(name) : undefined
      if (known && known.expires_at > systemNow()) return known.value as T
      const before = generation
      const value = await load()
      if (value !== null && listener.connected && generation === before) put(name, value, idsOf(value))
      return value
    },
    invalidate,
  }
}
