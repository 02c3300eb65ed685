import type { Refusal } from '../../refusal.ts'
import type { DteDraft, GlobalAdjustment } from '../document.ts'
import { refusal } from '../fields/check.ts'
import { bucketOf, sumLines, targetOf } from '../lines.ts'
import { tipo } from '../tipos.ts'
import type { Priced } from '../totals.ts'
import { adjustmentRules } from './lines.ts'
import type { Rule } from './rule.ts'

type Name = 'discounts' | 'surcharges'

/** Discounts and surcharges over the whole document (SII, Formato DTE v2.4.2, section D). */
export const globalRules: Rule = (draft, priced) => [
  ...each(draft, 'discounts'),
  ...each(draft, 'surcharges'),
  ...basesThatRanOut(draft, priced),
]

function each(draft: DteDraft, name: Name): Refusal[] {
  return (draft[name] ?? []).flatMap((adjustment, index) => {
    const path = [name, index]
    // The format gives a guía no such zone, though the schema would let it pass.
    if (tipo(draft.tipo_dte).family === 'guia') return [refusal(path, 'not_for_tipo', 'is not part of a guía')]
    return [...adjustmentRules(adjustment, path), ...scopeRules(draft, adjustment, path)]
  })
}

function scopeRules(draft: DteDraft, adjustment: GlobalAdjustment, path: readonly (string | number)[]): Refusal[] {
  const [name] = path
  if (adjustment.applies_to === 'taxed' && !tipo(draft.tipo_dte).taxed) {
    return [refusal([...path, 'applies_to'], 'exempt_tipo', `cannot be taxed in a tipo ${draft.tipo_dte}`)]
  }
  if (name === 'discounts' && (adjustment.percent ?? 0) > 100) {
    return [refusal([...path, 'percent'], 'range', 'must be between 0.01 and 100')]
  }
  // An amount cannot be shared out among lines that pay different taxes.
  if (adjustment.amount !== undefined && targetOf(draft.tipo_dte, adjustment) === 'taxed' && taxCodes(draft).size > 1) {
    return [refusal([...path, 'amount'], 'percent_only', 'must be a percent when lines carry different taxes')]
  }
  return []
}

function taxCodes(draft: DteDraft): Set<number | undefined> {
  const taxed = draft.items.filter((item) => bucketOf(draft.tipo_dte, item) === 'taxed')
  return new Set(taxed.map(({ additional_tax }) => additional_tax))
}

/** A discount cannot take more than the lines before it left. */
function basesThatRanOut(draft: DteDraft, priced: Priced): Refusal[] {
  const left = sumLines(draft.tipo_dte, priced.items)
  return (priced.discounts ?? []).flatMap((discount, index) => {
    const target = targetOf(draft.tipo_dte, discount)
    left[target] -= discount.applied
    const over = discount.amount !== undefined && left[target] < 0
    return over
      ? [refusal(['discounts', index, 'amount'], 'exceeds_base', `is more than the ${target} lines add up to`)]
      : []
  })
}
