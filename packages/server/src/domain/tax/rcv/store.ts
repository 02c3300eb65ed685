import type { TipoCompra } from '../../../catalog/rcv.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { issuedSales } from '../../issuing/document/register-sql.ts'
import { OWED_IVA } from './entries.ts'
import { daysOfPeriod } from './period.ts'
import type { CharacterizedBy, OtherTax, RcvRow, Side, Snapshot } from './row.ts'
import { DIFFERENCES_SHOWN, type RcvSummary } from './summary-schema.ts'

export async function findPurchase(sql: Sql, scope: EmpresaScope, id: string): Promise<RcvRow | null> {
  const [row] = await sql<RcvRow>`
    select * from rcv_entry where ${ownedBy(scope)} and side = 'purchase' and id = ${id}`
  return row ?? null
}

/** Locks purchases, always in the order of their ids: two transactions never wait for each other. */
export function lockPurchases(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${ownedBy(scope)} and side = 'purchase' and id = any(${ids}::text[])
    order by id for update`
}

export interface EntryFilter {
  readonly period: string
  readonly tipo_doc?: number
  readonly counterparty_rut?: string
  readonly estado_contable?: string
  readonly tipo_compra?: number
  readonly withdrawn?: 'hidden' | 'included' | 'only'
}

const WITHDRAWN = {
  hidden: part`and withdrawn_at_sii is null`,
  included: nothing,
  only: part`and withdrawn_at_sii is not null`,
}

function matching(filter: EntryFilter): Fragment {
  const { tipo_doc, counterparty_rut, estado_contable, tipo_compra, withdrawn = 'hidden' } = filter
  return part`
    ${tipo_doc === undefined ? nothing : part`and tipo_doc = ${tipo_doc}`}
    ${counterparty_rut === undefined ? nothing : part`and counterparty_rut = ${counterparty_rut}`}
    ${estado_contable === undefined ? nothing : part`and estado_contable = ${estado_contable}`}
    ${tipo_compra === undefined ? nothing : part`and tipo_compra = ${tipo_compra}`}
    ${WITHDRAWN[withdrawn]}`
}

// Literals and not parameters, so that the partial indexes of purchases can serve them.
const SIDES = { purchase: part`side = 'purchase'`, sale: part`side = 'sale'` }

/** Newest in the mirror first, strictly older than a place. */
export function listEntries(
  sql: Sql,
  scope: EmpresaScope,
  side: Side,
  filter: EntryFilter,
  page: { before: string | null; take: number },
): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${ownedBy(scope)} and ${SIDES[side]} and period = ${filter.period} ${matching(filter)}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

/** An entry as a decision leaves it. */
export interface Decided extends Snapshot {
  readonly id: string
  readonly characterized_by: CharacterizedBy
  readonly before: Snapshot | null
}

/** Saves everything but the estado contable, which only the machine moves. */
export function saveDecisions(sql: Sql, scope: EmpresaScope, decided: readonly Decided[], at: Date): Promise<RcvRow[]> {
  return sql<RcvRow>`
    update rcv_entry t set tipo_compra = d.tipo_compra, iva = d.iva, iva_not_recoverable = d.iva_not_recoverable,
      iva_not_recoverable_code = d.iva_not_recoverable_code, iva_common_use = d.iva_common_use,
      iva_fixed_assets = d.iva_fixed_assets, net_fixed_assets = d.net_fixed_assets,
      characterized_by = d.characterized_by, before = d.before, untold = true, sii_refusal = null,
      changed_at = ${at}
    from json_to_recordset(${JSON.stringify(decided)}::json) as d (id text, tipo_compra smallint, iva bigint,
      iva_not_recoverable bigint, iva_not_recoverable_code smallint, iva_common_use bigint, iva_fixed_assets bigint,
      net_fixed_assets bigint, characterized_by text, before json)
    where ${ownedBy(scope, 't')}
      and t.id = d.id
    returning t.*`
}

export function unsentEntries(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${ownedBy(scope)} and id = any(${ids}::text[]) and untold and folio is not null order by id`
}

/** Unless something else was decided while the SII was being told. */
export async function markSent(sql: Sql, scope: EmpresaScope, row: RcvRow): Promise<void> {
  await sql`
    update rcv_entry set untold = false, sii_refusal = null
    where ${ownedBy(scope)} and id = ${row.id} and changed_at = ${row.changed_at} and tipo_compra = ${row.tipo_compra}
      and estado_contable = ${row.estado_contable}`
}

/** Keeps why the SII did not take a decision, unless something else was decided meanwhile. */
export async function saveRefusal(
  sql: Sql,
  scope: EmpresaScope,
  row: RcvRow,
  sentence: string,
  at: Date,
): Promise<void> {
  const refusal = JSON.stringify({ sentence, refused_at: at.toISOString() })
  await sql`
    update rcv_entry set sii_refusal = ${refusal}::json
    where ${ownedBy(scope)} and id = ${row.id} and changed_at = ${row.changed_at} and untold`
}

export interface DecidedTipo {
  readonly counterparty_rut: string
  readonly tipo_compra: TipoCompra
  readonly entries: number
}

/** Decisions about a supplier that count: what was decided years ago says little. */
const HISTORY_LIMIT = 12

/** The last decisions about each supplier, counted by tipo: one short walk of an index for each supplier. */
export function decidedTipos(sql: Sql, scope: EmpresaScope, ruts: readonly string[]): Promise<DecidedTipo[]> {
  const own = part`${ownedBy(scope, 'e')}`
  return sql<DecidedTipo>`
    select r.rut as counterparty_rut, d.tipo_compra, count(*) as entries
    from unnest(${ruts}::text[]) as r (rut) cross join lateral (
      select e.tipo_compra from rcv_entry e
      where ${own} and e.side = 'purchase' and e.characterized_by = 'caller' and e.counterparty_rut = r.rut
      order by e.id desc limit ${HISTORY_LIMIT}
    ) d
    group by 1, 2`
}

export interface SummaryLine extends Omit<RcvSummary['lines'][number], 'sign' | 'other_taxes'> {
  /** Of the IVA of sales, what is the seller's to pay. */
  readonly owed: number
}
type Difference = RcvSummary['differences'][number]

export function summaryLines(sql: Sql, scope: EmpresaScope, period: string): Promise<SummaryLine[]> {
  return sql<SummaryLine>`
    select side, tipo_doc, estado_contable, count(*) as entries, sum(documents)::bigint as documents,
      sum(net)::bigint as net, sum(exempt)::bigint as exempt, sum(iva)::bigint as iva,
      sum(iva_not_recoverable)::bigint as iva_not_recoverable, sum(iva_common_use)::bigint as iva_common_use,
      sum(total)::bigint as total, sum(${OWED_IVA})::bigint as owed
    from rcv_entry where ${ownedBy(scope)} and period = ${period} and withdrawn_at_sii is null
    group by side, tipo_doc, estado_contable order by side, tipo_doc, estado_contable`
}

type SummaryKey = Pick<SummaryLine, 'side' | 'tipo_doc' | 'estado_contable'>

/** The other taxes of each line of the summary. */
export function summaryTaxes(sql: Sql, scope: EmpresaScope, period: string): Promise<(SummaryKey & OtherTax)[]> {
  return sql<SummaryKey & OtherTax>`
    select e.side, e.tipo_doc, e.estado_contable, (t ->> 'code')::integer as code, (t ->> 'rate')::float8 as rate,
      sum((t ->> 'amount')::bigint)::bigint as amount
    from rcv_entry e cross join lateral json_array_elements(e.other_taxes) t
    where ${ownedBy(scope, 'e')} and e.period = ${period} and e.withdrawn_at_sii is null
    group by 1, 2, 3, 4, 5 order by 4, 5`
}

const OUR_FIGURES = part`json_build_object('net', o.net, 'exempt', o.exempt, 'iva', o.iva, 'total', o.total)`
const SII_FIGURES = part`json_build_object('net', s.net, 'exempt', s.exempt, 'iva', s.iva, 'total', s.total)`

/** Differences between our own accepted documents and the register of sales; `in_all` counts them before the limit. */
export async function differencesIn(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
): Promise<(Difference & { in_all: number })[]> {
  const [first, after] = daysOfPeriod(period)
  return sql<Difference & { in_all: number }>`
    with ours as (${issuedSales(scope, { first, after })}), sii as (
      select tipo_doc, folio, id, net, exempt, iva, total from rcv_entry
      where ${ownedBy(scope)} and period = ${period} and side = 'sale' and withdrawn_at_sii is null
    )
    select case when s.id is null then 'missing_at_sii' when o.tipo_doc is null then 'missing_here' else 'amounts' end as kind,
      coalesce(o.tipo_doc, s.tipo_doc) as tipo_doc, coalesce(o.folio, s.folio) as folio, o.document_id, s.id as entry_id,
      case when o.tipo_doc is null then null else ${OUR_FIGURES} end as ours,
      case when s.id is null then null else ${SII_FIGURES} end as sii, count(*) over () as in_all
    from ours o full join sii s on s.tipo_doc = o.tipo_doc and coalesce(s.folio, 0) = coalesce(o.folio, 0)
    where o.tipo_doc is null or s.id is null
      or (o.net, o.exempt, o.iva, o.total) is distinct from (s.net, s.exempt, s.iva, s.total)
    order by 2, 3 limit ${DIFFERENCES_SHOWN}`
}
