import type { SessionContext } from '../../context.ts'
import { endSessions } from './store.ts'

type LoggingOut = Pick<SessionContext, 'sql' | 'account_id' | 'session_id' | 'now'>

export async function logout(ctx: LoggingOut): Promise<null> {
  await endSessions(ctx.sql, ctx.account_id, ctx.now(), { only: ctx.session_id })
  return null
}
