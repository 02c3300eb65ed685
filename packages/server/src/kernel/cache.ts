import { systemNow } from './clock.ts'
import type { Listener } from './listen.ts'
import { INVALIDATED } from './unit-of-work.ts'

/**
 * What a process remembers of rows it read. A memory is never older than the last commit that touched the ids it
 * was made of: the commit itself announces them, and here they are dropped before its own answer leaves. While the
 * line between processes is down nothing is remembered; and nothing is remembered for long.
 */
export interface Cache {
  /** Gives what is remembered under a name, or loads it. `idsOf` tells which ids make it stale. Null is not kept. */
  get<T>(name: string, load: () => Promise<T | null>, idsOf: (value: T) => readonly string[]): Promise<T | null>
  forget(id: string): void
}

interface Entry {
  readonly value: unknown
  readonly ids: readonly string[]
  readonly until: number
}

const MOST = 20_000
const KEEP_MS = 5_000

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
  const keep = (name: string, value: unknown, ids: readonly string[]) => {
    if (entries.size >= MOST) clear()
    drop(name)
    entries.set(name, { value, ids, until: systemNow() + KEEP_MS })
    for (const id of ids) {
      const names = namesById.get(id)
      if (names) names.add(name)
      else namesById.set(id, new Set([name]))
    }
  }
  const forget = (id: string) => {
    generation++
    for (const name of [...(namesById.get(id) ?? [])]) drop(name)
  }
  listener.on(INVALIDATED, forget)
  listener.onLost(clear)

  return {
    async get<T>(name: string, load: () => Promise<T | null>, idsOf: (value: T) => readonly string[]) {
      const known = listener.connected ? entries.get(name) : undefined
      if (known && known.until > systemNow()) return known.value as T
      const before = generation
      const value = await load()
      if (value !== null && listener.connected && generation === before) keep(name, value, idsOf(value))
      return value
    },
    forget,
  }
}
