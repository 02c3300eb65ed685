import type { Dte, DteDraft, PricedItem, Totals } from './document.ts'
import { applyAdjustments, bucketOf, priceItem, type Sums, sumLines } from './lines.ts'
import { ivaOn, netOfGross, percentOf } from './money.ts'
import { type Mutable, mutableCopy } from './mutable.ts'
import { computeTaxes, type Taxes } from './taxes.ts'
import { tipo } from './tipos.ts'

export type Priced = Pick<Dte, 'items' | 'discounts' | 'surcharges' | 'totals'>

/**
 * Prices a document in whole pesos (SII, Formato DTE v2.4.2, Totales; Formato de Boletas v4.1). Rounding happens at
 * the line, at each percentage and at the IVA, half away from zero, and nowhere else. The draft is one that
 * `checkDraft` accepted: amounts that no document can carry throw.
 */
export function priceDraft(draft: DteDraft): Priced {
  const items = draft.items.map(priceItem)
  const before = sumLines(draft.tipo_dte, items)
  const { sums, discounts, surcharges } = applyAdjustments(draft, before)
  const { net, iva, rate } = splitTaxed(draft, sums.taxed)
  const taxes = computeTaxes(draft, items, { before: before.taxed, after: sums.taxed, iva, iva_rate: rate })
  return {
    items,
    discounts: draft.discounts === undefined ? undefined : discounts,
    surcharges: draft.surcharges === undefined ? undefined : surcharges,
    totals: composeTotals(draft, items, sums, { net, iva, rate }, taxes),
  }
}

/** The totals alone. */
export function computeTotals(draft: DteDraft): Totals {
  return priceDraft(draft).totals
}

/** The document a draft becomes once it has its folio. */
export function completeDraft(draft: DteDraft, folio: number): Dte {
  const { items, discounts, surcharges, totals } = priceDraft(draft)
  const dte = mutableCopy(draft) as Mutable<Dte>
  dte.folio = folio
  dte.items = items
  dte.discounts = discounts
  dte.surcharges = surcharges
  dte.totals = totals
  return dte
}

interface Split {
  readonly net: number
  readonly iva: number
  readonly rate: number
}

/** Whether `unit_price` carries IVA: boletas by default, the others when they say so. */
export function hasGrossPrices(draft: Pick<DteDraft, 'tipo_dte' | 'gross_prices'>): boolean {
  return draft.gross_prices ?? tipo(draft.tipo_dte).prices === 'gross'
}

/**
 * A gross amount is split by subtraction, never by rounding both parts: 680 is 571 + 109, while 19 % of 571 is 108 and
 * would move the total that the customer paid.
 */
function splitTaxed(draft: DteDraft, taxed: number): Split {
  const rate = ivaOn(draft.issue_date)
  if (!hasGrossPrices(draft)) return { net: taxed, iva: percentOf(taxed, rate), rate }
  const net = netOfGross(taxed, rate)
  return { net, iva: taxed - net, rate }
}

function composeTotals(
  draft: DteDraft,
  items: readonly PricedItem[],
  sums: Sums,
  { net, iva, rate }: Split,
  taxes: Taxes,
): Totals {
  const buckets = new Set(items.map((item) => bucketOf(draft.tipo_dte, item)))
  const { family, envelope } = tipo(draft.tipo_dte)
  // A guía that moves goods without selling them has no price to print, only a total of zero.
  const taxed = net !== 0 || (buckets.has('taxed') && family !== 'guia')
  const exempt = sums.exempt !== 0 || (buckets.has('exempt') && family !== 'guia')
  const credit = draft.construction_credit ?? 0
  const not_withheld = taxes.withheld_iva === null ? 0 : iva - taxes.withheld_iva
  const total = net + sums.exempt + iva + taxes.added - taxes.withheld + sums.deposit - credit
  const totals: Mutable<Totals> = {} as Totals
  if (taxed) totals.net = net
  if (exempt) totals.exempt = sums.exempt
  // The boleta's schema has no rate.
  if (taxed && envelope === 'EnvioDTE') totals.iva_rate = rate
  if (taxed) totals.iva = iva
  if (taxes.lines.length > 0) totals.taxes = taxes.lines
  if (not_withheld > 0) totals.iva_not_withheld = not_withheld
  if (credit > 0) totals.construction_credit = credit
  if (sums.deposit > 0) totals.deposit = sums.deposit
  totals.total = total
  addPeriod(totals, draft, buckets.has('non_billable') ? sums.non_billable : null)
  return totals
}

/** What is collected with the document without being part of its sale. */
function addPeriod(totals: Mutable<Totals>, { previous_balance }: DteDraft, non_billable: number | null): void {
  const period_total = totals.total + (non_billable ?? 0)
  if (non_billable !== null) {
    totals.non_billable = non_billable
    totals.period_total = period_total
  }
  if (previous_balance !== undefined) {
    totals.previous_balance = previous_balance
    totals.amount_due = period_total + previous_balance
  }
}
