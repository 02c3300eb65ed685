import { timesFraction } from './ratio.ts'
import { type Warning, warning } from './warnings.ts'

/**
 * Pesos of the unidad tributaria mensual, by month, as the SII published them. There is no feed: a month that is not
 * here is not guessed. Each follows from the one before by the published variation of the IPC, which is how they were
 * checked.
 */
const UTM_BY_YEAR: Readonly<Record<number, readonly (number | null)[]>> = {
  2018: [47_019, 47_066, 47_301, 47_301, 47_396, 47_538, 47_681, 47_729, 47_920, 48_016, 48_160, 48_353],
  2019: [48_353, 48_305, 48_353, 48_353, 48_595, 48_741, 49_033, 49_033, 49_131, 49_229, 49_229, 49_623],
  2020: [49_673, 49_723, 50_021, 50_221, 50_372, 50_372, 50_322, 50_272, 50_322, 50_372, 50_674, 51_029],
  2021: [50_978, 51_131, 51_489, 51_592, 51_798, 52_005, 52_161, 52_213, 52_631, 52_842, 53_476, 54_171],
  2024: [null, null, null, null, null, null, null, null, null, null, null, 67_294],
  2025: [67_429, 67_294, 68_034, 68_306, 68_648, 68_785, 68_923, 68_647, 69_265, 69_265, 69_542, 69_542],
  2026: [69_751, 69_611],
}

/** The UTM of a month `YYYY-MM`, or null where it is not known here. */
export function utmOf(month: string): number | null {
  const [year = 0, of_year = 0] = month.split('-').map(Number)
  return UTM_BY_YEAR[year]?.[of_year - 1] ?? null
}

/**
 * A remanente in the pesos of the month it is used in: turned into UTM of the month its declaration was due in, and
 * back into pesos of the month this one is due in (D.L. 825, art. 27).
 */
function readjusted(remanente: number, utm_when_due: number, utm_when_used: number): number {
  return timesFraction(remanente, utm_when_used, utm_when_due)
}

/** The credit left over from the period before. */
export interface Remanente {
  /** Code 77 of the period before; null where it is not known. */
  readonly amount: number | null
  /** The month the period before was due in, `YYYY-MM`, and the month this one is. */
  readonly month_when_due: string
  readonly month_when_used: string
}

/** The amount of code 504, with a warning where it is not certain. An override of the code silences the warning. */
export function readjustRemanente(
  { amount, month_when_due, month_when_used }: Remanente,
  { overridden }: { readonly overridden: boolean },
): { amount: number; warnings: Warning[] } {
  if (amount === null) return { amount: 0, warnings: overridden ? [] : [warning('previous_remanente_unknown')] }
  if (amount === 0) return { amount: 0, warnings: [] }
  const [due, used] = [utmOf(month_when_due), utmOf(month_when_used)]
  if (due !== null && used !== null) return { amount: readjusted(amount, due, used), warnings: [] }
  const concerns = [...(due === null ? [month_when_due] : []), ...(used === null ? [month_when_used] : [])]
  return { amount, warnings: overridden ? [] : [warning('utm_missing', { amount, concerns })] }
}
