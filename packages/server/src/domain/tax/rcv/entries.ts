import { tiposOf } from '@timbre/dte/values'
import { type Fragment, integers, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

// What other nouns read of the register: fragments to join, and sums.

export function entriesOf(scope: EmpresaScope): Fragment {
  return part`select * from rcv_entry where ${ownedBy(scope)}`
}

const FACTURAS_DE_COMPRA = integers(tiposOf('factura_de_compra'))

/** IVA of a factura de compra, or of a nota about one, that the buyer keeps to pay it itself (D.L. 825, art. 3). */
const WITHHELD = part`case when tipo_doc in ${FACTURAS_DE_COMPRA} or reference_tipo_doc in ${FACTURAS_DE_COMPRA}
  then greatest(0, net + exempt + iva + iva_not_recoverable + iva_common_use - total) else 0 end`

/** The IVA of a sale that is its seller's to pay. */
export const OWED_IVA = part`greatest(0, iva - ${WITHHELD})`

/**
 * Entries that count in the declaration of a period, with the IVA `withheld`: all sales, and purchases in REGISTRO,
 * while the SII shows them.
 */
export function countedEntries(scope: EmpresaScope, period: string): Fragment {
  return part`select *, ${WITHHELD} as withheld from rcv_entry where ${ownedBy(scope)} and period = ${period} and withdrawn_at_sii is null
    and (side = 'sale' or estado_contable = 'REGISTRO')`
}

/** How many purchases wait for their acknowledgement, and how much IVA they hold. */
export async function pendingPurchases(
  sql: Sql,
  scope: EmpresaScope,
  period: string,
): Promise<{ count: number; amount: number }> {
  const [row] = await sql<{ count: number; amount: number }>`
    select count(*)::integer as count, coalesce(sum(iva), 0)::bigint as amount from rcv_entry
    where ${ownedBy(scope)} and period = ${period} and side = 'purchase' and estado_contable = 'PENDIENTE'
      and withdrawn_at_sii is null`
  return row ?? { count: 0, amount: 0 }
}
