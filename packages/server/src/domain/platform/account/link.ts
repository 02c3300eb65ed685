import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { randomSecret } from '../../../kernel/id.ts'
import { AccountProblem } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { BaseContext } from '../../context.ts'
import { dropDeadLinks, dropLinks, findLink, insertLink, type LinkKind, type LinkRow, spendLink } from './link-store.ts'
import { type AccountRow, findOpenAccount, lockAccountOfLink } from './store.ts'

interface LinkRules {
  readonly page: string
  readonly seconds: number
  /** Whether the newest letter is the only one whose link works. */
  readonly replaces: boolean
}

// Confirming twice does no harm, so an older letter still works; whoever may set a password or move the account
// to another address holds one link at most.
const LINKS: Readonly<Record<LinkKind, LinkRules>> = {
  verify_email: { page: '/verificar', seconds: RETENTION.email_link_seconds, replaces: false },
  change_email: { page: '/verificar', seconds: RETENTION.email_link_seconds, replaces: true },
  reset_password: { page: '/restablecer', seconds: RETENTION.password_link_seconds, replaces: true },
}

type Linking = Pick<BaseContext, 'sql' | 'now' | 'addresses'>

/** Makes a link for one letter and gives its address. Only a hash of what it carries is kept. */
export async function mintLink(ctx: Linking, link: LinkRow): Promise<string> {
  const { page, seconds, replaces } = LINKS[link.kind]
  const now = ctx.now()
  const token = randomSecret()
  await dropDeadLinks(ctx.sql, link.account_id, now)
  if (replaces) await dropLinks(ctx.sql, link.account_id, [link.kind])
  await insertLink(ctx.sql, { ...link, token_hash: hashSecret(token), expires_at: secondsFrom(now, seconds) })
  return `${ctx.addresses.public_url}${page}?token=${token}`
}

/** The account a link leads to, while it can still be followed. */
export async function peekLink(ctx: Linking, token: string, kinds: readonly LinkKind[]): Promise<AccountRow> {
  const link = await findLink(ctx.sql, hashSecret(token), kinds, ctx.now())
  const account = link && (await findOpenAccount(ctx.sql, link.account_id))
  if (!account) throw new AccountProblem('invalid_link', { param: 'token' })
  return account
}

/** Uses a link up, for good once the transaction commits. */
export async function followLink(
  ctx: Linking,
  token: string,
  kinds: readonly LinkKind[],
): Promise<{ link: LinkRow; account: AccountRow }> {
  const token_hash = hashSecret(token)
  const account = await lockAccountOfLink(ctx.sql, token_hash)
  const link = account && (await spendLink(ctx.sql, token_hash, kinds, ctx.now()))
  if (!link) throw new AccountProblem('invalid_link', { param: 'token' })
  return { link, account }
}
