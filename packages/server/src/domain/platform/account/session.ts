import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { SealedStore, VersionCount } from '../../../kernel/sealed.ts'
import type { MasterKeys } from '../../../kernel/vault.ts'
import type { SessionIdentity, Sessions } from '../../../ports/sessions.ts'

const ALGORITHM = 'HS256'

const derived = (key: Uint8Array, info: string) => Buffer.from(hkdfSync('sha256', key, new Uint8Array(0), info, 32))

/** One spelling for each token (RFC 7515, section 2: no padding); the library takes others that mean the same bytes. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

/** Signs with the current key, and takes what any of the others signed. */
export function openSessions({ keys, current }: MasterKeys): Sessions {
  const signing = new Map([...keys].map(([version, key]) => [version, derived(key, 'timbre session token')]))
  const signingKey = (version: number) => signing.get(version) ?? null
  const newest = signingKey(current)
  if (!newest) throw new Error(`no master key of version ${current}`)
  const inOrder = [...keys].sort(([a], [b]) => Number(b === current) - Number(a === current))
  return {
    key_version: current,
    cookie_keys: inOrder.map(([, key]) => derived(key, 'timbre consent cookie').toString('base64url')),
    async open(sql, account_id, { strange } = { strange: false }) {
      const now = new Date(Math.floor(systemNow() / 1000) * 1000)
      const expires_at = secondsFrom(now, RETENTION.session_seconds)
      const id = newId('session')
      await sql`
        insert into session (id, account_id, created_at, expires_at, key_version, strange)
        values (${id}, ${account_id}, ${now}, ${expires_at}, ${current}, ${strange})`
      return new SignJWT({})
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: String(current) })
        .setSubject(account_id)
        .setJti(id)
        .setIssuedAt(now)
        .setExpirationTime(expires_at)
        .sign(newest)
    },
    async read(sql, token, serves) {
      if (!isCanonical(token)) return null
      const currentDate = new Date(systemNow())
      // Only the algorithm we sign with is taken: `none` and any other end here.
      // One without a number was signed before there were several. One with a number we do not have was not signed by us.
      const keyOf = ({ kid = '1' }: { kid?: string }) => {
        const key = signingKey(Number(kid))
        if (!key) throw new Error('no such key')
        return key
      }
      const claims = await jwtVerify(token, keyOf, { algorithms: [ALGORITHM], currentDate }).catch(() => null)
      if (!claims?.payload.jti || !claims.payload.sub) return null
      const [row] = await sql<SessionIdentity>`
        select s.id as session_id, s.account_id, a.email_verified_at is not null as email_verified
        from session s join account a on a.id = s.account_id
        where s.id = ${claims.payload.jti} and s.account_id = ${claims.payload.sub}
          and s.serves = ${serves} and s.revoked_at is null and s.expires_at > ${currentDate} and a.closed_at is null`
      return row ?? null
    },
  }
}

/**
 * Gives up what a session opened, but for the pages of agents: its token works there from now on, and nowhere else. Done before anybody
 * has the token.
 */
export async function lendToAgentPages(sql: Sql, { session_id, account_id }: SessionIdentity): Promise<void> {
  await sql`update session set serves = 'agent_pages' where id = ${session_id} and account_id = ${account_id}`
}

/** Deletes sessions and links that ended before an instant: nobody can use them, and every login adds one. Until then they tell since when an intruder was in. */
export async function deleteExpiredSessions(sql: Sql, before: Date): Promise<void> {
  await sql`delete from session where expires_at < ${before}`
  await sql`delete from account_link where expires_at < ${before}`
}

/** Sessions that are open, by the key that signed them. They end by themselves. */
export const signedSessions: SealedStore = {
  what: 'open sessions',
  count: (sql) => sql<VersionCount>`
    select key_version as version, count(*) as count from session
    where revoked_at is null and expires_at > ${new Date(systemNow())} group by 1`,
}
