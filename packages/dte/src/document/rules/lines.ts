import type { Refusal } from '../../refusal.ts'
import type { DteDraft, Item, LineAdjustment } from '../document.ts'
import { refusal } from '../fields/check.ts'
import { bucketOf } from '../lines.ts'
import { TIPO, tipo } from '../tipos.ts'
import type { Priced } from '../totals.ts'
import type { Rule } from './rule.ts'

/** Rules of one line, in the order of the lines. */
export const lineRules: Rule = (draft, priced) =>
  draft.items.flatMap((item, index) => [
    ...indicatorRules(draft, item, index),
    ...adjustmentRules(item.discount, ['items', index, 'discount']),
    ...adjustmentRules(item.surcharge, ['items', index, 'surcharge']),
    ...amountRules(priced, item, index),
  ])

/** `{ percent }` or `{ amount }`: both would leave it open which one the customer was told. */
export function adjustmentRules(adjustment: LineAdjustment | undefined, path: readonly (string | number)[]): Refusal[] {
  if (adjustment === undefined) return []
  const given = Number(adjustment.percent !== undefined) + Number(adjustment.amount !== undefined)
  return given === 1 ? [] : [refusal(path, 'one_of', 'needs either percent or amount')]
}

function indicatorRules(draft: DteDraft, item: Item, index: number): Refusal[] {
  const refusals: Refusal[] = []
  const { taxed, family } = tipo(draft.tipo_dte)
  if (item.exempt === true && item.billing !== undefined) {
    refusals.push(refusal(['items', index, 'billing'], 'conflict', 'and exempt exclude each other'))
  }
  if (item.exempt === false && !taxed) {
    refusals.push(refusal(['items', index, 'exempt'], 'exempt_tipo', `cannot be false in a tipo ${draft.tipo_dte}`))
  }
  // The boleta's schema knows IndExe 1, 2 and 6 only.
  const foreign = item.billing === 'container_deposit' || item.billing === 'not_a_sale' || item.billing === 'to_deduct'
  if (family === 'boleta' && foreign) {
    refusals.push(refusal(['items', index, 'billing'], 'not_for_tipo', `${item.billing} is not part of a boleta`))
  }
  return refusals
}

function amountRules(priced: Priced, item: Item, index: number): Refusal[] {
  const amount = priced.items[index]?.amount ?? 0
  if (amount < 0) return [refusal(['items', index, 'discount'], 'exceeds_line', 'is more than the line is worth')]
  const must_be_zero = item.billing === 'not_a_sale' || item.billing === 'to_deduct'
  if (must_be_zero && amount !== 0) {
    return [refusal(['items', index, 'unit_price'], 'must_be_zero', `must be 0 in a line that is ${item.billing}`)]
  }
  return []
}

const EXEMPT: Readonly<Record<number, number>> = {
  [TIPO.factura]: TIPO.factura_exenta,
  [TIPO.boleta]: TIPO.boleta_exenta,
}

/** A document with nothing but exempt lines is another tipo (SII, Formato DTE v2.4.2, Indicador de exención). */
export const exemptTipoRules: Rule = (draft) => {
  const exempt_tipo = EXEMPT[draft.tipo_dte]
  if (exempt_tipo === undefined) return []
  const buckets = draft.items.map((item) => bucketOf(draft.tipo_dte, item))
  if (buckets.includes('taxed') || !buckets.includes('exempt')) return []
  return [refusal(['tipo_dte'], 'all_exempt', `must be ${exempt_tipo} when every line is exempt`)]
}
