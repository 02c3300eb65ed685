import { AccountProblem } from '../../../kernel/problem.ts'
import type { PublicContext, SessionContext } from '../../context.ts'
import { isPassword, type Proof } from './password.ts'
import { type Login, normalizeEmail, type Session } from './schema.ts'
import { endSessions, findAccountByEmail, lockAccountByEmailShared, readSessionRow } from './store.ts'
import { noteUsualNetwork } from './usual-network.ts'

/** One refusal for a wrong password and for an address nobody has, after the same work. */
export async function proveLogin(ctx: PublicContext, { email, password }: Login): Promise<Proof> {
  const account = await findAccountByEmail(ctx.sql, normalizeEmail(email))
  if (account) ctx.concerns(account.id)
  const opens = await isPassword(ctx.ports, password, account?.password_hash ?? null)
  if (!account || !opens) throw new AccountProblem('invalid_credentials')
  return { proven: account.password_hash }
}

export async function login(ctx: PublicContext, { email, proven }: Login & Proof): Promise<{ token: string }> {
  const account = await lockAccountByEmailShared(ctx.sql, normalizeEmail(email))
  if (account?.password_hash !== proven) throw new AccountProblem('invalid_credentials')
  const { usual } = await noteUsualNetwork(ctx.sql, account.id, ctx.ip)
  return { token: await ctx.ports.sessions.open(ctx.sql, account.id, { strange: !usual }) }
}

type LogoutContext = Pick<SessionContext, 'sql' | 'account_id' | 'session_id' | 'now'>

export async function logout(ctx: LogoutContext): Promise<null> {
  await endSessions(ctx.sql, ctx.account_id, ctx.now(), { only: ctx.session_id })
  return null
}

export async function readSession(ctx: SessionContext): Promise<Session> {
  const row = await readSessionRow(ctx.sql, ctx.account_id, ctx.session_id)
  return {
    object: 'session',
    id: ctx.session_id,
    created_at: row.session_created_at.toISOString(),
    expires_at: row.session_expires_at.toISOString(),
    account: {
      object: 'account',
      id: row.id,
      name: row.name,
      email: row.email,
      email_verified: row.email_verified_at !== null,
      plan: row.plan,
      created_at: row.created_at.toISOString(),
    },
  }
}
