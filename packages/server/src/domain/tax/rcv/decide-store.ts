import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CharacterizedBy, RcvRow, Snapshot } from './row.ts'
import { of } from './store.ts'

/** An entry as a decision leaves it. */
export interface Decided extends Snapshot {
  readonly id: string
  readonly characterized_by: CharacterizedBy
  readonly before: Snapshot | null
}

/** Everything but where they belong, which only moves by the machine. */
export function saveDecisions(sql: Sql, scope: EmpresaScope, decided: readonly Decided[], at: Date): Promise<RcvRow[]> {
  return sql<RcvRow>`
    update rcv_entry t set tipo_compra = d.tipo_compra, iva = d.iva, iva_not_recoverable = d.iva_not_recoverable,
      iva_not_recoverable_code = d.iva_not_recoverable_code, iva_common_use = d.iva_common_use,
      iva_fixed_assets = d.iva_fixed_assets, net_fixed_assets = d.net_fixed_assets,
      characterized_by = d.characterized_by, before = d.before, untold = true, changed_at = ${at}
    from json_to_recordset(${JSON.stringify(decided)}::json) as d (id text, tipo_compra smallint, iva bigint,
      iva_not_recoverable bigint, iva_not_recoverable_code smallint, iva_common_use bigint, iva_fixed_assets bigint,
      net_fixed_assets bigint, characterized_by text, before json)
    where t.account_id = ${scope.account_id} and t.empresa_id = ${scope.empresa_id} and t.mode = ${scope.mode}
      and t.id = d.id
    returning t.*`
}

export function untoldEntries(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${of(scope)} and id = any(${ids}::text[]) and untold and folio is not null order by id`
}

/** The SII knows it now, unless something else was decided while it was told. */
export async function noteTold(sql: Sql, scope: EmpresaScope, row: RcvRow): Promise<void> {
  await sql`
    update rcv_entry set untold = false
    where ${of(scope)} and id = ${row.id} and changed_at = ${row.changed_at} and tipo_compra = ${row.tipo_compra}
      and estado_contable = ${row.estado_contable}`
}

/** Whether the supplier's document was accepted or acknowledged here, or its days lapsed. */
export async function isAnswered(sql: Sql, scope: EmpresaScope, received_document_id: string): Promise<boolean> {
  const rows = await sql<object>`
    select 1 from received_document where ${of(scope)} and id = ${received_document_id}
      and (status in ('accepted', 'accepted_tacitly') or acknowledged_at is not null)`
  return rows.length > 0
}
