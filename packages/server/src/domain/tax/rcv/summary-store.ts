import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { boundsOf } from './period.ts'
import { of } from './store.ts'
import { DIFFERENCES_SHOWN, type RcvSummary } from './summary-schema.ts'
import { SUMMARIZED_TIPOS } from './tipos.ts'

export type SummaryLine = Omit<RcvSummary['lines'][number], 'sign'>
export type Difference = RcvSummary['differences'][number]

export function summaryLines(sql: Sql, scope: EmpresaScope, period: string): Promise<SummaryLine[]> {
  return sql<SummaryLine>`
    select side, tipo_doc, estado_contable, count(*) as entries, sum(documents)::bigint as documents,
      sum(net)::bigint as net, sum(exempt)::bigint as exempt, sum(iva)::bigint as iva,
      sum(iva_not_recoverable)::bigint as iva_not_recoverable, sum(iva_common_use)::bigint as iva_common_use,
      sum(total)::bigint as total
    from rcv_entry where ${of(scope)} and period = ${period} and withdrawn_at_sii is null
    group by side, tipo_doc, estado_contable order by side, tipo_doc, estado_contable`
}

const OUR_FIGURES = part`json_build_object('net', o.net, 'exempt', o.exempt, 'iva', o.iva, 'total', o.total)`
const SII_FIGURES = part`json_build_object('net', s.net, 'exempt', s.exempt, 'iva', s.iva, 'total', s.total)`
const SALE_TIPOS = [33, 34, 56, 61]

// A factura de compra, and a nota about one, is no sale of the empresa that issues it.
function salesOfOurs(scope: EmpresaScope, period: string): Fragment {
  const [first, after] = boundsOf(period)
  const own = part`${of(scope)} and issue_date >= ${first} and issue_date < ${after}
    and status in ('accepted', 'reparo', 'annulled')`
  return part`
    select tipo_dte as tipo_doc, folio, id as document_id, net, exempt, iva, total from document
    where ${own} and tipo_dte = any(${SALE_TIPOS}::smallint[])
      and (draft #>> '{references,0,tipo_dte}') is distinct from '46'
    union all
    select tipo_dte, null, null, sum(net)::bigint, sum(exempt)::bigint, sum(iva)::bigint, sum(total)::bigint
    from document where ${own} and tipo_dte = any(${SUMMARIZED_TIPOS}::smallint[]) group by tipo_dte`
}

/** Where our own accepted documents and the register of sales do not say the same. */
export async function differencesIn(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
): Promise<(Difference & { in_all: number })[]> {
  return sql<Difference & { in_all: number }>`
    with ours as (${salesOfOurs(scope, period)}), sii as (
      select tipo_doc, folio, id, net, exempt, iva, total from rcv_entry
      where ${of(scope)} and period = ${period} and side = 'sale' and withdrawn_at_sii is null
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
