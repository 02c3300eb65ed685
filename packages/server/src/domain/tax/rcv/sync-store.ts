import { tiposOf } from '@timbre/dte/values'
import { integers, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { issuedKeys } from '../../issuing/document/register-sql.ts'
import { receivedKeys } from '../../receiving/received-document/lookup.ts'
import type { RcvReading, RcvRow, Side, Snapshot } from './row.ts'
import type { PartialError } from './schema.ts'

export interface KnownEntry {
  readonly id: string
  readonly natural_key: string
  readonly content_hash: string
  readonly withdrawn_at_sii: Date | null
}

/** One side of a period. */
export interface PeriodSide {
  readonly period: string
  readonly side: Side
}

const FACTURAS_DE_COMPRA = integers(tiposOf('factura_de_compra'))
const PAGE = 2_000

/** Every stored entry of one side of a period, withdrawn or not, by its natural key. Read in pages along one index. */
export async function knownEntries(
  sql: Sql,
  scope: EmpresaScope,
  { period, side }: PeriodSide,
): Promise<Map<string, KnownEntry>> {
  const known = new Map<string, KnownEntry>()
  for (let after = '', more = true; more; ) {
    const page = await sql<KnownEntry>`
      select id, natural_key, content_hash, withdrawn_at_sii from rcv_entry
      where ${ownedBy(scope)} and period = ${period} and side = ${side} and id > ${after} order by id limit ${PAGE}`
    for (const entry of page) known.set(entry.natural_key, entry)
    after = page.at(-1)?.id ?? after
    more = page.length === PAGE
  }
  return known
}

/** Locks entries: what a person decides meanwhile waits for the reading, and is not lost. */
export function lockEntries(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<RcvRow[]> {
  return sql<RcvRow>`select * from rcv_entry where ${ownedBy(scope)} and id = any(${ids}::text[]) order by id for update`
}

/** A reading as it is stored: with what counts of it, and in `sii` what the SII itself showed. */
export interface WrittenEntry extends RcvReading {
  readonly id: string
  readonly sii: Snapshot
  readonly content_hash: string
}

// One parameter for a thousand rows, whatever their columns.
const COLUMNS = part`
  id text, tipo_doc smallint, folio bigint, counterparty_rut text, counterparty_name text, issue_date date,
  received_at timestamptz, acknowledged_at timestamptz, claimed_at timestamptz, net bigint, exempt bigint, iva bigint,
  iva_not_recoverable bigint, iva_not_recoverable_code smallint, iva_common_use bigint, iva_fixed_assets bigint,
  net_fixed_assets bigint, iva_late bigint, other_taxes json, total bigint, documents integer, estado_contable text, tipo_compra smallint,
  tipo_venta smallint, reference_tipo_doc smallint, reference_folios text[], other_columns json, sii json,
  content_hash text`

export async function insertEntries(
  sql: Sql,
  scope: EmpresaScope,
  { period, side }: PeriodSide,
  entries: readonly WrittenEntry[],
  at: Date,
): Promise<string[]> {
  if (entries.length === 0) return []
  const rows = await sql<{ id: string }>`
    insert into rcv_entry (account_id, empresa_id, mode, period, side, id, tipo_doc, folio, counterparty_rut,
      counterparty_name, issue_date, received_at, acknowledged_at, claimed_at, net, exempt, iva, iva_not_recoverable,
      iva_not_recoverable_code, iva_common_use, iva_fixed_assets, net_fixed_assets, iva_late, other_taxes, total, documents,
      estado_contable, tipo_compra, tipo_venta, characterized_by, reference_tipo_doc, reference_folios, other_columns,
      first_seen_at, changed_at, sii, content_hash)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, ${side}, e.id, e.tipo_doc, e.folio,
      e.counterparty_rut, e.counterparty_name, e.issue_date, e.received_at, e.acknowledged_at, e.claimed_at, e.net,
      e.exempt, e.iva, e.iva_not_recoverable, e.iva_not_recoverable_code, e.iva_common_use, e.iva_fixed_assets,
      e.net_fixed_assets, e.iva_late, e.other_taxes, e.total, e.documents, e.estado_contable, e.tipo_compra, e.tipo_venta, 'sii',
      e.reference_tipo_doc, e.reference_folios, e.other_columns, ${at}::timestamptz, ${at}::timestamptz, e.sii,
      e.content_hash
    from json_to_recordset(${JSON.stringify(entries)}::json) as e (${COLUMNS})
    on conflict (empresa_id, period, side, natural_key) do nothing
    returning id`
  return rows.map(({ id }) => id)
}

/** Updates everything but the estado contable, which only the machine moves. */
export async function updateEntries(
  sql: Sql,
  scope: EmpresaScope,
  entries: readonly WrittenEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    update rcv_entry t set counterparty_name = e.counterparty_name, issue_date = e.issue_date,
      received_at = e.received_at, acknowledged_at = e.acknowledged_at, claimed_at = e.claimed_at, net = e.net,
      exempt = e.exempt, iva = e.iva, iva_not_recoverable = e.iva_not_recoverable,
      iva_not_recoverable_code = e.iva_not_recoverable_code, iva_common_use = e.iva_common_use,
      iva_fixed_assets = e.iva_fixed_assets, net_fixed_assets = e.net_fixed_assets, iva_late = e.iva_late, other_taxes = e.other_taxes,
      total = e.total, documents = e.documents, tipo_compra = e.tipo_compra, tipo_venta = e.tipo_venta,
      reference_tipo_doc = e.reference_tipo_doc, reference_folios = e.reference_folios,
      other_columns = e.other_columns, sii = e.sii, content_hash = e.content_hash, withdrawn_at_sii = null,
      changed_at = ${at}
    from json_to_recordset(${JSON.stringify(entries)}::json) as e (${COLUMNS})
    where ${ownedBy(scope, 't')}
      and t.id = e.id`
}

export async function withdrawEntries(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[],
  at: Date,
): Promise<number> {
  const rows = await sql<{ id: string }>`
    update rcv_entry set withdrawn_at_sii = ${at}, changed_at = ${at}
    where ${ownedBy(scope)} and id = any(${ids}::text[]) and withdrawn_at_sii is null returning id`
  return rows.length
}

/** Records that a reading was requested, unless the very job that is to do it has ended already. */
export async function recordRequested(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  request: { readonly job_id: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into rcv_sync as s (account_id, empresa_id, mode, period, requested_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, ${request.at})
    on conflict (empresa_id, period) do update set requested_at = coalesce(s.requested_at, excluded.requested_at)
      where s.ended_by is distinct from ${request.job_id}`
}

export interface ReadingEnd {
  readonly job_id: string
  readonly purchases: number
  readonly sales: number
  readonly partial_errors: readonly PartialError[]
}

export async function recordSynced(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  end: ReadingEnd,
  at: Date,
): Promise<void> {
  const errors = JSON.stringify(end.partial_errors)
  await sql`
    insert into rcv_sync (account_id, empresa_id, mode, period, last_synced_at, purchases, sales, partial_errors,
      ended_by)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${period}, ${at}, ${end.purchases}, ${end.sales},
      ${errors}::json, ${end.job_id})
    on conflict (empresa_id, period) do update set requested_at = null, failed_at = null,
      last_synced_at = excluded.last_synced_at, purchases = excluded.purchases, sales = excluded.sales,
      partial_errors = excluded.partial_errors, ended_by = excluded.ended_by`
}

export async function recordFailed(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
  end: { readonly job_id: string; readonly at: Date },
): Promise<void> {
  await sql`
    update rcv_sync set requested_at = null, failed_at = ${end.at}, ended_by = ${end.job_id}
    where ${ownedBy(scope)} and period = ${period}`
}

/** True for the first reading that went well, once. */
export async function startMirror(sql: Sql, scope: EmpresaScope, at: Date): Promise<boolean> {
  const rows = await sql<object>`
    insert into rcv_mirror (account_id, empresa_id, mode, started_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${at})
    on conflict (empresa_id) do nothing returning 1`
  return rows.length > 0
}

/**
 * Links entries to the documents they tell of, ours and our suppliers', wherever they are not linked yet. The side is
 * compared because a supplier may be a client too, and its folios run beside ours: what came in is a purchase, but for
 * the factura de compra of a client, and notas about one.
 */
export async function linkDocuments(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    update rcv_entry t set document_id = d.id from (${issuedKeys(scope)}) d
    where t.account_id = ${account_id} and t.empresa_id = ${empresa_id} and t.mode = ${mode} and t.period = ${period}
      and t.document_id is null and t.folio is not null
      and d.tipo_dte = t.tipo_doc and d.folio = t.folio and d.receptor_rut = t.counterparty_rut
      and (t.side = 'purchase') = d.is_purchase`
  await sql`
    update rcv_entry t set received_document_id = r.id from (${receivedKeys(scope)}) r
    where t.account_id = ${account_id} and t.empresa_id = ${empresa_id} and t.mode = ${mode} and t.period = ${period}
      and t.received_document_id is null and t.folio is not null
      and (t.side = 'sale') = (t.tipo_doc in ${FACTURAS_DE_COMPRA} or coalesce(t.reference_tipo_doc, 0) in ${FACTURAS_DE_COMPRA})
      and r.emisor_rut = t.counterparty_rut and r.tipo_dte = t.tipo_doc and r.folio = t.folio`
}
