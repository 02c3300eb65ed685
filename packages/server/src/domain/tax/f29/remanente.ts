import type { Indicators } from '../../platform/indicator/indicators.ts'
import { timesFraction } from './ratio.ts'
import { type Warning, warning } from './warnings.ts'

/**
 * A remanente in the pesos of the month it is used in: turned into UTM of the month its declaration was due in, and
 * back into pesos of the month this one is due in (D.L. 825, art. 27).
 */
function readjusted(remanente: number, utm_when_due: number, utm_when_used: number): number {
  return timesFraction(remanente, utm_when_used, utm_when_due)
}

/** The credit left over from the period before. */
export interface Remanente {
  /** Code 77 of the period before, or what the form carries over likewise; null where it is not known. */
  readonly amount: number | null
  /** The month the period before was due in, `YYYY-MM`, and the month this one is. */
  readonly month_when_due: string
  readonly month_when_used: string
}

/**
 * The amount of its code, with a warning where it is not certain. An override of the code silences the warning that it was
 * not readjusted.
 */
export function readjustRemanente(
  { amount, month_when_due, month_when_used }: Remanente,
  { overridden, indicators }: { readonly overridden: boolean; readonly indicators: Indicators },
): { amount: number; warnings: Warning[] } {
  if (amount === null) return { amount: 0, warnings: overridden ? [] : [warning('previous_remanente_unknown')] }
  if (amount === 0) return { amount: 0, warnings: [] }
  const [due, used] = [indicators.of('utm', month_when_due), indicators.of('utm', month_when_used)]
  const months = [month_when_due, month_when_used]
  const monthsWhere = (wanted: (found: typeof due) => boolean) =>
    months.filter((_, i) => wanted([due, used][i] ?? null))
  if (due === null || used === null) {
    const concerns = monthsWhere((found) => found === null)
    return { amount, warnings: overridden ? [] : [warning('utm_missing', { amount, concerns })] }
  }
  const invented = overridden ? [] : monthsWhere((found) => found?.invented === true).map((month) => `UTM ${month}`)
  const warnings = invented.length > 0 ? [warning('indicators_invented', { concerns: invented })] : []
  return { amount: readjusted(amount, due.units, used.units), warnings }
}
