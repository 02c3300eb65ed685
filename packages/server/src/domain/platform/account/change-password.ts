import type { SessionContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { passwordChangedLetter } from './copy.ts'
import { dropLinks } from './link-store.ts'
import { hashPassword, type Proof, provePassword, requireProof, requireStrongPassword } from './password.ts'
import { changeAccount, endSessions, findAccount, lockAccount } from './store.ts'

interface Change {
  readonly current_password: string
  readonly password: string
}

interface Prepared extends Proof {
  readonly password_hash: string
}

export async function prepareChange(ctx: SessionContext, input: Change): Promise<Prepared> {
  const account = await findAccount(ctx.sql, ctx.account_id)
  const proof = await provePassword(input.current_password, account, 'current_password')
  requireStrongPassword(input.password, account.email)
  return { ...proof, password_hash: await hashPassword(input.password) }
}

/** The session that asked goes on; every other one ends, and so does a link to set another password. */
export async function changePassword(ctx: SessionContext, input: Change & Prepared): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  requireProof(input, account, 'current_password')
  await changeAccount(ctx.sql, account.id, { password_hash: input.password_hash })
  await endSessions(ctx.sql, account.id, ctx.now(), { except: ctx.session_id })
  await dropLinks(ctx.sql, account.id, ['reset_password'])
  await postLetter(ctx, composeLetter(passwordChangedLetter(account)))
  return null
}
