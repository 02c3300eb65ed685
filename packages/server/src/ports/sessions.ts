import type { Sql } from '../kernel/db.ts'

export interface SessionIdentity {
  readonly session_id: string
  readonly account_id: string
  readonly email_verified: boolean
}

/**
 * What a session opens, and nothing else: everything that a person does with their account (`/dashboard`, `/account`), or
 * the pages where they look after their agents.
 */
export type SessionServes = 'account' | 'agent_pages'

/** Sessions of people: a signed token, and a row that can be revoked before the token expires. */
export interface Sessions {
  /** The number of the master key that signs what is new. */
  readonly key_version: number
  /** What signs the cookies of a browser that is asked whether to let an agent in: the first signs, all are taken. */
  readonly cookie_keys: readonly string[]
  /** `strange`: nobody had come in from its network before. */
  open(sql: Sql, account_id: string, options?: { readonly strange: boolean }): Promise<string>
  /** Null for anything that is not a live session of an open account that serves at this door. */
  read(sql: Sql, token: string, serves: SessionServes): Promise<SessionIdentity | null>
}
