import type { PricedAdjustment, PricedItem } from '../document/document.ts'
import { ivaOn } from '../document/money.ts'
import { additionalTax } from '../tables/additional-taxes.ts'
import { type AnyDte, isUnissued, type UnissuedDte } from '../unissued/document.ts'
import { BILLING_MARKS, EXEMPT_MARK, TOTAL_LABELS } from './copy.ts'
import { decimal, pesos } from './format.ts'
import { printedTipo } from './tipo.ts'

export interface PrintedItem {
  readonly code: string
  readonly description: string
  /** Under the description: what the line is besides a sale, and its detail. */
  readonly marks: string
  readonly detail: string
  readonly quantity: string
  readonly unit: string
  readonly unit_price: string
  /** The discount or surcharge as an amount, which is how the SII wants it printed. */
  readonly adjustment: string
  readonly adjustment_percent: string
  readonly amount: string
}

export function printedItems(dte: AnyDte): PrintedItem[] {
  return dte.items.map((item) => ({
    code: item.code?.value ?? '',
    description: item.description,
    marks: marksOf(dte, item),
    detail: item.detail ?? '',
    quantity: item.quantity === undefined ? '' : decimal(item.quantity),
    unit: item.unit ?? '',
    unit_price: item.unit_price === undefined ? '' : decimal(item.unit_price),
    ...adjustmentOf(item),
    // An export is in its currency, with decimals; the rest are whole pesos.
    amount: decimal(item.billing === 'non_billable_negative' ? -item.amount : item.amount),
  }))
}

function marksOf(dte: AnyDte, item: PricedItem): string {
  // In a tipo without IVA every line is exempt and the mark would only be noise.
  const exempt = item.exempt && printedTipo(dte.tipo_dte).taxed ? EXEMPT_MARK : ''
  const billing = item.billing ? BILLING_MARKS[item.billing] : ''
  const tax = item.additional_tax === undefined ? '' : taxName(item.additional_tax)
  return [exempt, billing, tax].filter(Boolean).join(' · ')
}

function adjustmentOf(item: PricedItem): Pick<PrintedItem, 'adjustment' | 'adjustment_percent'> {
  const moved = (item.surcharge_amount ?? 0) - (item.discount_amount ?? 0)
  const percents = [item.discount?.percent, item.surcharge?.percent].filter((percent) => percent !== undefined)
  return {
    adjustment: moved === 0 ? '' : moved > 0 ? `+${decimal(moved)}` : decimal(moved),
    adjustment_percent: percents.map((percent) => `${decimal(percent)} %`).join(', '),
  }
}

function taxName(code: number): string {
  return additionalTax(code)?.name ?? `Impuesto ${code}`
}

export interface TotalRow {
  readonly label: string
  readonly amount: string
  /** The amount that is owed, or the last one when the document adds a balance to it. */
  readonly strong?: boolean
}

/** The totals of the tipo, in the order they add up. A part that the document does not carry is not printed. */
export function totalRows(dte: AnyDte): TotalRow[] {
  if (isUnissued(dte) && dte.totals.currency !== undefined) return exportRows(dte, dte.totals.currency)
  const { totals } = dte
  const rate = totals.iva_rate ?? ivaOn(dte.issue_date)
  const due = totals.amount_due ?? totals.period_total
  const rows: (TotalRow | null)[] = [
    ...adjustmentRows(dte),
    amountRow(TOTAL_LABELS.net, totals.net),
    amountRow(TOTAL_LABELS.exempt, totals.exempt),
    amountRow(`${TOTAL_LABELS.iva} ${decimal(rate)} %`, totals.iva),
    ...taxRows(dte),
    amountRow(TOTAL_LABELS.iva_not_withheld, totals.iva_not_withheld),
    amountRow(TOTAL_LABELS.construction_credit, totals.construction_credit, -1),
    amountRow(TOTAL_LABELS.deposit, totals.deposit),
    ...commissionRows(dte),
    { label: TOTAL_LABELS.total, amount: pesos(totals.total), strong: due === undefined },
    amountRow(TOTAL_LABELS.non_billable, totals.non_billable),
    amountRow(TOTAL_LABELS.period_total, totals.period_total),
    amountRow(TOTAL_LABELS.previous_balance, totals.previous_balance),
    due === undefined ? null : { label: TOTAL_LABELS.amount_due, amount: pesos(due), strong: true },
  ]
  return rows.filter((row) => row !== null)
}

/** An export says its amounts in its own currency, and in another, mostly pesos, what they come to. */
function exportRows(dte: UnissuedDte, currency: string): TotalRow[] {
  const { totals, other_currency } = dte
  const said = (label: string, amount: number, unit: string, strong = false): TotalRow => ({
    label: `${label} ${unit}`,
    amount: decimal(amount),
    strong,
  })
  return [
    ...adjustmentRows(dte),
    ...(totals.exempt === undefined ? [] : [said(TOTAL_LABELS.exempt, totals.exempt, currency)]),
    said(TOTAL_LABELS.total, totals.total, currency, true),
    ...(other_currency ? [said(TOTAL_LABELS.total, other_currency.total, other_currency.currency)] : []),
  ]
}

/** What the mandatario keeps is taken off the total of a liquidación. */
function commissionRows(dte: AnyDte): TotalRow[] {
  if (!isUnissued(dte)) return []
  const { commissions = [], totals } = dte
  const rows = commissions.map(({ kind, description, rate, net, exempt }) => {
    const label = TOTAL_LABELS[kind === 'commission' ? 'commission' : 'other_charge']
    const percent = rate === undefined ? '' : ` ${decimal(rate)} %`
    return { label: `${label}${percent}: ${description}`, amount: pesos(-(net + exempt)) }
  })
  const iva = totals.commissions?.iva
  return iva ? [...rows, { label: TOTAL_LABELS.commission_iva, amount: pesos(-iva) }] : rows
}

function amountRow(label: string, amount: number | undefined, sign: 1 | -1 = 1): TotalRow | null {
  return amount === undefined ? null : { label, amount: pesos(sign * amount) }
}

function taxRows(dte: AnyDte): TotalRow[] {
  return (dte.totals.taxes ?? []).map(({ code, rate, amount }) => {
    const label = rate === undefined ? taxName(code) : `${taxName(code)} ${decimal(rate)} %`
    return { label, amount: pesos(additionalTax(code)?.kind === 'withheld' ? -amount : amount) }
  })
}

function adjustmentRows(dte: AnyDte): TotalRow[] {
  const row = (adjustment: PricedAdjustment, label: string, sign: 1 | -1): TotalRow => {
    const percent = adjustment.percent === undefined ? '' : ` ${decimal(adjustment.percent)} %`
    const reason = adjustment.reason ? `: ${adjustment.reason}` : ''
    const exempt = adjustment.applies_to === 'exempt' && printedTipo(dte.tipo_dte).taxed ? ' exento' : ''
    const moved = sign * adjustment.applied
    const amount = isUnissued(dte) && dte.totals.currency !== undefined ? decimal(moved) : pesos(moved)
    return { label: `${label}${exempt}${percent}${reason}`, amount }
  }
  return [
    ...(dte.discounts ?? []).map((discount) => row(discount, TOTAL_LABELS.discount, -1)),
    ...(dte.surcharges ?? []).map((surcharge) => row(surcharge, TOTAL_LABELS.surcharge, 1)),
  ]
}
