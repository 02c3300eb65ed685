import type { PublicContext } from '../../kernel/context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { passwordChangedLetter } from './copy.ts'
import { followLink } from './link.ts'
import { hashPassword, requireStrongPassword } from './password.ts'
import { changeAccount, endSessions } from './store.ts'

/** Sets a password by a link from a letter, and ends every session: whoever held one may be why it was asked for. */
export async function resetPassword(ctx: PublicContext, input: { token: string; password: string }): Promise<null> {
  const { account } = await followLink(ctx, input.token, ['reset_password'])
  requireStrongPassword(input.password, account.email)
  await changeAccount(ctx.sql, account.id, {
    password_hash: await hashPassword(input.password),
    // Following the letter shows that they read this mailbox, which is all that confirming it asks for.
    email_verified_at: account.email_verified_at ?? ctx.now(),
  })
  await endSessions(ctx.sql, account.id, ctx.now())
  await postLetter(ctx, composeLetter(passwordChangedLetter(account)))
  return null
}
