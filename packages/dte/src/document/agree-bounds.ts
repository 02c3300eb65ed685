import { type AdditionalTax, additionalTax, tiposOfTax } from '../tables/additional-taxes.ts'
import type { Dte, PricedItem } from './document.ts'
import { bucketOf } from './lines.ts'
import { ivaOn, percentOf } from './money.ts'
import { creditLimit, sumTaxes } from './taxes.ts'

/**
 * Bounds of what a document adds to its total or takes from it without a line that gives the amount. The total is what
 * its timbre says: each of these that could be as large as one likes would hide any IVA behind a true timbre.
 */

/**
 * Specific taxes on fuels, in percent of the lines that carry them. The variable part of the tax may turn the whole
 * into a subsidy (Ley 20.765), which came to a quarter of the price of diesel in 2022; in the cheapest year the tax was
 * more than the price.
 */
const FUELS: readonly number[] = [28, 35, 51, 52]
const FUEL_PERCENTS = { least: -30, most: 300 }

/** A newspaper is sold for more than its seller pays (art. 74 Nº 5 LIR), and never for three times as much. */
const MOST_CONSUMER_PRICE = 3

/** Whether CredEC is more than the law gives, or stands where there is none; `slack` in pesos. */
export function isCreditTooLarge({ tipo_dte, totals }: Dte, slack: number): boolean {
  const { construction_credit = 0, iva = 0, taxes = [] } = totals
  return construction_credit < 0 || construction_credit > creditLimit(tipo_dte, iva, sumTaxes(taxes)) + slack
}

/** Whether IVANoRet, which is a part of the IVA, is more than all of it. */
export function isUnwithheldTooLarge({ totals: { iva = 0, iva_not_withheld = 0 } }: Dte, slack: number): boolean {
  return iva_not_withheld < 0 || iva_not_withheld > iva + slack
}

/** Whether a tax is withheld where nobody withholds it, or an amount that no line gives is beyond what it can be. */
export function areTaxesTooLarge(dte: Dte, slack: number): boolean {
  const misplaced = (dte.totals.taxes ?? []).some(
    ({ code, amount }) =>
      amount !== 0 && additionalTax(code)?.kind === 'withheld' && !tiposOfTax(code).includes(dte.tipo_dte),
  )
  return misplaced || dte.items.some(hasWrongBase) || statedOf(dte).some((stated) => isBeyond(dte, stated, slack))
}

/** A base that its emitter states beside the line (`Retenedor`): what is added may not be negative, nor withheld at will. */
function hasWrongBase({ additional_tax, retention_agent, amount }: PricedItem): boolean {
  const tax: AdditionalTax | null = additional_tax === undefined ? null : additionalTax(additional_tax)
  if (tax?.base === undefined) return false
  const base = retention_agent?.[tax.base] ?? 0
  return base < 0 || (tax.kind === 'withheld' && base > MOST_CONSUMER_PRICE * amount)
}

interface Stated {
  readonly code: number
  readonly amount: number
}

function statedOf({ totals }: Dte): readonly Stated[] {
  const amounts = new Map<number, number>()
  for (const { code, amount } of totals.taxes ?? []) {
    if (additionalTax(code)?.kind === 'stated') amounts.set(code, (amounts.get(code) ?? 0) + amount)
  }
  return [...amounts].map(([code, amount]) => ({ code, amount }))
}

/** Emitters forget to mark the lines of a tax that is added; one that is taken off needs them. */
function isBeyond(dte: Dte, { code, amount }: Stated, slack: number): boolean {
  const taxed = dte.items.filter((item) => bucketOf(dte.tipo_dte, item) === 'taxed')
  const own = taxed.filter(({ additional_tax }) => additional_tax === code)
  const sum = (items: readonly PricedItem[]) => items.reduce((total, item) => total + item.amount, 0)
  // The other stated taxes are IVA on a margin, which is part of the price: codes 14 and 50.
  const { least, most } = FUELS.includes(code) ? FUEL_PERCENTS : { least: 0, most: ivaOn(dte.issue_date) }
  const base = sum(own.length > 0 ? own : taxed)
  return amount < percentOf(sum(own), least) - slack || amount > percentOf(base, most) + slack
}
