import type { DteDraft } from '@timbre/dte/draft'
import { TIPO, tipo } from '@timbre/dte/values'
import { invalidField, type Problem } from '../../../kernel/problem.ts'

type Item = DteDraft['items'][number]

/** The generic code of a factura de compra: the buyer withholds all the IVA (SII, Formato DTE v2.4.2, CodImpAdic). */
const ALL_IVA_WITHHELD = 15
const SALE = 1
const INTERNAL_TRANSFER = 5
const CORRECTS_TEXT = 2

const withheld = (item: Item): Item =>
  item.exempt === true || item.billing !== undefined || item.additional_tax !== undefined
    ? item
    : { ...item, additional_tax: ALL_IVA_WITHHELD }

/** Goods sent to oneself are not sold; priced goods sent to somebody else are. Without prices there is no default. */
function transferOf({ emisor, receptor, items }: DteDraft): number | undefined {
  if (receptor.rut === emisor.rut) return INTERNAL_TRANSFER
  return items.some(({ unit_price = 0 }) => unit_price > 0) ? SALE : undefined
}

/**
 * Fills in what a request may leave out because there is one general case. The contract asks for a tipo and items
 * alone, and a preview shows what was understood.
 */
export function fillDefaults(draft: DteDraft): DteDraft {
  if (draft.tipo_dte === TIPO.factura_de_compra) return { ...draft, items: draft.items.map(withheld) }
  if (tipo(draft.tipo_dte).family !== 'guia' || draft.dispatch?.transfer_type !== undefined) return draft
  const transfer_type = transferOf(draft)
  return transfer_type === undefined ? draft : { ...draft, dispatch: { ...draft.dispatch, transfer_type } }
}

/** Only a guía, a nota that corrects text and a line that is no sale have no price: elsewhere it was forgotten. */
export function unpricedLines({ tipo_dte, items, references }: DteDraft): readonly Problem[] {
  const { family } = tipo(tipo_dte)
  if (family === 'guia') return []
  if (family === 'nota' && references?.some(({ code }) => code === CORRECTS_TEXT)) return []
  return items.flatMap(({ unit_price, billing }, index) =>
    unit_price === undefined && billing === undefined
      ? [invalidField(`items[${index}].unit_price`, 'it is required; 0 for what is given away.')]
      : [],
  )
}
