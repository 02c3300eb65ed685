import type { SessionContext } from '../../context.ts'
import type { Session } from './bootstrap-schema.ts'
import { readSessionRow } from './store.ts'

export async function readSession(ctx: SessionContext): Promise<Session> {
  const row = await readSessionRow(ctx.sql, ctx.account_id, ctx.session_id)
  return {
    object: 'session',
    id: ctx.session_id,
    created_at: row.session_created_at.toISOString(),
    expires_at: row.session_expires_at.toISOString(),
    account: {
      object: 'account',
      id: row.id,
      name: row.name,
      email: row.email,
      email_verified: row.email_verified_at !== null,
      plan: row.plan,
      created_at: row.created_at.toISOString(),
    },
  }
}
