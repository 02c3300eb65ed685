import type { Refusal } from '../../refusal.ts'
import { additionalTax, tiposOfTax } from '../../tables/additional-taxes.ts'
import type { DteDraft, Item } from '../document.ts'
import { refusal } from '../fields/check.ts'
import { bucketOf } from '../lines.ts'
import { creditLimit, sumTaxes } from '../taxes.ts'
import { hasGrossPrices, type Priced } from '../totals.ts'
import type { Rule } from './rule.ts'

const MAX_TAXES = 20

/** Additional and withheld taxes (SII, Formato DTE v2.4.2, section 4). */
export const taxRules: Rule = (draft, priced) => [
  ...draft.items.flatMap((item, index) =>
    item.additional_tax === undefined ? missingTax(draft, item, index) : taxOfLine(draft, item, index),
  ),
  ...statedRules(draft),
  ...creditRules(draft, priced),
  ...((priced.totals.taxes?.length ?? 0) > MAX_TAXES
    ? [refusal(['items'], 'too_many_taxes', `carry more than ${MAX_TAXES} different taxes`)]
    : []),
]

/** In a factura de compra the buyer withholds: every taxed line says how much, even when it is nothing (code 49). */
function missingTax(draft: DteDraft, item: Item, index: number): Refusal[] {
  if (draft.tipo_dte !== 46 || bucketOf(draft.tipo_dte, item) !== 'taxed') return []
  return [
    refusal(['items', index, 'additional_tax'], 'required', 'is needed in a factura de compra: 15 withholds all IVA'),
  ]
}

function taxOfLine(draft: DteDraft, item: Item, index: number): Refusal[] {
  const code = item.additional_tax ?? 0
  const tax = additionalTax(code)
  const refuse = (rule: string, message: string, ...steps: readonly string[]) => [
    refusal(['items', index, ...(steps.length > 0 ? steps : ['additional_tax'])], rule, message),
  ]
  if (tax === null) return refuse('unknown_code', `${code} is not a tax of the SII`)
  if (!tiposOfTax(code).includes(draft.tipo_dte)) {
    return refuse('not_for_tipo', `${code} does not apply to a tipo ${draft.tipo_dte}`)
  }
  if (bucketOf(draft.tipo_dte, item) !== 'taxed') return refuse('exempt_line', 'cannot be on a line without IVA')
  if (hasGrossPrices(draft)) return refuse('gross_prices', 'needs net prices')
  if (tax.base !== undefined && item.retention_agent?.[tax.base] === undefined) {
    return refuse('required', `is the base of tax ${code}`, 'retention_agent', tax.base)
  }
  const stated = (draft.stated_taxes ?? []).some((other) => other.code === code)
  if (tax.kind === 'stated' && !stated) {
    return [refusal(['stated_taxes'], 'required', `must state the amount of tax ${code}, which has no rate`)]
  }
  return []
}

function statedRules(draft: DteDraft): Refusal[] {
  const seen = new Set<number>()
  return (draft.stated_taxes ?? []).flatMap(({ code }, index) => {
    const repeated = seen.has(code)
    seen.add(code)
    const path = ['stated_taxes', index, 'code']
    if (repeated) return [refusal(path, 'repeated', `${code} is stated twice`)]
    if (additionalTax(code)?.kind !== 'stated') return [refusal(path, 'not_stated', `${code} is computed, not stated`)]
    return []
  })
}

function creditRules({ tipo_dte, construction_credit = 0 }: DteDraft, { totals }: Priced): Refusal[] {
  const limit = creditLimit(tipo_dte, totals.iva ?? 0, sumTaxes(totals.taxes ?? []))
  if (construction_credit <= limit) return []
  const message = `is more than ${limit}: at most 65 % of the IVA that the document charges (art. 21 D.L. 910)`
  return [refusal(['construction_credit'], 'exceeds_iva', message)]
}
