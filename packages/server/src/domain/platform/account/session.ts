import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { SessionIdentity, Sessions } from '../../../ports/sessions.ts'

const ALGORITHM = 'HS256'

export function openSessions(master_key: Uint8Array): Sessions {
  const key = new Uint8Array(hkdfSync('sha256', master_key, new Uint8Array(0), 'timbre session token', 32))
  const cookie_key = Buffer.from(hkdfSync('sha256', master_key, new Uint8Array(0), 'timbre consent cookie', 32))
  return {
    cookie_keys: [cookie_key.toString('base64url')],
    async open(sql, account_id) {
      const now = new Date(Math.floor(systemNow() / 1000) * 1000)
      const expires_at = secondsFrom(now, RETENTION.session_seconds)
      const id = newId('session')
      await sql`
        insert into session (id, account_id, created_at, expires_at) values (${id}, ${account_id}, ${now}, ${expires_at})`
      return new SignJWT({})
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(account_id)
        .setJti(id)
        .setIssuedAt(now)
        .setExpirationTime(expires_at)
        .sign(key)
    },
    async read(sql, token) {
      const currentDate = new Date(systemNow())
      // Only the algorithm we sign with is taken: `none` and any other end here.
      const claims = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate }).catch(() => null)
      if (!claims?.payload.jti || !claims.payload.sub) return null
      const [row] = await sql<SessionIdentity>`
        select s.id as session_id, s.account_id, a.email_verified_at is not null as email_verified
        from session s join account a on a.id = s.account_id
        where s.id = ${claims.payload.jti} and s.account_id = ${claims.payload.sub}
          and s.revoked_at is null and s.expires_at > ${currentDate} and a.closed_at is null`
      return row ?? null
    },
  }
}

/** Deletes sessions and links that ended before an instant: nobody can use them, and every login adds one. */
export async function deleteExpiredSessions(sql: Sql, before: Date): Promise<void> {
  await sql`delete from session where expires_at < ${before}`
  await sql`delete from account_link where expires_at < ${before}`
}
