import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { of } from './store.ts'

export async function findLock(sql: Sql, scope: EmpresaScope, period: string): Promise<boolean> {
  const rows = await sql<object>`select 1 from rcv_lock where ${of(scope)} and period = ${period}`
  return rows.length > 0
}

export async function insertLock(sql: Sql, scope: EmpresaScope, period: string, at: Date): Promise<void> {
  await sql`
    insert into rcv_lock (account_id, empresa_id, mode, period, locked_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, ${at})
    on conflict (empresa_id, period) do nothing`
}

export async function deleteLock(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  await sql`delete from rcv_lock where ${of(scope)} and period = ${period}`
}
