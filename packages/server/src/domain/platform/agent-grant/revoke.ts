import { createHmac } from 'node:crypto'
import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { isId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { SealedStore, VersionCount } from '../../../kernel/sealed.ts'
import { sameSecret } from '../../../kernel/secret.ts'
import type { Sessions } from '../../../ports/sessions.ts'
import type { AccountContext, Acting, BaseContext } from '../../context.ts'
import { requireAuthority } from '../api-key/authority.ts'
import { deleteItemsOf } from './oauth-items-store.ts'
import { onClock, showGrant } from './show.ts'
import { readMakings } from './show-makings.ts'
import { findGrant, grantDay, markRevoked, readSpent } from './store.ts'

export type RevokeContext = Pick<Acting, 'sql' | 'emit' | 'now'> & Pick<BaseContext, 'invalidate'>

/** Ends a grant at once and for good, with every token of it and whatever it made (`grantStands`). False when it had ended before. */
export async function revokeGrant(ctx: RevokeContext, grant_id: string): Promise<boolean> {
  const row = await markRevoked(ctx.sql, grant_id, new Date(systemNow()))
  await deleteItemsOf(ctx.sql, grant_id)
  ctx.invalidate(grant_id)
  if (!row) return false
  const spent = await readSpent(ctx.sql, grant_id, grantDay())
  const made = (await readMakings(ctx.sql, [grant_id]))(grant_id)
  const object = onClock(showGrant(row, spent, made, systemNow()), ctx.now())
  ctx.emit({ type: 'agent_grant.revoked', object, empresa: null })
  return true
}

/** The account of a grant, for a caller that has nothing but its id. */
export async function grantOwner(sql: Sql, grant_id: string): Promise<AccountScope | null> {
  const [row] = await sql<AccountScope>`select account_id, mode from agent_grant where id = ${grant_id}`
  return row ?? null
}

/** Deletes what the authorization server stored for a grant that was never made. */
export async function deleteUnmadeGrant(sql: Sql, grant_id: string): Promise<void> {
  await deleteItemsOf(sql, grant_id)
}

/** The agent is cut off with the commit, in the midst of whatever it was doing. */
export async function revokeAgentGrant(ctx: AccountContext, { grant_id }: { grant_id: string }): Promise<null> {
  const grant = await findGrant(ctx.sql, ctx.account, grant_id, grantDay())
  if (!grant) throw new Problem('agent_grant_not_found')
  requireAuthority(ctx, grant, 'grant_id')
  await revokeGrant(ctx, grant_id)
  return null
}

// The text is part of links in letters that were sent: it stays as it is.
const sealOf = (cookie_key: string, grant_id: string) =>
  createHmac('sha256', cookie_key).update(`way out of ${grant_id}`).digest('base64url')

/** The slug of the link in the letter. It lets its holder revoke the grant, and nothing else. */
export function revokeSlug(sessions: Pick<Sessions, 'cookie_keys'>, grant_id: string): string {
  return `${grant_id}.${sealOf(sessions.cookie_keys[0] ?? '', grant_id)}`
}

/** The grant that a slug revokes, or null when the slug is not ours. */
export function grantOfSlug({ cookie_keys }: Pick<Sessions, 'cookie_keys'>, slug: string): string | null {
  const [grant_id = '', seal = ''] = slug.split('.')
  const ours = cookie_keys.some((key) => sameSecret(seal, sealOf(key, grant_id)))
  return isId('agent_grant', grant_id) && ours ? grant_id : null
}

/** Grants whose letter holds a link that still revokes them, by the key that signed it. They end by themselves. */
export const signedGrantLetters: SealedStore = {
  what: 'links in letters about agents',
  count: (sql) => sql<VersionCount>`
    select key_version as version, count(*) as count from agent_grant
    where revoked_at is null and expires_at > ${new Date(systemNow())} group by 1`,
}
