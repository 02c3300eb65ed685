import { type AdditionalTax, additionalTax } from '../tables/additional-taxes.ts'
import type { DteDraft, PricedItem, TaxLine } from './document.ts'
import { bucketOf } from './lines.ts'
import { percentOf, shareOf } from './money.ts'
import { TIPO, type TipoDte } from './tipos.ts'

export interface Taxes {
  readonly lines: readonly TaxLine[]
  /** Pesos that raise the total. */
  readonly added: number
  /** Pesos that the receptor keeps back. */
  readonly withheld: number
  /** The part of `withheld` that is IVA; null when no code withholds IVA. */
  readonly withheld_iva: number | null
}

/** The taxed amount of the lines before and after the document's own discounts and surcharges, and their IVA. */
export interface TaxedBase {
  readonly before: number
  readonly after: number
  readonly iva: number
  readonly iva_rate: number
}

const SUPLEMENTEROS = 53

/**
 * Taxes by code. Each amount is rounded once, from the lines of its code with their share of the global discounts:
 * otherwise a total withholding would keep back more IVA than the document has.
 */
export function computeTaxes(draft: DteDraft, items: readonly PricedItem[], taxed: TaxedBase): Taxes {
  const lines: TaxLine[] = []
  for (const [code, base] of basesByCode(draft, items)) {
    const tax = additionalTax(code)
    if (tax !== null && tax.kind !== 'stated') lines.push(taxLine(code, tax, base, taxed))
  }
  for (const { code, amount } of draft.stated_taxes ?? []) lines.push({ code, amount })
  const settled = settleFullWithholding(draft, items, lines, taxed.iva)
  return { lines: settled, ...sumTaxes(settled) }
}

function basesByCode(draft: DteDraft, items: readonly PricedItem[]): Map<number, number> {
  const bases = new Map<number, number>()
  for (const item of items) {
    if (item.additional_tax === undefined || bucketOf(draft.tipo_dte, item) !== 'taxed') continue
    const special = additionalTax(item.additional_tax)?.base
    const base = special === undefined ? item.amount : (item.retention_agent?.[special] ?? 0)
    bases.set(item.additional_tax, (bases.get(item.additional_tax) ?? 0) + base)
  }
  return bases
}

function taxLine(code: number, tax: AdditionalTax, base: number, { before, after, iva_rate }: TaxedBase): TaxLine {
  const rate = tax.rate === 'full' ? iva_rate : (tax.rate ?? 0)
  const shared = tax.base === undefined && before !== 0
  const amount = shared ? shareOf(base, rate, after, before) : shareOf(base, rate, 1, 1)
  // The schema has no rate of zero (PctType starts at 0.01): code 49 travels without one.
  return rate === 0 ? { code, amount } : { code, rate, amount }
}

/**
 * Withholding under more than one code is rounded in parts, which may miss the IVA by a peso. When every taxed line
 * withholds all its IVA the last full code takes the difference, since nothing is left to pay; in no case is more
 * withheld than the document has.
 */
function settleFullWithholding(
  draft: DteDraft,
  items: readonly PricedItem[],
  lines: readonly TaxLine[],
  iva: number,
): readonly TaxLine[] {
  const full = (code: number | undefined) => code !== undefined && additionalTax(code)?.rate === 'full'
  const last = lines.findLastIndex(({ code }) => full(code))
  if (last < 0) return lines
  const others = lines.reduce(
    (sum, { code, amount }, index) => (withholdsIva(code) && index !== last ? sum + amount : sum),
    0,
  )
  const everyLine = items.every((item) => bucketOf(draft.tipo_dte, item) !== 'taxed' || full(item.additional_tax))
  const limit = iva - others
  return lines.map((line, index) =>
    index === last ? { ...line, amount: everyLine ? limit : Math.min(line.amount, limit) } : line,
  )
}

const withholdsIva = (code: number) => code !== SUPLEMENTEROS && additionalTax(code)?.kind === 'withheld'

export function sumTaxes(lines: readonly TaxLine[]): Omit<Taxes, 'lines'> {
  let added = 0
  let withheld = 0
  let withheld_iva: number | null = null
  for (const { code, amount } of lines) {
    if (additionalTax(code)?.kind !== 'withheld') {
      added += amount
      continue
    }
    withheld += amount
    if (withholdsIva(code)) withheld_iva = (withheld_iva ?? 0) + amount
  }
  return { added, withheld, withheld_iva }
}

/**
 * The special credit of building firms, CredEC: at most 65 % of the IVA (art. 21 D.L. 910 of 1975; less since Ley 21.420,
 * but for works that were begun before), and never of IVA that the receptor keeps back. Taxed sales alone have one.
 */
const CREDIT_PERCENT = 65
export const CREDIT_TIPOS: readonly TipoDte[] = [TIPO.factura, TIPO.guia, TIPO.nota_de_debito, TIPO.nota_de_credito]

export function creditLimit(tipo_dte: TipoDte, iva: number, { withheld_iva }: Pick<Taxes, 'withheld_iva'>): number {
  if (!CREDIT_TIPOS.includes(tipo_dte)) return 0
  return Math.max(0, Math.min(percentOf(iva, CREDIT_PERCENT), iva - (withheld_iva ?? 0)))
}
