import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { violatedConstraint } from '../../../kernel/db.ts'
import { AccountProblem } from '../../../kernel/problem.ts'
import type { BaseContext, PublicContext, SessionContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { changeEmailLetter, emailChangedLetter, verifyEmailLetter } from './copy.ts'
import { requireFreeEmail } from './free-email.ts'
import { followLink, mintLink } from './link.ts'
import { type Proof, requireProof } from './password.ts'
import { endPending } from './recover.ts'
import { normalizeEmail, type VerifiedEmail } from './schema.ts'
import {
  type AccountRow,
  changeAccount,
  deleteLinks,
  type FollowedLink,
  findIntrusionStart,
  isEmailTaken,
  lockAccount,
} from './store.ts'
import { noteUsualNetwork } from './usual-network.ts'

/** Moves the account to the address that was just proven, and tells the one it leaves, which has a way back for a while. */
async function changeAddress(ctx: PublicContext, account: AccountRow, link: FollowedLink): Promise<void> {
  const { email, distrusted_since } = link
  try {
    await changeAccount(ctx.sql, account.id, { email, email_verified_at: ctx.now() })
    ctx.invalidate(account.id)
  } catch (error) {
    if (violatedConstraint(error) === 'account_email') throw new AccountProblem('email_taken', { param: 'email' })
    throw error
  }
  await requireFreeEmail(ctx, email, account.id)
  // Links that lie in the old mailbox must not open the account any more.
  await deleteLinks(ctx.sql, account.id, ['verify_email', 'reset_password', 'change_email'])
  await enqueueLetter(
    ctx,
    composeLetter(emailChangedLetter(account, email, await wayBack(ctx, account, distrusted_since))),
  )
}

/** Only for an address that its reader once proved: a mistyped one is a stranger's, who would get the account by it. */
async function wayBack(
  ctx: PublicContext,
  { id, email, email_verified_at }: AccountRow,
  distrusted_since: FollowedLink['distrusted_since'],
): Promise<string | null> {
  return (
    email_verified_at &&
    mintLink(ctx, { account_id: id, kind: 'restore_email', email, distrusted_since: distrusted_since ?? null })
  )
}

/** Follows the link of a letter: the address it was sent to belongs to whoever read it. */
export async function verifyEmail(ctx: PublicContext, { token }: { token: string }): Promise<VerifiedEmail> {
  const { link, account } = await followLink(ctx, token, ['verify_email', 'change_email'])
  const { kind, email } = link
  ctx.concerns(account.id)
  // Until now whoever opened the account may have been a stranger to its owner: what is open is theirs.
  if (!(account.first_verified_at ?? account.email_verified_at)) {
    await endPending(ctx, account.id)
    await noteUsualNetwork(ctx.sql, account.id, ctx.ip)
  }
  if (kind === 'change_email') await changeAddress(ctx, account, link)
  else await changeAccount(ctx.sql, account.id, { email_verified_at: account.email_verified_at ?? ctx.now() })
  return { email, email_verified: true }
}

/** Writes to the new address. Nothing changes until the link in that letter is followed. */
export async function changeEmail(ctx: SessionContext, input: { email: string } & Proof): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  requireProof(input, account)
  const email = normalizeEmail(input.email)
  if (email === account.email) throw new AccountProblem('invalid_field', { param: 'email' })
  if (await isEmailTaken(ctx.sql, email)) throw new AccountProblem('email_taken', { param: 'email' })
  await requireFreeEmail(ctx, email, account.id)
  const floor = secondsFrom(new Date(systemNow()), -RETENTION.strange_session_seconds)
  const began = await findIntrusionStart(ctx.sql, account.id, ctx.session_id, floor)
  const link = { account_id: account.id, kind: 'change_email', email, distrusted_since: began ?? ctx.now() } as const
  const url = await mintLink(ctx, link)
  await enqueueLetter(ctx, composeLetter(changeEmailLetter({ email }, url)))
  return null
}

export async function sendVerification(ctx: BaseContext, account: AccountRow): Promise<void> {
  const url = await mintLink(ctx, { account_id: account.id, kind: 'verify_email', email: account.email })
  await enqueueLetter(ctx, composeLetter(verifyEmailLetter(account, url)))
}

export async function resendVerification(ctx: SessionContext): Promise<null> {
  const account = await lockAccount(ctx.sql, ctx.account_id)
  if (account.email_verified_at) throw new AccountProblem('email_already_verified')
  await sendVerification(ctx, account)
  return null
}
