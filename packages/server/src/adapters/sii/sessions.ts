import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { HeldCap, HeldSession, SessionStore } from '@timbre/sii'
import { systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import { sealedColumn } from '../../kernel/sealed.ts'
import type { Vault } from '../../kernel/vault.ts'
import { SiiUnreachable } from '../../ports/sii.ts'

/**
 * Whoever died in a flow is waited for no longer than this. One that goes on renews its lease: an SII that takes its time
 * at every step is slower than any time that could be told beforehand, and two in one session would mix what they ask.
 */
const LEASE_MS = 60_000
const LOOK_MS = 250
/** A turn is waited for no longer: behind many others a job does better to come back, and a request to be answered. */
const WAIT_MS = 120_000

const ownerOf = (key: string) => `sii_session:${key}`

export const sealedSiiSessions = sealedColumn({
  what: 'sessions of the SII',
  table: 'sii_session',
  column: 'sealed',
  key: 'key',
  owner: ({ key }) => ownerOf(key),
})

/** What cannot be read is no session. The error of the parser would quote the cookies, so nobody hears it. */
function readCookies(text: string): HeldSession['cookies'] | null {
  try {
    return JSON.parse(text) as HeldSession['cookies']
  } catch {
    return null
  }
}

interface SessionRow {
  readonly sealed: Buffer | null
  readonly session_id: string | null
  readonly used_at: Date | null
  readonly capped_until: Date | null
  readonly capped_glosa: string | null
}

/** The portal's sessions, one for each person, shared by every process over one database and under the vault there. */
export function sharedSessions({
  sql,
  vault,
  realm,
  lease_ms = LEASE_MS,
  wait_ms = WAIT_MS,
}: {
  readonly sql: Sql
  readonly vault: Vault
  /** Whose sessions they are: `realmOf`. */
  readonly realm: string
  readonly lease_ms?: number
  readonly wait_ms?: number
}): SessionStore {
  const nameOf = (key: string) => `${realm}/${key}`
  const seal = (key: string, { cookies }: HeldSession) =>
    Buffer.from(vault.seal(ownerOf(key), Buffer.from(JSON.stringify(cookies))))

  function read(key: string, row: SessionRow): HeldSession | HeldCap | null {
    if (row.capped_until) return { kind: 'capped', until: row.capped_until, glosa: row.capped_glosa }
    if (!row.sealed || !row.session_id || !row.used_at) return null
    const cookies = readCookies(Buffer.from(vault.open(ownerOf(key), row.sealed)).toString())
    return cookies && { kind: 'open', id: row.session_id, cookies, used_at: row.used_at }
  }

  /** Several processes, and several acts of one, take turns: whoever finds no lease, or one that ran out, goes next. */
  async function lease(key: string): Promise<string> {
    const holder = randomUUID()
    const give_up_at = systemNow() + wait_ms
    for (;;) {
      const now = new Date(systemNow())
      const until = new Date(systemNow() + lease_ms)
      const taken = await sql`
        insert into sii_session as s (key, leased_by, leased_until) values (${key}, ${holder}, ${until})
        on conflict (key) do update set leased_by = ${holder}, leased_until = ${until}
        where s.leased_until is null or s.leased_until <= ${now}
        returning key`
      if (taken.length > 0) return holder
      if (systemNow() >= give_up_at) throw new SiiUnreachable('others are using the session of the same person')
      await wait(LOOK_MS)
    }
  }

  /** Holds a lease for as long as its act goes on. One that could not be renewed has the next turn to try. */
  function renewing(key: string, holder: string): NodeJS.Timeout {
    const renew = async () => {
      const until = new Date(systemNow() + lease_ms)
      await sql`update sii_session set leased_until = ${until} where key = ${key} and leased_by = ${holder}`
    }
    return setInterval(() => void renew().catch(() => undefined), lease_ms / 4).unref()
  }

  return {
    async get(of) {
      const key = nameOf(of)
      const [row] = await sql<SessionRow>`
        select sealed, session_id, used_at, capped_until, capped_glosa from sii_session where key = ${key}`
      return row ? read(key, row) : null
    },
    async put(of, held) {
      const key = nameOf(of)
      const open = held?.kind === 'open' ? held : null
      const cap = held?.kind === 'capped' ? held : null
      await sql`
        insert into sii_session as s (key, sealed, session_id, used_at, capped_until, capped_glosa)
        values (${key}, ${open && seal(key, open)}, ${open?.id ?? null}, ${open?.used_at ?? null}, ${cap?.until ?? null},
          ${cap?.glosa ?? null})
        on conflict (key) do update set sealed = excluded.sealed, session_id = excluded.session_id,
          used_at = excluded.used_at, capped_until = excluded.capped_until, capped_glosa = excluded.capped_glosa`
    },
    async touch(of, session) {
      const key = nameOf(of)
      await sql`
        update sii_session set sealed = ${seal(key, session)}, used_at = ${session.used_at}
        where key = ${key} and session_id = ${session.id}`
    },
    async alone(of, act) {
      const key = nameOf(of)
      const holder = await lease(key)
      const renewal = renewing(key, holder)
      try {
        return await act()
      } finally {
        clearInterval(renewal)
        await sql`
          update sii_session set leased_by = null, leased_until = null where key = ${key} and leased_by = ${holder}`
      }
    },
  }
}
