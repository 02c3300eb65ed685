import { randomSecret } from '../../../kernel/id.ts'
import { AccountProblem } from '../../../kernel/problem.ts'
import type { PublicContext } from '../../context.ts'
import { lockGrantsOf } from '../agent-grant/end.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { accountDisownedLetter } from './copy.ts'
import { checkLink, followLink, mintLink } from './link.ts'
import { hashPassword } from './password.ts'
import { endDistrusted } from './recover.ts'
import type { Disowned } from './schema.ts'
import { changeAccount } from './store.ts'

interface Disown {
  readonly token: string
}

/** A password that nobody knows: whoever opened the account knows the one it has. */
export async function prepareDisown(ctx: PublicContext, { token }: Disown): Promise<{ password_hash: string }> {
  await checkLink(ctx, token, ['verify_email'])
  return { password_hash: await hashPassword(ctx.ports, randomSecret()) }
}

/**
 * Somebody opened an account with an address that is not theirs, and whoever reads it says so instead of confirming it.
 * All that the opener holds ends. The address stays unconfirmed until its reader sets a password by the letter.
 */
export async function disownAccount(
  ctx: PublicContext,
  { token, password_hash }: Disown & { password_hash: string },
): Promise<Disowned> {
  const { id } = await checkLink(ctx, token, ['verify_email'])
  await lockGrantsOf(ctx.sql, id)
  const { link, account } = await followLink(ctx, token, ['verify_email'])
  // A letter of before must not end the production of an account that its owner confirmed since.
  if (account.first_verified_at ?? account.email_verified_at)
    throw new AccountProblem('invalid_link', { param: 'token' })
  const { email } = link
  ctx.concerns(id)
  await changeAccount(ctx.sql, id, { password_hash })
  ctx.invalidate(id)
  const { ended } = await endDistrusted(ctx, id, 'ever')
  const url = await mintLink(ctx, { account_id: id, kind: 'reset_password', email })
  await enqueueLetter(ctx, composeLetter(accountDisownedLetter({ email }, url, ended)))
  return { email, ended }
}
