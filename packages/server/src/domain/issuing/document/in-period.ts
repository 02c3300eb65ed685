import { tiposOf } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import { integers } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { DocumentRow } from './show.ts'

const FACTURAS = integers(tiposOf('factura', 'factura_exenta'))

/** Days of `issue_date`, the last one excluded. */
interface Days {
  readonly from: string
  readonly before: string
}

type Amounts = Pick<DocumentRow, 'net' | 'exempt' | 'iva' | 'total'>

export interface IssuedInPeriod extends Amounts, Pick<DocumentRow, 'tipo_dte' | 'issue_date' | 'sent_at'> {
  readonly folio: number
  readonly receptor_rut: string
  readonly receptor_name: string | null
  /** The first reference, where it is to a DTE. */
  readonly refers_to: number | null
  readonly refers_folio: string | null
  /** What was sold, or bought, as the emisor said (TpoTranVenta, TpoTranCompra). */
  readonly sale_type: number | null
  readonly purchase_type: number | null
}

/** What the empresa issued in those days and the SII took, by tipo and folio. */
export function listIssuedIn(
  sql: Sql,
  scope: EmpresaScope,
  { from, before }: Days,
  tipos: readonly number[],
): Promise<IssuedInPeriod[]> {
  return sql<IssuedInPeriod>`
    select tipo_dte, folio, receptor_rut, draft #>> '{receptor,legal_name}' as receptor_name, issue_date, sent_at,
      net, exempt, iva, total,
      case when draft #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
        then (draft #>> '{references,0,tipo_dte}')::integer end as refers_to,
      draft #>> '{references,0,folio}' as refers_folio, (draft ->> 'sale_type')::integer as sale_type,
      (draft ->> 'purchase_type')::integer as purchase_type
    from document where ${ownedBy(scope)}
      and issue_date >= ${from} and issue_date < ${before} and status in ('accepted', 'reparo', 'annulled')
      and tipo_dte = any(${tipos}::smallint[]) order by tipo_dte, folio`
}

/** The same added up, one row for each tipo. */
export function sumIssuedIn(
  sql: Sql,
  scope: EmpresaScope,
  { from, before }: Days,
  tipos: readonly number[],
): Promise<(Amounts & { tipo_dte: number; documents: number })[]> {
  return sql`
    select tipo_dte, count(*)::integer as documents, sum(net)::bigint as net, sum(exempt)::bigint as exempt,
      sum(iva)::bigint as iva, sum(total)::bigint as total
    from document where ${ownedBy(scope)}
      and issue_date >= ${from} and issue_date < ${before} and status in ('accepted', 'reparo', 'annulled')
      and tipo_dte = any(${tipos}::smallint[]) group by tipo_dte`
}

export interface Receivable extends Pick<DocumentRow, 'id' | 'issue_date' | 'total'> {
  readonly receptor_rut: string
  readonly receptor_name: string | null
}

/** Facturas of those days that stand and name who owes them. */
export function listReceivableIn(sql: Sql, scope: EmpresaScope, { from, before }: Days): Promise<Receivable[]> {
  return sql<Receivable>`
    select id, issue_date, total, receptor_rut, draft -> 'receptor' ->> 'legal_name' as receptor_name from document
    where ${ownedBy(scope)} and tipo_dte in ${FACTURAS} and status in ('accepted', 'reparo') and total > 0
      and receptor_rut is not null and issue_date >= ${from} and issue_date < ${before}`
}
