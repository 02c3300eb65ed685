import type { DteDraft } from '@timbre/dte/draft'
import { isLateNota, signOf, tiposOf } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import { integers } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { amountsOf } from './amounts.ts'
import type { Document } from './schema.ts'
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
  readonly taxes: Document['taxes']
  /** Whether it is a nota de crédito that lowers no debit: it says so, or comes too late. */
  readonly late: boolean
}

interface IssuedRow extends Omit<IssuedInPeriod, 'taxes' | 'late'> {
  /** Only where it may carry more taxes than IVA: nearly no document does. */
  readonly draft: DteDraft | null
  readonly says_late: boolean
  readonly refers_date: string | null
  readonly refers_code: number | null
}

function asIssued({ draft, says_late, refers_date, refers_code, ...row }: IssuedRow): IssuedInPeriod {
  const { refers_to, issue_date } = row
  const about = refers_to === null || refers_date === null ? null : { tipo: refers_to, issue_date: refers_date }
  const late = says_late || (about !== null && isLateNota(about, { code: refers_code, issue_date }))
  const taxes = draft === null ? [] : amountsOf({ ...row, draft }).taxes
  return { ...row, taxes, late: late && signOf(row.tipo_dte) < 0 }
}

/** What the empresa issued in those days and the SII took, by tipo and folio. */
export async function listIssuedIn(
  sql: Sql,
  scope: EmpresaScope,
  { from, before }: Days,
  tipos: readonly number[],
): Promise<IssuedInPeriod[]> {
  const rows = await sql<IssuedRow>`
    select tipo_dte, folio, receptor_rut, draft #>> '{receptor,legal_name}' as receptor_name, issue_date, sent_at,
      net, exempt, iva, total,
      case when draft #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
        then (draft #>> '{references,0,tipo_dte}')::integer end as refers_to,
      draft #>> '{references,0,folio}' as refers_folio, (draft ->> 'sale_type')::integer as sale_type,
      (draft ->> 'purchase_type')::integer as purchase_type,
      case when draft::text like '%"additional_tax"%' or draft::text like '%"stated_taxes"%' then draft end as draft,
      coalesce(draft ->> 'no_debit_reduction', '') = 'true' as says_late,
      draft #>> '{references,0,date}' as refers_date, (draft #>> '{references,0,code}')::integer as refers_code
    from document where ${ownedBy(scope)}
      and issue_date >= ${from} and issue_date < ${before} and status in ('accepted', 'reparo', 'annulled')
      and tipo_dte = any(${tipos}::smallint[]) order by tipo_dte, folio`
  return rows.map(asIssued)
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
