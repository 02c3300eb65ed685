import type { PublicContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { passwordChangedLetter } from './copy.ts'
import { followLink, peekLink } from './link.ts'
import { hashPassword, requireStrongPassword } from './password.ts'
import { changeAccount, endSessions } from './store.ts'

interface Reset {
  readonly token: string
  readonly password: string
}

/** The password is judged and hashed first; a link that leads nowhere is not worth the work. */
export async function prepareReset(ctx: PublicContext, input: Reset): Promise<{ password_hash: string }> {
  const account = await peekLink(ctx, input.token, ['reset_password'])
  requireStrongPassword(input.password, account.email)
  return { password_hash: await hashPassword(input.password) }
}

/** Sets a password by a link from a letter, and ends every session: whoever held one may be why it was asked for. */
export async function resetPassword(ctx: PublicContext, input: Reset & { password_hash: string }): Promise<null> {
  const { account } = await followLink(ctx, input.token, ['reset_password'])
  await changeAccount(ctx.sql, account.id, {
    password_hash: input.password_hash,
    // Following the letter shows that they read this mailbox, which is all that confirming it asks for.
    email_verified_at: account.email_verified_at ?? ctx.now(),
  })
  await endSessions(ctx.sql, account.id, ctx.now())
  await postLetter(ctx, composeLetter(passwordChangedLetter(account)))
  return null
}
