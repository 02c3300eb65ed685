import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
import type { TaintedCredential, Untrusted } from '../../distrust.ts'
import { deleteLogins } from './oauth-items-store.ts'
import { revokeGrant } from './revoke.ts'
import type { GrantRow } from './show.ts'
import { countActive, listActive, listGrantsMade, lockGrants } from './store.ts'

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

export interface EndedGrants {
  readonly ended: readonly GrantRow[]
  readonly kept: { readonly total: number; readonly newest: readonly GrantRow[] }
  /** Those that had ended before too. */
  readonly tainted: readonly TaintedCredential[]
}

/** Ends the grants that were given at a time. */
export async function endDistrustedGrants(
  ctx: EndGrantsContext,
  account_id: string,
  time: Untrusted,
  show: number,
): Promise<EndedGrants> {
  const grants = await listGrantsMade(ctx.sql, account_id, time)
  const ended: GrantRow[] = []
  for (const grant of grants) {
    const { id, mode } = grant
    const { emit, now } = ctx.actFor({ account_id, mode })
    if (!(await revokeGrant({ sql: ctx.sql, invalidate: ctx.invalidate, now, emit }, id))) continue
    ctx.audit({ action: 'agent_grants.revoke', subject: id }, { account_id, mode })
    ended.push(grant)
  }
  const at = new Date(systemNow())
  const newest = await listActive(ctx.sql, account_id, at, show)
  return {
    ended,
    kept: { total: await countActive(ctx.sql, account_id, at), newest },
    tainted: grants.map(({ id }) => ({ id, since: null })),
  }
}

/** Ends the logins of people who are being asked about an agent: they are sessions of the account, too. */
export async function endConsentLogins(sql: Sql, account_id: string): Promise<void> {
  await deleteLogins(sql, account_id)
}
