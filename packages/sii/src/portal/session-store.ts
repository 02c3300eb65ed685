import type { Cookies } from './cookies.ts'

/** A session that the portal opened for a person. */
export interface HeldSession {
  readonly kind: 'open'
  /** Ours: tells one session from the one that replaced it. */
  readonly id: string
  readonly cookies: Cookies
  readonly used_at: Date
}

/** The SII would open no more sessions for this person: nobody asks before `until`. */
export interface HeldCap {
  readonly kind: 'capped'
  readonly until: Date
  /** Its own words. */
  readonly glosa: string | null
}

/**
 * Where portal sessions are kept, one for each person. Processes share one: the SII counts the live sessions of a RUT
 * and locks the person out when there are too many. What is kept are secrets: a store on disk seals it.
 */
export interface SessionStore {
  get(key: string): Promise<HeldSession | HeldCap | null>
  put(key: string, held: HeldSession | HeldCap | null): Promise<void>
  /** Replaces a session by what became of it; does nothing when another one is held by now. */
  touch(key: string, session: HeldSession): Promise<void>
  /** Runs `act` while nobody else runs one for the same key, in this process or another. Does not nest. */
  alone<T>(key: string, act: () => Promise<T>): Promise<T>
}

/** Sessions of one process. */
export function memorySessions(): SessionStore {
  const held = new Map<string, HeldSession | HeldCap>()
  const last = new Map<string, Promise<unknown>>()
  return {
    get: async (key) => held.get(key) ?? null,
    put: async (key, value) => {
      if (value === null) held.delete(key)
      else held.set(key, value)
    },
    touch: async (key, session) => {
      const now = held.get(key)
      if (now?.kind === 'open' && now.id === session.id) held.set(key, session)
    },
    alone: async (key, act) => {
      const before = last.get(key) ?? Promise.resolve()
      const turn = before.then(act, act)
      last.set(key, turn)
      try {
        return await turn
      } finally {
        if (last.get(key) === turn) last.delete(key)
      }
    },
  }
}
