import type { Totals } from '@timbre/dte/draft'

/**
 * The pesos that a document commits an empresa to, in either direction. Lines that are not billed and the balance of before are no
 * part of its total, and are asked for on the same page: the largest of the three counts.
 */
export function committedBy({ total, period_total = total, amount_due = period_total }: Totals): number {
  return Math.max(Math.abs(total), Math.abs(period_total), Math.abs(amount_due))
}
