import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

// A period is locked once its F29 is filed: what the declaration was computed from must stay as it was. The SII takes
// later changes as a rectification only.

export async function isLocked(sql: Sql, scope: EmpresaScope, period: string): Promise<boolean> {
  const rows = await sql<object>`select 1 from rcv_lock where ${ownedBy(scope)} and period = ${period}`
  return rows.length > 0
}

export async function refuseLocked(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  if (await isLocked(sql, scope, period)) throw new Problem('period_locked', { details: { period } })
}

/** Called in the transaction that inserts the filing. Locking twice does no harm. */
export async function lockPeriod(sql: Sql, scope: EmpresaScope, period: string, at: Date): Promise<void> {
  await sql`
    insert into rcv_lock (account_id, empresa_id, mode, period, locked_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, ${at})
    on conflict (empresa_id, period) do nothing`
}

/** Called when a filing fails or is being rectified. */
export async function unlockPeriod(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  await sql`delete from rcv_lock where ${ownedBy(scope)} and period = ${period}`
}
