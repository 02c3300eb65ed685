import { DRINK_CREDITS, DRINK_DEBITS, taxesLeftOut } from './additional-taxes.ts'
import { isKnown } from './classify.ts'
import type { EntryGroup } from './entry-group.ts'
import { codeEntry } from './form.ts'
import type { F29Inputs } from './inputs.ts'
import { type Warning, warning } from './warnings.ts'

/** Whether a person filled a code of the block that an entry of this side would go into. */
function filledByHand(side: EntryGroup['side'], overridden: readonly number[]): boolean {
  const section = side === 'sale' ? 'ventas' : 'compras'
  return overridden.some((code) => codeEntry(code)?.section === section)
}

function groupWarnings(
  groups: readonly EntryGroup[],
  { common_use_factor }: F29Inputs,
  overridden: readonly number[],
): Warning[] {
  const unknown = groups.filter((group) => !isKnown(group) && !filledByHand(group.side, overridden))
  const common = groups.reduce((sum, group) => sum + group.iva_common_use, 0)
  const count = unknown.reduce((sum, { entries }) => sum + entries, 0)
  const concerns = [...new Set(unknown.map(({ tipo_doc }) => tipo_doc))]
  return [
    ...(unknown.length > 0 ? [warning('unknown_tipos', { count, concerns })] : []),
    ...(common > 0 && common_use_factor === null && !overridden.includes(520)
      ? [warning('common_use_factor_missing', { amount: common })]
      : []),
  ]
}

/** Taxes that reach no code of the form: what was left out is told, never dropped. */
function taxWarnings(groups: readonly EntryGroup[], overridden: readonly number[]): Warning[] {
  const left = groups
    .filter(isKnown)
    .map((group) => ({ entries: group.entries, taxes: taxesLeftOut(group, overridden) }))
    .filter(({ taxes }) => taxes.length > 0)
  if (left.length === 0) return []
  const taxes = left.flatMap((one) => one.taxes)
  const amount = taxes.reduce((sum, one) => sum + one.amount, 0)
  const count = left.reduce((sum, { entries }) => sum + entries, 0)
  return [warning('taxes_left_out', { count, amount, concerns: [...new Set(taxes.map(({ code }) => code))] })]
}

/** The tax of article 42 is credit of whoever charges it in turn (D.L. 825, art. 45), and a cost of anybody else. */
function creditWarnings(sums: ReadonlyMap<number, number>, overridden: readonly number[]): Warning[] {
  const credit = DRINK_CREDITS.filter((code) => !overridden.includes(code) && (sums.get(code) ?? 0) > 0)
  if (credit.length === 0 || DRINK_DEBITS.some((code) => (sums.get(code) ?? 0) > 0)) return []
  const amount = credit.reduce((sum, code) => sum + (sums.get(code) ?? 0), 0)
  return [warning('tax_credit_without_sales', { amount, concerns: credit })]
}

/** What the registers hold and the proposal does not carry, or not for certain; `overridden` are codes filled by hand. */
export function leftOutWarnings(
  groups: readonly EntryGroup[],
  sums: ReadonlyMap<number, number>,
  inputs: F29Inputs,
  overridden: readonly number[],
): Warning[] {
  return [
    ...groupWarnings(groups, inputs, overridden),
    ...taxWarnings(groups, overridden),
    ...creditWarnings(sums, overridden),
  ]
}
