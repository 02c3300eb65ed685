import { EXCHANGED_TIPOS, isTipoDte, TIPO } from '@timbre/dte/values'
import { type Fragment, integers, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

const NOTAS = integers([TIPO.nota_de_debito, TIPO.nota_de_credito])
const PAYABLE_TIPOS = integers(EXCHANGED_TIPOS.filter(isTipoDte))

/** A document that a movement of a bank may pay, with the same columns wherever it is known from. */
export interface PayableRow {
  readonly id: string
  readonly tipo: number
  readonly folio: number | null
  readonly date: string
  /** As the document says it: positive on notas de crédito too. */
  readonly total: number
  readonly rut: string | null
  readonly name: string | null
  readonly status: string
  /** The tipo of what a nota is about. */
  readonly about: number | null
  /** What neither payments nor notas de crédito settled. */
  readonly pending: number
}

/** Both inclusive. */
export interface Days {
  readonly from: string
  readonly to: string
}

const PAYABLE = part`d.id, d.tipo_dte as tipo, d.folio, d.issue_date as date, d.total, d.receptor_rut as rut,
  d.draft #>> '{receptor,legal_name}' as name, d.status,
  case when d.tipo_dte in ${NOTAS} and d.draft #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
    then (d.draft #>> '{references,0,tipo_dte}')::integer end as about,
  greatest(0, d.total - d.credited_amount - d.paid_amount) as pending`

/** Selects documents that a movement may pay: sales, and facturas de compra. Boletas are paid at the counter. */
export function payableDocuments(scope: EmpresaScope, { from, to }: Days): Fragment {
  return part`select ${PAYABLE} from document d
    where ${ownedBy(scope, 'd')} and d.issue_date >= ${from} and d.issue_date <= ${to}
      and d.tipo_dte in ${PAYABLE_TIPOS} and d.status in ('sent', 'accepted', 'reparo')
      and d.paid_amount < d.total`
}

/** Selects documents by their ids, payable or not. */
export function payableDocumentsById(scope: EmpresaScope, ids: readonly string[]): Fragment {
  return part`select ${PAYABLE} from document d where d.id = any(${ids}::text[]) and ${ownedBy(scope, 'd')}`
}

/** Selects `id, period, net, name` of the facturas de compra of some months. */
export function facturasDeCompra(scope: EmpresaScope, periods: readonly string[]): Fragment {
  return part`select d.id, p.period, d.net, coalesce(d.draft #>> '{receptor,legal_name}', '') as name
    from unnest(${periods}::text[]) as p (period)
    join document d on ${ownedBy(scope, 'd')} and d.tipo_dte = ${TIPO.factura_de_compra} and d.status not in ('rejected', 'failed', 'annulled')
      and d.issue_date >= (p.period || '-01')::date and d.issue_date < ((p.period || '-01')::date + interval '1 month')::date`
}
