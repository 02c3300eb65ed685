import { createHmac, randomBytes } from 'node:crypto'
import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'

/** A person of the operator, as they called themselves when they signed in with its secret. */
export interface OperatorSession {
  readonly id: string
  readonly name: string
}

/** Keyed with the secret, so that a session ends with the secret it was opened by; nothing of the secret is stored. */
const hashOf = (token: string, operator_secret: string) => createHmac('sha256', operator_secret).update(token).digest()

export async function openOperatorSession(
  sql: Sql,
  operator_secret: string,
  name: string,
): Promise<OperatorSession & { readonly token: string }> {
  const id = newId('operator_session')
  const token = randomBytes(32).toString('base64url')
  const now = new Date(systemNow())
  await sql`
    insert into operator_session (id, token_hash, name, created_at, expires_at)
    values (${id}, ${hashOf(token, operator_secret)}, ${name}, ${now},
      ${secondsFrom(now, RETENTION.operator_session_seconds)})`
  return { id, name, token }
}

/** Whose a token is; null for one that never was, that ended, or that was opened by another secret. */
export async function findOperatorSession(
  sql: Sql,
  operator_secret: string | null,
  token: string,
): Promise<OperatorSession | null> {
  if (operator_secret === null) return null
  const [row] = await sql<OperatorSession>`
    select id, name from operator_session
    where token_hash = ${hashOf(token, operator_secret)} and expires_at > ${new Date(systemNow())}`
  return row ?? null
}

export async function endOperatorSession(sql: Sql, { id }: OperatorSession): Promise<void> {
  await sql`update operator_session set expires_at = least(expires_at, ${new Date(systemNow())}) where id = ${id}`
}

/** Forgets who signed in, as long ago as the audit log remembers. */
export async function deleteOldOperatorSessions(sql: Sql, before: Date): Promise<void> {
  await sql`delete from operator_session where expires_at < ${before}`
}
