import type { Dte } from '@timbre/dte/draft'
import { additionalTax, ivaOn } from '@timbre/dte/values'

const FULL_WITHHOLDING = 15

/**
 * The totals of a document once more, by an arithmetic of its own and from its lines alone, as a reviewer does them: a
 * mistake of the engine must not agree with itself (SII, Formato DTE v2.4.2, Totales).
 */
export interface Recomputed {
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly total: number
}

export function recompute(dte: Dte): Recomputed {
  const gross = dte.gross_prices ?? (dte.tipo_dte === 39 || dte.tipo_dte === 41)
  const rate = BigInt(ivaOn(dte.issue_date))
  let taxed = 0n
  let exempt = 0n
  for (const item of dte.items) {
    const line = lineOf(item)
    if (item.exempt === true || dte.tipo_dte === 34 || dte.tipo_dte === 41) exempt += line
    else taxed += line
  }
  for (const { percent = 0, applies_to = 'taxed' } of dte.discounts ?? []) {
    if (applies_to === 'taxed') taxed -= share(taxed, percent)
    else exempt -= share(exempt, percent)
  }
  const net = gross ? halfUp(taxed * 100n, 100n + rate) : taxed
  const iva = gross ? taxed - net : halfUp(net * rate, 100n)
  const withheld = dte.items.some(({ additional_tax }) => additional_tax === FULL_WITHHOLDING) ? iva : 0n
  const total = net + exempt + iva - withheld + addedTaxes(dte)
  return { net: Number(net), exempt: Number(exempt), iva: Number(iva), total: Number(total) }
}

/** Additional taxes over the lines of each code. No set has any; goods of the empresa may. */
function addedTaxes({ items }: Dte): bigint {
  const bases = new Map<number, bigint>()
  for (const item of items) {
    const { additional_tax: code } = item
    if (code !== undefined && code !== FULL_WITHHOLDING) bases.set(code, (bases.get(code) ?? 0n) + lineOf(item))
  }
  return [...bases].reduce((sum, [code, base]) => {
    const tax = additionalTax(code)
    return tax?.kind === 'added' && typeof tax.rate === 'number' ? sum + share(base, tax.rate) : sum
  }, 0n)
}

function lineOf({ quantity = 1, unit_price = 0, discount }: Dte['items'][number]): bigint {
  const product = BigInt(Math.round(quantity * 1e6)) * BigInt(Math.round(unit_price * 1e4))
  const line = halfUp(product, 10n ** 10n)
  return line - (discount?.percent === undefined ? 0n : share(line, discount.percent))
}

const share = (amount: bigint, percent: number) => halfUp(amount * BigInt(Math.round(percent * 100)), 10_000n)

const halfUp = (dividend: bigint, divisor: bigint) => (dividend * 2n + divisor) / (divisor * 2n)
