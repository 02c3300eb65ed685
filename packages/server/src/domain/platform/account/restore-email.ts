import { randomSecret } from '../../../kernel/id.ts'
import type { PublicContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { emailRestoredLetter } from './copy.ts'
import { checkLink, followLink, mintLink } from './link.ts'
import { hashPassword } from './password.ts'
import { endPending } from './recover.ts'
import type { RestoredEmail } from './schema.ts'
import { changeAccount } from './store.ts'

interface Restore {
  readonly token: string
}

/** A password that nobody knows: whoever moved the account away knew the one it has. */
export async function prepareRestore(ctx: PublicContext, { token }: Restore): Promise<{ password_hash: string }> {
  await checkLink(ctx, token, ['restore_email'])
  return { password_hash: await hashPassword(randomSecret()) }
}

/** Brings an account back to the address it was moved away from. Its owner then sets a password by a letter to it. */
export async function restoreEmail(
  ctx: PublicContext,
  { token, password_hash }: Restore & { password_hash: string },
): Promise<RestoredEmail> {
  const { link, account } = await followLink(ctx, token, ['restore_email'])
  const { email } = link
  ctx.concerns(account.id)
  // Nobody else can have the address: it is kept free while the link works.
  await changeAccount(ctx.sql, account.id, { email, email_verified_at: ctx.now(), password_hash })
  ctx.invalidate(account.id)
  const ended = await endPending(ctx, account.id, { also_way_back: true })
  const url = await mintLink(ctx, { account_id: account.id, kind: 'reset_password', email })
  await enqueueLetter(ctx, composeLetter(emailRestoredLetter({ email }, url)))
  return { email, ended }
}
