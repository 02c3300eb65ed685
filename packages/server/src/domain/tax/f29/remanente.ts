import type { Override } from './override.ts'
import { readjusted, utmOf } from './utm.ts'
import { type Warning, warning } from './warnings.ts'

/** The credit left over from the period before. */
export interface Remanente {
  /** Code 77 of the period before; null where it is not known. */
  readonly amount: number | null
  /** The month the period before was due in, `YYYY-MM`, and the month this one is. */
  readonly month_when_due: string
  readonly month_when_used: string
}

/** What code 504 is, and what stands in the way of knowing it. */
export function remanenteOf(
  { amount, month_when_due, month_when_used }: Remanente,
  overrides: readonly Override[],
): { amount: number; warnings: Warning[] } {
  const settled = overrides.some(({ code }) => code === 504)
  if (amount === null) return { amount: 0, warnings: settled ? [] : [warning('previous_remanente_unknown')] }
  if (amount === 0) return { amount: 0, warnings: [] }
  const [due, used] = [utmOf(month_when_due), utmOf(month_when_used)]
  if (due !== null && used !== null) return { amount: readjusted(amount, due, used), warnings: [] }
  const concerns = [...(due === null ? [month_when_due] : []), ...(used === null ? [month_when_used] : [])]
  return { amount, warnings: settled ? [] : [warning('utm_missing', { amount, concerns })] }
}
