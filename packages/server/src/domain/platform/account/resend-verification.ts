import { AccountProblem } from '../../../kernel/problem.ts'
import type { BaseContext, SessionContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { verifyEmailLetter } from './copy.ts'
import { mintLink } from './link.ts'
import { type AccountRow, lockAccount } from './store.ts'

export async function sendVerification(ctx: BaseContext, account: AccountRow): Promise<void> {
  const url = await mintLink(ctx, { account_id: account.id, kind: 'verify_email', email: account.email })
  await postLetter(ctx, composeLetter(verifyEmailLetter(account, url)))
}

export async function resendVerification(ctx: SessionContext): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  if (account.email_verified_at) throw new AccountProblem('email_already_verified')
  await sendVerification(ctx, account)
  return null
}
