import type { Item } from '@timbre/dte/draft'
import type { Case, CaseItem } from '../set/set.ts'
import type { PlannedDocument } from './plan.ts'
import { PlanProblem } from './problem.ts'

/**
 * The lines of a nota (SII, Formato DTE v2.4.2, section E): one that annuls repeats its original, one that corrects text
 * has a line without amounts, one that corrects amounts has the difference alone.
 */
export function itemsOfNote({ reference, items }: Case, { dte }: PlannedDocument): readonly Item[] {
  switch (reference?.code) {
    case 1:
      return dte.items.map(({ amount: _, discount_amount: _d, surcharge_amount: _s, ...item }) => item)
    case 2:
      return [{ description: reference.reason, ...(dte.items.every(isExempt(dte.tipo_dte)) ? { exempt: true } : {}) }]
    default:
      return items.map((item) => differenceOf(item, dte))
  }
}

const isExempt = (tipo_dte: number) => (item: Item) => item.exempt === true || tipo_dte === 34

/**
 * What a note gives back (DEVOLUCION, a quantity) or changes (MODIFICA MONTO, a price) of an item of its original. What
 * the set leaves out comes from there: the price and the discount of what is returned, the quantity of what changes.
 */
function differenceOf(item: CaseItem, original: PlannedDocument['dte']): Item {
  const found = original.items.filter(({ description }) => description === item.name)
  const [line] = found
  if (line === undefined || found.length > 1)
    throw new PlanProblem(item.line, item.name, 'The document that the note corrects has no such item, or several.')
  const repriced = item.unit_price !== undefined
  if (repriced && (line.discount !== undefined || (original.discounts?.length ?? 0) > 0))
    throw new PlanProblem(item.line, item.name, 'How a price changes that had a discount is not known.')
  return {
    description: item.name,
    quantity: item.quantity ?? line.quantity,
    unit: item.unit ?? line.unit,
    unit_price: item.unit_price ?? line.unit_price,
    ...(line.discount === undefined ? {} : { discount: line.discount }),
    ...(isExempt(original.tipo_dte)(line) ? { exempt: true } : {}),
    ...(line.additional_tax === undefined ? {} : { additional_tax: line.additional_tax }),
  }
}
