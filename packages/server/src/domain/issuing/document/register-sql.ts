import { isTipoDte, SELLER_TIPOS, TIPO } from '@timbre/dte/values'
import { SUMMARIZED_TIPOS } from '../../../catalog/rcv.ts'
import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

// Our own documents as the SII's register of purchases and sales shows them, for the mirror of that register to join.

/**
 * Every document by what the register knows it by: id, tipo_dte, folio, receptor_rut, is_purchase. A factura de compra,
 * and a nota about one, is a purchase of the empresa that issues it; everything else is a sale.
 */
export function issuedKeys(scope: EmpresaScope): Fragment {
  return part`
    select id, tipo_dte, folio, receptor_rut,
      (tipo_dte = ${TIPO.factura_de_compra} or coalesce(draft #>> '{references,0,tipo_dte}', '') = ${String(TIPO.factura_de_compra)}) as is_purchase
    from document where ${ownedBy(scope)}`
}

const SALE_TIPOS = SELLER_TIPOS.filter(isTipoDte)

/**
 * Accepted sales issued from `first` until the day before `after`: tipo_doc, folio, document_id, net, exempt, iva,
 * total. Tipos that the register sums up by the month are one row each, without folio or id.
 */
export function issuedSales(scope: EmpresaScope, { first, after }: { first: string; after: string }): Fragment {
  const accepted = part`${ownedBy(scope)} and issue_date >= ${first} and issue_date < ${after}
    and status in ('accepted', 'reparo', 'annulled')`
  return part`
    select tipo_dte as tipo_doc, folio, id as document_id, net, exempt, iva, total from document
    where ${accepted} and tipo_dte = any(${SALE_TIPOS}::smallint[])
      and (draft #>> '{references,0,tipo_dte}') is distinct from ${String(TIPO.factura_de_compra)}
    union all
    select tipo_dte, null, null, sum(net)::bigint, sum(exempt)::bigint, sum(iva)::bigint, sum(total)::bigint
    from document where ${accepted} and tipo_dte = any(${SUMMARIZED_TIPOS}::smallint[]) group by tipo_dte`
}
