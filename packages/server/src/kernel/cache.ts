import type { CacheLease } from './cache-lease.ts'
import { systemNow } from './clock.ts'
import type { Listener } from './listen.ts'
import { INVALIDATED } from './unit-of-work.ts'

/**
 * Rows this process has read, by name. An entry is never older than the last commit that touched the ids it was made of
 * and whose caller has been answered: the commit itself announces them, this process drops them before its own answer
 * leaves, and the answer waits for the other processes. Without its lease a process serves nothing from here; and
 * nothing is kept for long.
 */
export interface Cache {
  /** The entry of a name, or what `load` gives. `idsOf` tells which ids make it stale. Null is not kept. */
  get<T>(name: string, load: () => Promise<T | null>, idsOf: (value: T) => readonly string[]): Promise<T | null>
  /** Drops every entry that was made of this id. */
  invalidate(id: string): void
  /** After the commit that announced stale ids: waits until no process can serve an entry made of them. */
  settle(): Promise<void>
}

interface Entry {
  readonly value: unknown
  readonly ids: readonly string[]
  readonly read_at: number
}

const MAX_ENTRIES = 20_000
const TTL_MS = 5_000

/** What was read in the future was read by a clock that was wrong: how old it is cannot be told. */
const isYoung = ({ read_at }: Entry, now: number) => read_at <= now && now < read_at + TTL_MS

export function openCache(listener: Pick<Listener, 'on'>, lease: CacheLease): Cache {
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
    entries.set(name, { value, ids, read_at: systemNow() })
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
  lease.onLapse(clear)

  return {
    async get<T>(name: string, load: () => Promise<T | null>, idsOf: (value: T) => readonly string[]) {
      const known = lease.held ? entries.get(name) : undefined
      if (known && isYoung(known, systemNow())) return known.value as T
      const before = generation
      const value = await load()
      if (value !== null && lease.held && generation === before) put(name, value, idsOf(value))
      return value
    },
    invalidate,
    settle: lease.settle,
  }
}
