import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Acting, BaseContext } from '../../context.ts'
import { composeLetter } from '../mail/compose.ts'
import { postLetter } from '../mail/send.ts'
import { agentAllowedLetter } from './copy.ts'
import { keepClientUntil, useItem } from './oauth-items-store.ts'
import { wayOut } from './revoke-link.ts'
import { type GrantRow, showGrant } from './show.ts'
import { insertGrant } from './store.ts'

export type Granting = Acting & Pick<BaseContext, 'ports'>

/** What a person chose, for whom. */
export type NewGrant = Omit<GrantRow, 'created_at' | 'expires_at' | 'last_used_at' | 'revoked_at'> & {
  readonly days: number
  /** Where to write of it; null while the address is not confirmed: it may be somebody else's, and names can advertise. */
  readonly write_to: string | null
}

/**
 * Lets an agent in: the grant, the record of it, and a letter to the account, so that nobody is let in unseen. One
 * question is answered once: false when it was answered before.
 */
export async function createGrant(ctx: Granting, question: string, grant: NewGrant): Promise<boolean> {
  const { days, write_to, ...chosen } = grant
  const now = new Date(systemNow())
  if (!(await useItem(ctx.sql, 'Interaction', question, now))) return false
  const row: GrantRow = {
    ...chosen,
    created_at: now,
    expires_at: secondsFrom(now, days * 86_400),
    last_used_at: null,
    revoked_at: null,
  }
  await insertGrant(ctx.sql, row)
  await keepClientUntil(ctx.sql, row.client_id, secondsFrom(row.expires_at, RETENTION.oauth_client_days * 86_400))
  ctx.emit({ type: 'agent_grant.created', object: showGrant(row, 0, now.getTime()), empresa: null })
  if (write_to !== null) {
    const way_out = `${ctx.addresses.public_url}/agentes/${wayOut(ctx.ports.sessions, row.id)}`
    await postLetter(ctx, composeLetter(agentAllowedLetter(row, write_to, way_out)))
  }
  return true
}
