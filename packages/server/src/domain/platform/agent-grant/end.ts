import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
import { dropItemsOf } from './oauth-items-store.ts'
import { showGrant } from './show.ts'
import { markRevoked, readSpent } from './store.ts'
import { grantDay } from './today.ts'

/** What ending a grant takes: a transaction, its events, and a way to tell every process. */
export type Ending = Pick<Acting, 'sql' | 'emit'> & Pick<BaseContext, 'invalidate'>

/** Ends a grant at once and for good, with every token of it. Ending it twice is ending it once. */
export async function endGrant(ctx: Ending, grant_id: string): Promise<boolean> {
  const row = await markRevoked(ctx.sql, grant_id, new Date(systemNow()))
  await dropItemsOf(ctx.sql, grant_id)
  ctx.invalidate(grant_id)
  if (!row) return false
  const spent = await readSpent(ctx.sql, grant_id, grantDay())
  ctx.emit({ type: 'agent_grant.revoked', object: showGrant(row, spent, systemNow()), empresa: null })
  return true
}

/** Whose a grant is: for whoever holds nothing but its id. */
export async function grantOwner(sql: Sql, grant_id: string): Promise<AccountScope | null> {
  const [row] = await sql<AccountScope>`select account_id, mode from agent_grant where id = ${grant_id}`
  return row ?? null
}

/** What was kept for a grant that was never made. */
export async function dropUnmade(sql: Sql, grant_id: string): Promise<void> {
  await dropItemsOf(sql, grant_id)
}
