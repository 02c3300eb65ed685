import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { randomSecret } from '../../../kernel/id.ts'
import { AccountProblem } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { BaseContext } from '../../context.ts'
import {
  type AccountRow,
  consumeLink,
  deleteDeadLinks,
  deleteLinks,
  type FollowedLink,
  findLink,
  findOpenAccount,
  insertLink,
  type LinkKind,
  type LinkRow,
  lockAccountOfLink,
} from './store.ts'

interface LinkRules {
  readonly page: string
  readonly seconds: number
  /** Whether the newest letter is the only one whose link works. */
  readonly replaces: boolean
}

// Confirming twice does no harm, so an older letter still works. Of the links that set a password or move the account
// to another address only the newest works.
const LINKS: Readonly<Record<LinkKind, LinkRules>> = {
  verify_email: { page: '/verificar', seconds: RETENTION.email_link_seconds, replaces: false },
  change_email: { page: '/nuevo-correo', seconds: RETENTION.email_link_seconds, replaces: true },
  reset_password: { page: '/restablecer', seconds: RETENTION.password_link_seconds, replaces: true },
  restore_email: { page: '/restaurar', seconds: RETENTION.restore_link_seconds, replaces: false },
}

type LinkContext = Pick<BaseContext, 'sql' | 'now' | 'addresses'>

/** Creates a link for one letter and returns its URL. Only a hash of the token is stored. */
export async function mintLink(ctx: LinkContext, link: LinkRow): Promise<string> {
  const { page, seconds, replaces } = LINKS[link.kind]
  const now = ctx.now()
  const token = randomSecret()
  await deleteDeadLinks(ctx.sql, link.account_id, now)
  if (replaces) await deleteLinks(ctx.sql, link.account_id, [link.kind])
  await insertLink(ctx.sql, { ...link, token_hash: hashSecret(token), expires_at: secondsFrom(now, seconds) })
  return `${ctx.addresses.public_url}${page}?token=${token}`
}

/** The account a link leads to, while it can still be followed. */
export async function checkLink(ctx: LinkContext, token: string, kinds: readonly LinkKind[]): Promise<AccountRow> {
  const link = await findLink(ctx.sql, hashSecret(token), kinds, ctx.now())
  const account = link && (await findOpenAccount(ctx.sql, link.account_id))
  if (!account) throw new AccountProblem('invalid_link', { param: 'token' })
  return account
}

/** Consumes a link, for good once the transaction commits. */
export async function followLink(
  ctx: LinkContext,
  token: string,
  kinds: readonly LinkKind[],
): Promise<{ link: FollowedLink; account: AccountRow }> {
  const token_hash = hashSecret(token)
  const account = await lockAccountOfLink(ctx.sql, token_hash)
  const link = account && (await consumeLink(ctx.sql, token_hash, kinds, ctx.now()))
  if (!link) throw new AccountProblem('invalid_link', { param: 'token' })
  return { link, account }
}
