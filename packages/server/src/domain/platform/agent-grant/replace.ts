import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { BaseContext } from '../../context.ts'
import { handOverLinks } from '../onboarding-link/hand-over.ts'
import { type RevokeContext, revokeGrant } from './revoke.ts'
import type { GrantRow } from './show.ts'
import { addSpent, grantDay, listActive, lockGrantsOfClient, moveMakings, takeSpent } from './store.ts'

export type ReplaceContext = RevokeContext & Pick<BaseContext, 'audit'>

/** More than a client has side by side, now that each replaces those before it. */
const SHOWN = 50

/** What a client may do for an account today, in either mode: what a new decision of the person replaces. */
export async function listReplaceable(sql: Sql, account_id: string, client_id: string): Promise<GrantRow[]> {
  return listActive(sql, account_id, new Date(systemNow()), SHOWN, client_id)
}

/** The grants that a client had from an account in a mode, locked: whatever it was doing by them is done, or will be refused. */
export async function lockEarlier(sql: Sql, grant: Pick<GrantRow, 'account_id' | 'mode' | 'client_id'>) {
  return lockGrantsOfClient(sql, grant)
}

/**
 * Ends the earlier grants of the same client, so that the newest decision is the one that holds. Nothing that a person relies
 * on stops by it: what the client made goes over to the new grant, and ends with that one. What it spent today goes over
 * too, also from grants that had ended: deciding anew is no second day. Returns those it ended.
 */
export async function replaceEarlier(
  ctx: ReplaceContext,
  grant: GrantRow,
  earlier: readonly GrantRow[],
): Promise<GrantRow[]> {
  const standing = earlier.filter(({ revoked_at, expires_at }) => !revoked_at && expires_at > grant.created_at)
  const from = standing.map(({ id }) => id)
  await moveMakings(ctx.sql, from, grant.id)
  await handOverLinks(ctx.sql, grant, from)
  for (const id of from) {
    await revokeGrant(ctx, id)
    ctx.audit({ action: 'agent_grants.revoke', subject: id })
  }
  const day = grantDay()
  const all = earlier.map(({ id }) => id)
  const amount = await takeSpent(ctx.sql, all, day)
  if (amount > 0) await addSpent(ctx.sql, { grant_id: grant.id, day, amount, cap: null })
  return standing
}
