import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
import type { Made } from '../credential/made.ts'
import { deleteLogins } from './oauth-items-store.ts'
import { revokeGrant } from './revoke.ts'
import { countActive, listGrantsMade, lockGrants } from './store.ts'

export interface EndGrantsContext extends Pick<BaseContext, 'sql' | 'invalidate' | 'audit'> {
  actFor(account: AccountScope): Pick<Acting, 'emit' | 'now'>
}

/**
 * Locks the grants of an account, before the account itself: an agent's write locks its grant first, and may come to the
 * account afterwards.
 */
export async function lockGrantsOf(sql: Sql, account_id: string): Promise<void> {
  await lockGrants(sql, account_id)
}

/** Ends the grants that were given at a time. `ids` names those that had ended before, too. */
export async function endGrantsMade(
  ctx: EndGrantsContext,
  account_id: string,
  made: Made,
): Promise<{ ended: number; kept: number; ids: readonly string[] }> {
  const grants = await listGrantsMade(ctx.sql, account_id, made)
  let ended = 0
  for (const { id, mode } of grants) {
    const { emit, now } = ctx.actFor({ account_id, mode })
    if (!(await revokeGrant({ sql: ctx.sql, invalidate: ctx.invalidate, now, emit }, id))) continue
    ctx.audit({ action: 'agent_grants.revoke', subject: id }, { account_id, mode })
    ended++
  }
  const kept = await countActive(ctx.sql, account_id, new Date(systemNow()))
  return { ended, kept, ids: grants.map(({ id }) => id) }
}

/** Ends the logins of people who are being asked about an agent: they are sessions of the account, too. */
export async function endConsentLogins(sql: Sql, account_id: string): Promise<void> {
  await deleteLogins(sql, account_id)
}
