import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { randomSecret } from '../../../kernel/id.ts'
import type { PublicContext } from '../../context.ts'
import { lockGrantsOf } from '../agent-grant/end.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { emailRestoredLetter, emailTakenBackLetter } from './copy.ts'
import { checkLink, followLink, mintLink } from './link.ts'
import { hashPassword } from './password.ts'
import { endDistrusted } from './recover.ts'
import type { RestoredEmail } from './schema.ts'
import { changeAccount, deleteLaterWaysBack, type FollowedLink } from './store.ts'

interface Restore {
  readonly token: string
}

/** A password that nobody knows: whoever moved the account away knew the one it has. */
export async function prepareRestore(ctx: PublicContext, { token }: Restore): Promise<{ password_hash: string }> {
  await checkLink(ctx, token, ['restore_email'])
  return { password_hash: await hashPassword(ctx.ports, randomSecret()) }
}

/**
 * Since when the account is not trusted: whoever asked for the change knew the password, and was in since that session
 * began, or since an earlier one from a network that was not usual. A link from before this was kept says only when the change was confirmed.
 */
function distrustedSince({ distrusted_since, expires_at }: FollowedLink): Date {
  return distrusted_since ?? secondsFrom(expires_at, -RETENTION.restore_link_seconds)
}

/**
 * Brings an account back to the address it was moved away from. What was made or changed since may be the intruder's, and
 * ends. The owner then sets a password by a letter; the address that the account leaves is told, too.
 */
export async function restoreEmail(
  ctx: PublicContext,
  { token, password_hash }: Restore & { password_hash: string },
): Promise<RestoredEmail> {
  const { id } = await checkLink(ctx, token, ['restore_email'])
  await lockGrantsOf(ctx.sql, id)
  const { link, account } = await followLink(ctx, token, ['restore_email'])
  const { email, expires_at } = link
  ctx.concerns(account.id)
  // Nobody else can have the address: it is kept free while the link works.
  await changeAccount(ctx.sql, account.id, { email, email_verified_at: ctx.now(), password_hash })
  ctx.invalidate(account.id)
  // Not the ways back from earlier changes: whoever took the account holds the later ones, and could burn the owner's.
  const ways = await deleteLaterWaysBack(ctx.sql, account.id, expires_at)
  const { ended: all, kept } = await endDistrusted(ctx, account.id, { since: distrustedSince(link) })
  const ended = { ...all, links: all.links + ways.length }
  const url = await mintLink(ctx, { account_id: account.id, kind: 'reset_password', email })
  await enqueueLetter(ctx, composeLetter(emailRestoredLetter({ email }, url, { ended, kept })))
  if (account.email !== email) await enqueueLetter(ctx, composeLetter(emailTakenBackLetter(account)))
  return { email, ended, kept }
}
