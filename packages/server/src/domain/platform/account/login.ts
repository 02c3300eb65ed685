import { AccountProblem } from '../../../kernel/problem.ts'
import type { PublicContext } from '../../context.ts'
import { type Login, normalEmail } from './bootstrap-schema.ts'
import { isPassword, type Proof } from './password.ts'
import { findAccountByEmail, holdAccountByEmail } from './store.ts'

/** One refusal for a wrong password and for an address nobody has, after the same work. */
export async function proveLogin(ctx: PublicContext, { email, password }: Login): Promise<Proof> {
  const account = await findAccountByEmail(ctx.sql, normalEmail(email))
  const opens = await isPassword(password, account?.password_hash ?? null)
  if (!account || !opens) throw new AccountProblem('invalid_credentials')
  return { proven: account.password_hash }
}

export async function login(ctx: PublicContext, { email, proven }: Login & Proof): Promise<{ token: string }> {
  const account = await holdAccountByEmail(ctx.sql, normalEmail(email))
  if (account?.password_hash !== proven) throw new AccountProblem('invalid_credentials')
  return { token: await ctx.ports.sessions.open(ctx.sql, account.id) }
}
