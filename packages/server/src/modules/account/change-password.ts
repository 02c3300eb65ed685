import type { SessionContext } from '../../kernel/context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { passwordChangedLetter } from './copy.ts'
import { dropLinks } from './link-store.ts'
import { confirmPassword, hashPassword, requireStrongPassword } from './password.ts'
import { changeAccount, endSessions, lockAccount } from './store.ts'

/** The session that asked goes on; every other one ends, and so does a link to set another password. */
export async function changePassword(
  ctx: SessionContext,
  input: { current_password: string; password: string },
): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  await confirmPassword(input.current_password, account, 'current_password')
  requireStrongPassword(input.password, account.email)
  await changeAccount(ctx.sql, account.id, { password_hash: await hashPassword(input.password) })
  await endSessions(ctx.sql, account.id, ctx.now(), { except: ctx.session_id })
  await dropLinks(ctx.sql, account.id, ['reset_password'])
  await postLetter(ctx, composeLetter(passwordChangedLetter(account)))
  return null
}
