import { priceDraft } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, lastDayOf, periodOf, TIPO } from '@timbre/dte/values'

export interface Amounts {
  readonly net: number
  readonly iva: number
  /** The IVA that the empresa keeps back and pays itself: all of it. */
  readonly withheld: number
  readonly total: number
}

/** Code 15: all of the IVA is withheld (D.L. 825, art. 3; SII, Formato DTE, IVA retenido total). */
export const ALL_IVA_WITHHELD = 15

/**
 * The amounts of a factura de compra over a payment abroad: the payment is the net, and the IVA on top of it is declared
 * as credit and as withheld at once. Priced by the engine that issues the document.
 */
export function amountsOf(net: number, issue_date: string): Amounts {
  const items = [{ description: 'x', quantity: 1, unit_price: net, additional_tax: ALL_IVA_WITHHELD }]
  const nobody = { rut: ANONYMOUS_RUT, legal_name: '' }
  const { totals } = priceDraft({
    tipo_dte: TIPO.factura_de_compra,
    issue_date,
    items,
    emisor: nobody,
    receptor: nobody,
  })
  const { iva = 0, total } = totals
  return { net, iva, withheld: net + iva - total, total }
}

/**
 * The date of a 46 over a payment: within the month of the payment while that is not declared (D.L. 825, art. 9 and 24),
 * today or else its last day; today once it is declared.
 */
export function dateOf(post_date: string, today: string, declared: boolean): string {
  const period = periodOf(post_date)
  return declared || period >= periodOf(today) ? today : lastDayOf(period)
}
