import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { of } from './store.ts'
import { type Arrival, kindOf, type Target } from './target.ts'

const DOCUMENT = part`d.id, d.tipo_dte as tipo, d.folio, d.issue_date as date, d.total, d.receptor_rut as rut,
  d.draft #>> '{receptor,legal_name}' as name, d.status,
  case when d.tipo_dte in (56, 61) and d.draft #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
    then (d.draft #>> '{references,0,tipo_dte}')::integer end as about`
const RECEIVED = part`r.id, r.tipo_dte as tipo, r.folio, r.issue_date as date, r.total, r.emisor_rut as rut,
  r.emisor_name as name, r.status, null::integer as about`
const ENTRY = part`e.id, e.tipo_doc as tipo, e.folio, coalesce(e.issue_date, (e.period || '-01')::date) as date, e.total,
  e.counterparty_rut as rut, e.counterparty_name as name,
  case when e.withdrawn_at_sii is not null then 'withdrawn_at_sii' else e.estado_contable end as status,
  e.reference_tipo_doc::integer as about`

/** What a payment could be for: an amount, or somebody whose documents may add up to it. */
export interface Search {
  readonly from: string
  readonly to: string
  readonly amounts: readonly number[]
  readonly ruts: readonly string[]
}

const unpaid = (id: Fragment, { empresa_id }: EmpresaScope) => part`not exists (
  select 1 from movement_match x where x.empresa_id = ${empresa_id} and x.target_id = ${id})`

// A subquery and not `= any`: it is hashed, whereas a list would be walked for every document.
const wanted = (total: Fragment, rut: Fragment, { amounts, ruts }: Search) => part`(
  ${total} in (select unnest(${amounts}::bigint[])) or ${rut} in (select unnest(${ruts}::text[])))`

/** Documents of ours that no movement paid yet: sales, and facturas de compra. Boletas are paid at the counter. */
export function openDocuments(sql: Sql, scope: EmpresaScope, search: Search): Promise<Target[]> {
  const { from, to } = search
  return sql<Target>`
    select ${DOCUMENT} from document d
    where ${of(scope, 'd')} and d.issue_date >= ${from} and d.issue_date <= ${to}
      and d.tipo_dte in (33, 34, 46, 56, 61) and d.status in ('sent', 'accepted', 'reparo')
      and ${wanted(part`d.total`, part`d.receptor_rut`, search)}
      and ${unpaid(part`d.id`, scope)}`
}

/** The same of suppliers: what they sent us, and what only the register tells of. */
export async function openPurchases(sql: Sql, scope: EmpresaScope, search: Search): Promise<Target[]> {
  const { from, to } = search
  const received = await sql<Target>`
    select ${RECEIVED} from received_document r
    where ${of(scope, 'r')} and r.issue_date >= ${from} and r.issue_date <= ${to}
      and r.tipo_dte in (33, 34, 43, 56, 61) and r.status <> 'rejected'
      and ${wanted(part`r.total`, part`r.emisor_rut`, search)}
      and ${unpaid(part`r.id`, scope)}`
  const told = await sql<Target>`
    select ${ENTRY} from rcv_entry e
    where ${of(scope, 'e')} and e.side = 'purchase' and e.period >= ${from.slice(0, 7)} and e.period <= ${to.slice(0, 7)}
      and e.folio is not null and e.document_id is null and e.received_document_id is null
      and e.withdrawn_at_sii is null and e.estado_contable <> 'RECLAMADO'
      and ${wanted(part`e.total`, part`e.counterparty_rut`, search)}
      and ${unpaid(part`e.id`, scope)}`
  return [...received, ...told]
}

const FROM = {
  document: part`select ${DOCUMENT} from document d where d.id`,
  received_document: part`select ${RECEIVED} from received_document r where r.id`,
  rcv_entry: part`select ${ENTRY} from rcv_entry e where e.side = 'purchase' and e.id`,
}
const AS = { document: 'd', received_document: 'r', rcv_entry: 'e' } as const

/** Targets by their ids. `held` keeps others from paying them until the transaction ends. */
export async function findTargets(
  sql: Sql,
  scope: EmpresaScope,
  kind: keyof typeof FROM,
  ids: readonly string[],
  { held = false } = {},
): Promise<Target[]> {
  if (ids.length === 0) return []
  return sql<Target>`
    ${FROM[kind]} = any(${ids}::text[]) and ${of(scope, AS[kind])} ${held ? part`for no key update` : nothing}`
}

/** What arrived, by the ids of documents of ours and of suppliers. */
export async function findArrived(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<Arrival[]> {
  const kinds = ['document', 'received_document'] as const
  const found = kinds.map((kind) =>
    findTargets(
      sql,
      scope,
      kind,
      ids.filter((id) => kindOf(id) === kind),
    ),
  )
  return (await Promise.all(found)).flat()
}

/** Purchases of some months of the register that nothing else tells of. */
export async function findPeriod(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<Arrival[]> {
  if (periods.length === 0) return []
  return sql<Arrival>`
    select distinct coalesce(e.issue_date, (e.period || '-01')::date) as date, e.total, e.counterparty_rut as rut
    from rcv_entry e
    where ${of(scope, 'e')} and e.side = 'purchase' and e.period = any(${periods}::text[]) and e.folio is not null
      and e.document_id is null and e.received_document_id is null and e.withdrawn_at_sii is null`
}
