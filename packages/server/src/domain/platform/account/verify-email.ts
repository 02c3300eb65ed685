import { violatedConstraint } from '../../../kernel/db.ts'
import { AccountProblem } from '../../../kernel/problem.ts'
import type { PublicContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import type { VerifiedEmail } from './bootstrap-schema.ts'
import { emailChangedLetter } from './copy.ts'
import { followLink } from './link.ts'
import { dropLinks } from './link-store.ts'
import { type AccountRow, changeAccount } from './store.ts'

/** Moves the account to the address that was just shown to be read, and tells the one it leaves. */
async function moveTo(ctx: PublicContext, account: AccountRow, email: string): Promise<void> {
  try {
    await changeAccount(ctx.sql, account.id, { email, email_verified_at: ctx.now() })
    ctx.invalidate(account.id)
  } catch (error) {
    if (violatedConstraint(error) === 'account_email') throw new AccountProblem('email_taken', { param: 'email' })
    throw error
  }
  // Links that lie in the old mailbox must not open the account any more.
  await dropLinks(ctx.sql, account.id, ['verify_email', 'reset_password'])
  await postLetter(ctx, composeLetter(emailChangedLetter(account, email)))
}

/** Follows the link of a letter: the address it was sent to belongs to whoever read it. */
export async function verifyEmail(ctx: PublicContext, { token }: { token: string }): Promise<VerifiedEmail> {
  const { link, account } = await followLink(ctx, token, ['verify_email', 'change_email'])
  const { kind, email } = link
  if (kind === 'change_email') await moveTo(ctx, account, email)
  else await changeAccount(ctx.sql, account.id, { email_verified_at: account.email_verified_at ?? ctx.now() })
  return { email, email_verified: true }
}
