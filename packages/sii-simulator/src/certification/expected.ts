import type { Case, Item, Section } from './set.ts'

/** What a document of a case must come to, worked out from the set alone (Formato DTE v2.4.2, totals). */
export interface Amounts {
  readonly neto: number
  readonly exento: number
  readonly iva: number
  /** IVA that the buyer keeps back: a 46 and its notes, code 15, all of it. */
  readonly withheld: number
  readonly total: number
}

/** A line with what the case leaves to the document it refers to filled in. */
export interface ExpectedLine extends Item {
  /** The amounts that the line may have: the sets that only change a price do not tell the quantity. */
  readonly amounts: readonly number[]
}

export interface ExpectedDocument {
  readonly lines: readonly ExpectedLine[]
  /** More than one where a line may have more than one amount. */
  readonly totals: readonly Amounts[]
}

const IVA_PERCENT = 19

export function expectedOf(section: Section, one: Case): ExpectedDocument {
  const original = section.cases.find(({ number }) => number === one.reference?.case) ?? null
  if (one.reference?.code === 2) return { lines: [], totals: [NOTHING] }
  // It repeats what it annuls, which may itself be worth nothing.
  if (one.reference?.code === 1 && original !== null) return expectedOf(section, original)
  const lines = one.items.map((item) => expectedLine(item, original))
  const kept = section.kind === 'compra'
  const gross = section.kind === 'boletas' || section.kind === 'boletas_exentas'
  const totals = combinations(lines).map((amounts) => totalOf(lines, amounts, one.global_discount ?? 0, kept, gross))
  return { lines, totals }
}

const NOTHING: Amounts = { neto: 0, exento: 0, iva: 0, withheld: 0, total: 0 }

function expectedLine(item: Item, original: Case | null): ExpectedLine {
  const before = original?.items.find(({ name }) => name === item.name)
  const price = item.price ?? before?.price ?? 0
  const discount = item.discount ?? before?.discount ?? null
  const exempt = item.exempt || (before?.exempt ?? false)
  const quantities = item.quantity === null ? [before?.quantity ?? 1, 1] : [item.quantity]
  const amounts = [...new Set(quantities.map((quantity) => amountOf(quantity * price, discount ?? 0)))]
  return { ...item, price: item.price ?? before?.price ?? null, discount, exempt, amounts }
}

function amountOf(value: number, discount: number): number {
  const whole = halfUp(value)
  return whole - percent(whole, discount)
}

function combinations(lines: readonly ExpectedLine[]): number[][] {
  return lines.reduce<number[][]>(
    (found, { amounts }) => found.flatMap((before) => amounts.map((amount) => [...before, amount])),
    [[]],
  )
}

function totalOf(
  lines: readonly ExpectedLine[],
  amounts: readonly number[],
  discount: number,
  kept: boolean,
  gross: boolean,
): Amounts {
  const sum = (exempt: boolean) =>
    lines.reduce((total, line, at) => (line.exempt === exempt ? total + (amounts[at] ?? 0) : total), 0)
  const [taxed, exento] = [sum(false), sum(true)]
  // Lines of a boleta have the IVA in them, and it is what is left of the total (DTE rules, boletas).
  if (gross) {
    const neto = Math.round(taxed / 1.19)
    return { neto, exento, iva: taxed - neto, withheld: 0, total: taxed + exento }
  }
  const neto = taxed - percent(taxed, discount)
  const iva = percent(neto, IVA_PERCENT)
  const withheld = kept ? iva : 0
  return { neto, exento, iva, withheld, total: neto + exento + iva - withheld }
}

/** A percentage of whole pesos in whole pesos, half a peso upwards; no fraction is ever held in floating point. */
export function percent(amount: number, rate: number): number {
  return Math.floor((amount * rate * 2 + 100) / 200)
}

function halfUp(value: number): number {
  return Math.floor(value + 0.5)
}
