import { tiposOf } from '@timbre/dte/values'
import { type Fragment, integers, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { ReceivedRow } from './show.ts'

const FACTURAS = integers(tiposOf('factura', 'factura_exenta'))

/** Days of `issue_date`, the last one excluded. */
interface Days {
  readonly from: string
  readonly before: string
}

/** With its status, its receipt and its answer each tells in which part of the RCV it stands. */
export interface ReceivedInPeriod extends ReceivedFacts {
  readonly taxes: readonly { readonly code: number; readonly rate: number | null; readonly amount: number }[]
  /** What the emisor suggests that the receptor bought (TpoTranCompra). */
  readonly purchase_type: number | null
  /** The first reference, where it is to a DTE. */
  readonly refers_to: number | null
}

type ReceivedFacts = Pick<
  ReceivedRow,
  | 'tipo_dte'
  | 'folio'
  | 'emisor_rut'
  | 'emisor_name'
  | 'issue_date'
  | 'status'
  | 'receipt_status'
  | 'payment_form'
  | 'sii_received_at'
  | 'answered_at'
  | 'acknowledged_at'
  | 'net'
  | 'exempt'
  | 'iva'
  | 'total'
>

/** What suppliers issued to an empresa in those days, or before them and was answered since, by emisor, tipo and folio. */
export function listReceivedIn(
  sql: Sql,
  scope: EmpresaScope,
  { from, before }: Days,
  tipos: readonly number[],
): Promise<ReceivedInPeriod[]> {
  return sql<ReceivedInPeriod>`
    select r.tipo_dte, r.folio, r.emisor_rut, r.emisor_name, r.issue_date, r.status, r.receipt_status, r.payment_form,
      r.sii_received_at, r.answered_at, r.acknowledged_at, r.net, r.exempt, r.iva, r.total,
      (x.dte ->> 'purchase_type')::integer as purchase_type,
      case when x.dte #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
        then (x.dte #>> '{references,0,tipo_dte}')::integer end as refers_to,
      coalesce((select json_agg(json_build_object('code', t -> 'code', 'rate', t -> 'rate', 'amount', t -> 'amount'))
        from json_array_elements(x.dte #> '{totals,taxes}') t), '[]') as taxes
    from received_document r left join received_document_xml x on x.received_document_id = r.id
    where ${ownedBy(scope, 'r')} and r.issue_date < ${before}
      and (r.issue_date >= ${from} or r.answered_at >= ${from}::date or r.acknowledged_at >= ${from}::date)
      and r.tipo_dte = any(${tipos}::smallint[]) order by r.emisor_rut, r.tipo_dte, r.folio`
}

/** Facturas of those days that were not claimed: the empresa owes them. */
export function listPayableIn(
  sql: Sql,
  scope: EmpresaScope,
  { from, before }: Days,
): Promise<Pick<ReceivedRow, 'id' | 'issue_date' | 'total' | 'emisor_rut' | 'emisor_name'>[]> {
  return sql`
    select id, issue_date, total, emisor_rut, emisor_name from received_document
    where ${ownedBy(scope)} and tipo_dte in ${FACTURAS} and status <> 'rejected' and total > 0
      and issue_date >= ${from} and issue_date < ${before}`
}

/** Documents for the mirror of the SII's register of purchases to join: id, emisor_rut, tipo_dte, folio. */
export function receivedKeys(scope: EmpresaScope): Fragment {
  return part`select id, emisor_rut, tipo_dte, folio from received_document where ${ownedBy(scope)}`
}

/** Whether a document was accepted or acknowledged, or accepted tacitly when its days lapsed. */
export async function isAnswered(sql: Sql, scope: EmpresaScope, id: string): Promise<boolean> {
  const rows = await sql<object>`
    select 1 from received_document where ${ownedBy(scope)} and id = ${id}
      and (status in ('accepted', 'accepted_tacitly') or acknowledged_at is not null)`
  return rows.length > 0
}
