import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom, systemNow } from '../../../kernel/clock.ts'
import type { Acting, BaseContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { enqueueLetter } from '../mail/send.ts'
import { agentAllowedLetter } from './copy.ts'
import { consumeItem, extendClient } from './oauth-items-store.ts'
import { lockEarlier, type ReplaceContext, replaceEarlier } from './replace.ts'
import { revokeSlug } from './revoke.ts'
import { type GrantRow, onClock, showGrant } from './show.ts'
import { readMakings } from './show-makings.ts'
import { grantDay, insertGrant, readSpent } from './store.ts'

export type CreateGrantContext = Acting & Pick<BaseContext, 'ports'> & ReplaceContext

/** A grant as the person chose it. */
export type NewGrant = Omit<GrantRow, 'created_at' | 'expires_at' | 'last_used_at' | 'revoked_at'> & {
  readonly days: number
  /** Address of the letter; null while it is not confirmed: it may be somebody else's, and names can advertise. */
  readonly write_to: string | null
}

/**
 * Creates a grant with its event and a letter to the account, so that nobody is let in unseen, in the place of those that the same
 * client had. An interaction is answered once: false when it was answered before.
 */
export async function createGrant(ctx: CreateGrantContext, interaction: string, grant: NewGrant): Promise<boolean> {
  const { days, write_to, ...chosen } = grant
  const now = new Date(systemNow())
  const row: GrantRow = {
    ...chosen,
    created_at: now,
    expires_at: daysFrom(now, days),
    last_used_at: null,
    revoked_at: null,
  }
  // The row of the client is locked by it: of two decisions at once, the later one finds the grant of the other.
  await extendClient(ctx.sql, row.client_id, daysFrom(row.expires_at, RETENTION.oauth_client_days))
  const earlier = await lockEarlier(ctx.sql, row)
  if (!(await consumeItem(ctx.sql, 'Interaction', interaction, now))) return false
  await insertGrant(ctx.sql, row, ctx.ports.sessions.key_version)
  const replaced = await replaceEarlier(ctx, row, earlier)
  const spent = await readSpent(ctx.sql, row.id, grantDay())
  const made = (await readMakings(ctx.sql, [row.id]))(row.id)
  const object = onClock(showGrant(row, spent, made, now.getTime()), ctx.now())
  ctx.emit({ type: 'agent_grant.created', object, empresa: null })
  if (write_to !== null) {
    const agents_url = `${ctx.addresses.public_url}/agentes`
    const revoke_url = `${agents_url}/${revokeSlug(ctx.ports.sessions, row.id)}`
    await enqueueLetter(
      ctx,
      composeLetter(agentAllowedLetter(row, write_to, { revoke_url, agents_url, replaces: replaced.length > 0 })),
    )
  }
  return true
}
