import type { Refusal } from '../refusal.ts'
import type { Dte, DteDraft, Item, Totals } from './document.ts'
import { checkFields, isObject, refusal } from './fields/check.ts'
import { integer } from './fields/kinds.ts'
import { priceItem } from './lines.ts'
import { globalRules } from './rules/adjustments.ts'
import { boletaRules, dateRules, guiaRules, largeBoletaRules, saleTypeRules, totalRules } from './rules/document.ts'
import { exemptTipoRules, lineRules } from './rules/lines.ts'
import { noteRules, referenceRules } from './rules/references.ts'
import type { Circumstances, Rule } from './rules/rule.ts'
import { taxRules } from './rules/taxes.ts'
import { isTipoDte, TIPO_NUMBERS } from './tipos.ts'
import { type Priced, priceDraft } from './totals.ts'

const RULES: readonly Rule[] = [
  dateRules,
  saleTypeRules,
  lineRules,
  exemptTipoRules,
  taxRules,
  globalRules,
  referenceRules,
  noteRules,
  guiaRules,
  boletaRules,
  largeBoletaRules,
]

/**
 * Everything wrong with a draft, each with the path of the caller's own field; empty when it can be issued. Takes whatever JSON
 * can say, and never throws. Fields are judged first, and the rules between fields once each field is right by itself.
 */
export function checkDraft(draft: unknown, circumstances: Circumstances = {}): readonly Refusal[] {
  if (!isObject(draft)) return [refusal([], 'type', 'A document must be an object.')]
  const { tipo_dte } = draft
  if (!isTipoDte(tipo_dte)) return [refusal(['tipo_dte'], 'choice', `must be one of ${TIPO_NUMBERS.join(', ')}`)]
  const fields = checkFields(draft, tipo_dte)
  if (fields.length > 0) return fields
  const checked = draft as unknown as DteDraft
  const priced = price(checked)
  if (!('totals' in priced)) return [priced]
  const refusals = RULES.flatMap((rule) => rule(checked, priced, circumstances))
  // A wrong total follows from a wrong part: it is worth saying only when no part was at fault.
  return refusals.length > 0 ? refusals : totalRules(checked, priced, circumstances)
}

/** A draft with folio and amounts: the same, and that the amounts are the ones its lines give. */
export function checkDte(dte: Dte, circumstances: Circumstances = {}): readonly Refusal[] {
  const refusals = checkDraft(dte, circumstances)
  const folio = integer(1, 9_999_999_999).check(dte.folio)
  if (folio !== null) return [...refusals, refusal(['folio'], folio.rule, folio.message)]
  if (refusals.length > 0) return refusals
  return sameTotals(priceDraft(dte).totals, dte.totals)
    ? []
    : [refusal(['totals'], 'mismatch', 'are not what the lines add up to')]
}

/** Amounts beyond what a number holds exactly are refused here, on the line that has them. */
function price(draft: DteDraft): Priced | Refusal {
  try {
    return priceDraft(draft)
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure
    const line = draft.items.findIndex((item) => !canPrice(item))
    return line < 0
      ? refusal(['items'], 'amount_too_large', 'add up to more than a document can carry')
      : refusal(['items', line, 'unit_price'], 'amount_too_large', 'makes a line no document can carry')
  }
}

function canPrice(item: Item): boolean {
  try {
    return Number.isSafeInteger(priceItem(item).amount)
  } catch (failure) {
    if (failure instanceof RangeError) return false
    throw failure
  }
}

/** Equal whatever the order of their keys: a document may have been through a database. */
function sameTotals(left: Totals, right: Totals): boolean {
  const flat = ({ taxes, ...amounts }: Totals) =>
    [
      ...Object.entries(amounts)
        .filter(([, amount]) => amount !== undefined)
        .map(([name, amount]) => `${name} ${amount}`),
      ...(taxes ?? []).map(({ code, rate, amount }) => `tax ${code} ${rate} ${amount}`),
    ]
      .sort()
      .join()
  return flat(left) === flat(right)
}
