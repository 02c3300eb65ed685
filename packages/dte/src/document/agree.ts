import { additionalTax } from '../tables/additional-taxes.ts'
import { areTaxesTooLarge, isCreditTooLarge, isUnwithheldTooLarge } from './agree-bounds.ts'
import type { Dte, PricedItem, Totals } from './document.ts'
import { applyAdjustments, priceItem, sumLines } from './lines.ts'
import { decimalsOf, ivaOn, netOfGross, percentOf } from './money.ts'
import { computeTaxes, sumTaxes } from './taxes.ts'
import { tipo } from './tipos.ts'
import { hasGrossPrices } from './totals.ts'

/** An amount of somebody else's document that its lines do not give. */
export type DisputedAmount =
  | 'net'
  | 'exempt'
  | 'iva'
  | 'taxes'
  | 'deposit'
  | 'construction_credit'
  | 'iva_not_withheld'
  | 'total'

export interface Agreement {
  /** Amounts that do not follow from the lines. */
  readonly totals: readonly DisputedAmount[]
  /** Lines, from 0, whose amount is not their quantity times their price. */
  readonly lines: readonly number[]
}

/**
 * Whether the amounts of a received document follow from each other as ours do. Null when that cannot be told: a tax
 * that is not in the table, amounts beyond what a number holds. The SII states no tolerance and refuses nobody over
 * a peso (a wrong IVA is at most a reparo); each rounding of an emitter may differ from ours by one, and no more.
 */
export function checkAgreement(dte: Dte): Agreement | null {
  try {
    return agreementOf(dte)
  } catch (failure) {
    if (failure instanceof RangeError) return null
    throw failure
  }
}

function agreementOf(dte: Dte): Agreement | null {
  const { tipo_dte, items, totals } = dte
  // A guía that sells nothing may price its goods and still total nothing (Formato DTE v2.4.2, guías).
  if (tipo(tipo_dte).family === 'guia' && totals.total === 0) return { totals: partsOfNothing(totals), lines: [] }
  if ((totals.taxes ?? []).some(({ code }) => additionalTax(code) === null)) return null
  const lines = items.flatMap((item, index) => (lineAgrees(item) ? [] : [index]))
  const expected = expectedOf(dte)
  if (!Object.values(expected).every(Number.isSafeInteger)) return null
  const roundings = items.length + (dte.discounts?.length ?? 0) + (dte.surcharges?.length ?? 0)
  const slack = 1 + roundings
  const differ = (stated: number | undefined, computed: number) => Math.abs((stated ?? 0) - computed) > slack
  // A boleta need not tell its parts: only those that it tells can be wrong.
  const partial = tipo(tipo_dte).envelope !== 'EnvioDTE'
  const parts = (['net', 'exempt', 'iva'] as const).filter(
    (name) => expected[name] < 0 || (!(partial && totals[name] === undefined) && differ(totals[name], expected[name])),
  )
  const others: readonly (readonly [DisputedAmount, boolean])[] = [
    ['taxes', taxesDiffer(dte, expected.taxed, differ) || areTaxesTooLarge(dte, slack)],
    ['deposit', expected.deposit < 0 || differ(totals.deposit, expected.deposit)],
    ['construction_credit', isCreditTooLarge(dte, slack)],
    ['iva_not_withheld', isUnwithheldTooLarge(dte, slack)],
    ['total', differ(totals.total, totalOf(totals, partial ? expected : {}))],
  ]
  return { totals: [...parts, ...others.flatMap(([name, wrong]) => (wrong ? [name] : []))], lines }
}

/** What totals nothing has no IVA either. */
function partsOfNothing({ taxes, ...totals }: Totals): readonly DisputedAmount[] {
  const parts = (['net', 'exempt', 'iva', 'deposit', 'construction_credit'] as const).filter((name) => totals[name])
  return (taxes ?? []).some(({ amount }) => amount !== 0) ? [...parts, 'taxes'] : parts
}

interface Expected {
  /** Of the lines, after the document's own discounts and surcharges. */
  readonly taxed: number
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly deposit: number
}

function expectedOf(dte: Dte): Expected {
  const { taxed, exempt, deposit } = applyAdjustments(dte, sumLines(dte.tipo_dte, dte.items)).sums
  const rate = ivaOn(dte.issue_date)
  if (!hasGrossPrices(dte)) return { taxed, net: taxed, exempt, iva: percentOf(taxed, rate), deposit }
  const net = netOfGross(taxed, rate)
  return { taxed, net, exempt, iva: taxed - net, deposit }
}

type Differ = (stated: number | undefined, computed: number) => boolean

/** Taxes at a rate, code by code. A tax by volume is as its emitter states it. */
function taxesDiffer(dte: Dte, after: number, differ: Differ): boolean {
  const before = sumLines(dte.tipo_dte, dte.items).taxed
  const { iva = 0, taxes = [] } = dte.totals
  const base = { before, after, iva, iva_rate: ivaOn(dte.issue_date) }
  const computed = computeTaxes({ ...dte, stated_taxes: [] }, dte.items, base).lines
  const amounts = (lines: NonNullable<Totals['taxes']>, wanted: number) =>
    lines.reduce((sum, { code, amount }) => (code === wanted ? sum + amount : sum), 0)
  const codes = new Set([...taxes, ...computed].map(({ code }) => code))
  return [...codes].some(
    (code) => additionalTax(code)?.kind !== 'stated' && differ(amounts(taxes, code), amounts(computed, code)),
  )
}

/** MntTotal by the document's own parts (Formato DTE v2.4.2, Totales); by ours where a boleta leaves them out. */
function totalOf(totals: Totals, missing: Partial<Expected>): number {
  const { added, withheld } = sumTaxes(totals.taxes ?? [])
  const { net = missing.net, exempt = missing.exempt, iva = missing.iva, deposit = 0, construction_credit = 0 } = totals
  return (net ?? 0) + (exempt ?? 0) + (iva ?? 0) + added - withheld + deposit - construction_credit
}

/** A price or a quantity that was cut to its decimals may be off by one unit of the last of them. */
function lineAgrees(item: PricedItem): boolean {
  const { quantity, unit_price, amount } = item
  if (quantity === undefined || unit_price === undefined) return true
  const price_step = quantity * 10 ** -decimalsOf(unit_price)
  const quantity_step = Number.isInteger(quantity) ? 0 : unit_price * 10 ** -decimalsOf(quantity)
  return Math.abs(priceItem(item).amount - amount) <= 2 + price_step + quantity_step
}
