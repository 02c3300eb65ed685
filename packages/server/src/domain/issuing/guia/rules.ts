import { TIPO } from '@timbre/dte/values'
import { Problem } from '../../../kernel/problem.ts'
import { isSoldBy } from '../document/guia-invoices.ts'
import type { DocumentRow } from '../document/show.ts'

/** Why a guía is not invoiced now, as `details.reason` says it. */
const NOT_INVOICEABLE = {
  tipo: 'It is no guía de despacho.',
  not_a_sale: 'Its transfer is no sale, so there is nothing to invoice.',
  status: 'Only a guía that the SII accepted is invoiced.',
  other_receptor: 'It went to another receptor than the first guía: a factura has one.',
  already_invoiced: 'A factura invoices it already.',
  no_price: 'A line of it has no price: write the factura out with POST /documents and name the guía in `references`.',
  other_prices: 'Its prices include IVA and those of the first guía do not, or the other way round.',
} as const
export type NotInvoiceable = keyof typeof NOT_INVOICEABLE

export function notInvoiceable(
  reason: NotInvoiceable,
  facts: { readonly param?: string; readonly guia?: string; readonly factura?: string } = {},
): Problem {
  const { param, guia, factura } = facts
  return new Problem('guia_not_invoiceable', {
    message: NOT_INVOICEABLE[reason],
    ...(param !== undefined && { param }),
    ...(factura !== undefined && { existing_id: factura }),
    details: { reason, ...(guia !== undefined && { guia }) },
  })
}

const TAKEN: readonly string[] = ['accepted', 'reparo']

/** What stands in the way of a guía, held against the first one of the factura. */
export function faultOf(guia: DocumentRow, first: DocumentRow): NotInvoiceable | null {
  if (guia.tipo_dte !== TIPO.guia) return 'tipo'
  if (!isSoldBy(guia)) return 'not_a_sale'
  if (!TAKEN.includes(guia.status)) return 'status'
  if (guia.receptor_rut !== first.receptor_rut) return 'other_receptor'
  if ((guia.draft.gross_prices ?? false) !== (first.draft.gross_prices ?? false)) return 'other_prices'
  const unpriced = guia.draft.items.some(({ unit_price, billing }) => unit_price === undefined && billing === undefined)
  return unpriced ? 'no_price' : null
}
