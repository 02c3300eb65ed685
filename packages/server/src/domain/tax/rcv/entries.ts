import { tiposOf } from '@timbre/dte/values'
import { type Fragment, integers, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { daysOfPeriod } from './period.ts'

// What other nouns read of the register: fragments to join, and sums.

export function entriesOf(scope: EmpresaScope): Fragment {
  return part`select * from rcv_entry where ${ownedBy(scope)}`
}

const FACTURAS_DE_COMPRA = integers(tiposOf('factura_de_compra'))

/** IVA of a factura de compra, or of a nota about one, that the buyer keeps to pay it itself (D.L. 825, art. 3). */
const WITHHELD = part`case when tipo_doc in ${FACTURAS_DE_COMPRA} or reference_tipo_doc in ${FACTURAS_DE_COMPRA}
  then greatest(0, net + exempt + iva + iva_not_recoverable + iva_common_use - total) else 0 end`

/**
 * The IVA of a sale that is its seller's to pay. Of a nota de crédito that came too late none lowers the debit, whether
 * the register keeps that IVA within its column of IVA or apart.
 */
export const OWED_IVA = part`greatest(0, iva - ${WITHHELD} - case when iva >= iva_late then iva_late else 0 end)`

/** Whether an entry has other taxes than IVA. */
export const HAS_TAXES = part`other_taxes::text <> '[]'`

// Few entries have other taxes and fewer have several: only those cost a subquery of their own.
const TAX_CODES = part`case when not ${HAS_TAXES} then '{}'::integer[]
  when json_array_length(other_taxes) = 1 then array[(other_taxes -> 0 ->> 'code')::integer]
  else array(select distinct (t ->> 'code')::integer from json_array_elements(other_taxes) t order by 1) end`

/**
 * What the SII still showed as waiting and was brought into the register here after the month: it gives credit in the
 * month that it was acknowledged in (D.L. 825, art. 23 no. 7), unless the SII then shows it in this one.
 */
function broughtInLater(period: string): Fragment {
  return part`coalesce(sii ->> 'estado_contable' = 'PENDIENTE'
    and (changed_at at time zone 'America/Santiago')::date >= ${daysOfPeriod(period)[1]}, false)`
}

/**
 * Entries that count in the declaration of a period: all sales, and purchases in REGISTRO, while the SII shows them.
 * With the IVA `withheld`, the IVA `owed`, and the codes of its other taxes; without what a sum of many has no use for.
 */
export function countedEntries(scope: EmpresaScope, period: string): Fragment {
  return part`select id, side, tipo_doc, tipo_compra, tipo_venta, reference_tipo_doc, documents, net, exempt, iva,
      iva_not_recoverable, iva_common_use, iva_late, other_taxes, ${WITHHELD} as withheld, ${OWED_IVA} as owed,
      ${TAX_CODES} as tax_codes
    from rcv_entry where ${ownedBy(scope)} and period = ${period} and withdrawn_at_sii is null
    and (side = 'sale' or (estado_contable = 'REGISTRO' and not ${broughtInLater(period)}))`
}

/** How many purchases wait for their acknowledgement, or had it after the month, and how much IVA they hold. */
export async function pendingPurchases(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
): Promise<{ count: number; amount: number }> {
  const [row] = await sql<{ count: number; amount: number }>`
    select count(*)::integer as count, coalesce(sum(iva), 0)::bigint as amount from rcv_entry
    where ${ownedBy(scope)} and period = ${period} and side = 'purchase' and withdrawn_at_sii is null
      and (estado_contable = 'PENDIENTE' or (estado_contable = 'REGISTRO' and ${broughtInLater(period)}))`
  return row ?? { count: 0, amount: 0 }
}
