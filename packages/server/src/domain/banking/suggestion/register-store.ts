import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { of } from './store.ts'

export interface Seller {
  readonly period: string
  readonly name: string
}

/**
 * Who is in the register of purchases of some months, and who sent us a document in them. Facturas de compra, and notas
 * about one, are ours: they say nothing of what the seller issued.
 */
export function sellersIn(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<Seller[]> {
  return sql<Seller>`
    select distinct period, counterparty_name as name from rcv_entry
    where ${of(scope)} and side = 'purchase' and period = any(${periods}::text[]) and withdrawn_at_sii is null
      and counterparty_name is not null and tipo_doc not in (45, 46)
      and coalesce(reference_tipo_doc, 0) not in (45, 46)
    union
    select p.period, r.emisor_name from unnest(${periods}::text[]) as p (period)
    join received_document r on r.account_id = ${scope.account_id} and r.empresa_id = ${scope.empresa_id}
      and r.mode = ${scope.mode} and r.issue_date >= (p.period || '-01')::date
      and r.issue_date < ((p.period || '-01')::date + interval '1 month')::date`
}

/** Months whose register was read at least once. */
export async function monthsRead(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ period: string }>`
    select period from rcv_sync
    where ${of(scope)} and period = any(${periods}::text[]) and last_synced_at is not null`
  return new Set(rows.map(({ period }) => period))
}

export interface IssuedByHand {
  readonly id: string
  readonly period: string
  readonly net: number
  readonly name: string
}

/** Facturas de compra of some months that stand for no payment yet. */
export function issuedByHand(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<IssuedByHand[]> {
  return sql<IssuedByHand>`
    select d.id, p.period, d.net, coalesce(d.draft #>> '{receptor,legal_name}', '') as name
    from unnest(${periods}::text[]) as p (period)
    join document d on d.account_id = ${scope.account_id} and d.empresa_id = ${scope.empresa_id}
      and d.mode = ${scope.mode} and d.tipo_dte = 46 and d.status not in ('rejected', 'failed', 'annulled')
      and d.issue_date >= (p.period || '-01')::date and d.issue_date < ((p.period || '-01')::date + interval '1 month')::date
    where not exists (
      select 1 from suggestion s where s.empresa_id = ${scope.empresa_id} and s.document_id = d.id)
      and not exists (
      select 1 from movement_match x where x.empresa_id = ${scope.empresa_id} and x.target_id = d.id)
    order by d.id`
}

/** Notes on suggestions that the register of their month was read since. */
export async function noteRead(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update suggestion set register_read = true where ${of(scope)} and id = any(${ids}::text[])`
}
