import { DECIMALS, type Indicator, type Indicators } from './indicators.ts'

/**
 * Pesos of the unidad tributaria mensual, by month, as the SII published them. There is no feed: a month that is neither
 * here nor loaded is not guessed. Each follows from the one before by the published variation of the IPC, which is how
 * they were checked.
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

/** Percentage for each day of delay, by half year: Res. Ex. SII 133 of 2024 and 75 of 2025 (Código Tributario, art. 53). */
const INTEREST = { '2025-01': '0.0225555556', '2025-07': '0.0222222222' } as const

function shippedUtm(): [string, number][] {
  return Object.entries(UTM_BY_YEAR).flatMap(([year, months]) =>
    months.flatMap((pesos, i): [string, number][] =>
      pesos === null ? [] : [[`utm ${year}-${String(i + 1).padStart(2, '0')}`, pesos]],
    ),
  )
}

const SHIPPED_UNITS: ReadonlyMap<string, number> = new Map([
  ...shippedUtm(),
  ...Object.entries(INTEREST).map(([from, percent]): [string, number] => [
    `interest ${from}`,
    Math.round(Number(percent) * 10 ** DECIMALS.interest),
  ]),
])

export const keyOf = (indicator: Indicator, period: string) => `${indicator} ${period}`

/** Figures that were loaded, over those that the program carries. */
export function knownIndicators(loaded: ReadonlyMap<string, number>): Indicators {
  return {
    of(indicator, period) {
      const key = keyOf(indicator, period)
      const units = loaded.get(key) ?? SHIPPED_UNITS.get(key)
      return units === undefined ? null : { units, invented: false }
    },
  }
}

export const SHIPPED: Indicators = knownIndicators(new Map())
