import type { JobOutcome } from '../../../kernel/job.ts'
import type { PublicContext, SessionContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { lockGrantsOf } from '../agent-grant/end.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { accountRecoveredLetter, passwordChangedLetter, resetPasswordLetter } from './copy.ts'
import { sendResetLink } from './jobs.ts'
import { checkLink, followLink, mintLink } from './link.ts'
import { hashPassword, type Proof, provePassword, requireProof, requireStrongPassword } from './password.ts'
import { endPending, recoverAccount } from './recover.ts'
import { normalizeEmail, type Recovery } from './schema.ts'
import { changeAccount, findAccount, lockAccount, lockAccountByEmail } from './store.ts'
import { noteUsualNetwork } from './usual-network.ts'

interface PasswordChange {
  readonly current_password: string
  readonly password: string
}

interface Prepared extends Proof {
  readonly password_hash: string
}

export async function prepareChange(ctx: SessionContext, input: PasswordChange): Promise<Prepared> {
  const account = await findAccount(ctx.sql, ctx.account_id)
  const proof = await provePassword(ctx.ports, input.current_password, account, 'current_password')
  await requireStrongPassword(input.password, [account.email, account.name])
  return { ...proof, password_hash: await hashPassword(ctx.ports, input.password) }
}

/** The session that changes it goes on; every other one ends, and so does every link that waits to be followed. */
export async function changePassword(ctx: SessionContext, input: PasswordChange & Prepared): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  requireProof(input, account, 'current_password')
  await changeAccount(ctx.sql, account.id, { password_hash: input.password_hash })
  await endPending(ctx, account.id, { but_session: ctx.session_id })
  await enqueueLetter(ctx, composeLetter(passwordChangedLetter(account)))
  return null
}

/** Mails a link to the address if it has an account, and ends quietly if it has none. */
export async function mailResetLink(
  ctx: JobContext,
  { email, ip }: { email: string; ip?: string },
): Promise<JobOutcome> {
  await ctx.transact(async (tx) => {
    const account = await lockAccountByEmail(tx.sql, email)
    if (!account) return
    const url = await mintLink(tx, { account_id: account.id, kind: 'reset_password', email })
    await enqueueLetter(tx, composeLetter(resetPasswordLetter(account, url)))
    tx.audit(
      { action: 'account.forgot_password', subject: account.id, ...(ip && { ip }) },
      { account_id: account.id, mode: null },
    )
  })
  return 'done'
}

/** The account is looked up by a job, so that neither the answer nor the time it takes tells whether there is one. */
export async function forgotPassword(ctx: PublicContext, { email }: { email: string }): Promise<null> {
  await ctx.enqueue(sendResetLink, { payload: { email: normalizeEmail(email), ip: ctx.ip }, real_time: true })
  return null
}

interface PasswordReset {
  readonly token: string
  readonly password: string
}

/** Checks the link before hashing: a dead one is not worth the work. */
export async function prepareReset(ctx: PublicContext, input: PasswordReset): Promise<{ password_hash: string }> {
  const account = await checkLink(ctx, input.token, ['reset_password'])
  await requireStrongPassword(input.password, [account.email, account.name])
  return { password_hash: await hashPassword(ctx.ports, input.password) }
}

/** Sets a password by a link from a letter, and ends whatever an intruder may hold. */
export async function resetPassword(
  ctx: PublicContext,
  input: PasswordReset & { password_hash: string },
): Promise<Recovery> {
  const { id } = await checkLink(ctx, input.token, ['reset_password'])
  await lockGrantsOf(ctx.sql, id)
  const { account } = await followLink(ctx, input.token, ['reset_password'])
  ctx.concerns(account.id)
  await changeAccount(ctx.sql, account.id, {
    password_hash: input.password_hash,
    // Following the letter shows that they read this mailbox, which is all that confirming it asks for.
    email_verified_at: account.email_verified_at ?? ctx.now(),
  })
  const recovery = await recoverAccount(ctx, account)
  await noteUsualNetwork(ctx.sql, account.id, ctx.ip)
  await enqueueLetter(ctx, composeLetter(accountRecoveredLetter(account, recovery, account.first_verified_at !== null)))
  return recovery
}
