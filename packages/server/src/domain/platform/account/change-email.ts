import { AccountProblem } from '../../../kernel/problem.ts'
import type { SessionContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { normalEmail } from './bootstrap-schema.ts'
import { changeEmailLetter } from './copy.ts'
import { mintLink } from './link.ts'
import { type Proof, requireProof } from './password.ts'
import { isEmailTaken, lockAccount } from './store.ts'

/** Writes to the new address. Nothing changes until the link in that letter is followed. */
export async function changeEmail(ctx: SessionContext, input: { email: string } & Proof): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  requireProof(input, account)
  const email = normalEmail(input.email)
  if (email === account.email) throw new AccountProblem('invalid_field', { param: 'email' })
  if (await isEmailTaken(ctx.sql, email)) throw new AccountProblem('email_taken', { param: 'email' })
  const url = await mintLink(ctx, { account_id: account.id, kind: 'change_email', email })
  await postLetter(ctx, composeLetter(changeEmailLetter({ email }, url)))
  return null
}
