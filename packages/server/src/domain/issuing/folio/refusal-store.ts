import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

/** The last refusal of folios of a tipo. */
export interface RefusalRow {
  /** In a row, without a range between them. */
  readonly refusals: number
  readonly reason: string
  /** When the service may ask again by itself; null where only a person can mend it. */
  readonly retry_at: Date | null
}

export async function findRefusal(sql: Sql, scope: EmpresaScope, tipo_dte: number): Promise<RefusalRow | null> {
  const [row] = await sql<RefusalRow>`
    select refusals, reason, retry_at from folio_refusal where ${ownedBy(scope)} and tipo_dte = ${tipo_dte}`
  return row ?? null
}

export async function saveRefusal(sql: Sql, scope: EmpresaScope, tipo_dte: number, row: RefusalRow): Promise<void> {
  await sql`
    insert into folio_refusal (account_id, empresa_id, mode, tipo_dte, refusals, reason, retry_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${tipo_dte}, ${row.refusals}, ${row.reason}, ${row.retry_at})
    on conflict (empresa_id, tipo_dte) do update
      set refusals = excluded.refusals, reason = excluded.reason, retry_at = excluded.retry_at`
}

export async function deleteRefusal(sql: Sql, scope: EmpresaScope, tipo_dte: number): Promise<void> {
  await sql`delete from folio_refusal where ${ownedBy(scope)} and tipo_dte = ${tipo_dte}`
}

/** Those that no waiting ends, or that the lack of a certificate was the reason of; by tipo. */
export async function deleteMendable(sql: Sql, scope: EmpresaScope): Promise<number[]> {
  const rows = await sql<{ tipo_dte: number }>`
    delete from folio_refusal where ${ownedBy(scope)} and (retry_at is null or reason = 'empresa_inactive')
    returning tipo_dte`
  return rows.map(({ tipo_dte }) => tipo_dte)
}
