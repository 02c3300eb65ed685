import type { SessionContext } from '../../kernel/context.ts'
import { endSessions } from './store.ts'

export async function logout(ctx: SessionContext): Promise<null> {
  await endSessions(ctx.sql, ctx.account_id, ctx.now(), { only: ctx.session_id })
  return null
}
