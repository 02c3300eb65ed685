import { addPeriods } from '@timbre/dte/values'
import { DECIMALS, type Figure, type Indicator, type Indicators } from './indicators.ts'

// What the sandbox takes for a figure that nobody published or loaded, so that a month of the test clock can be lived to
// its end: prices that rise 3 per thousand a month, the interest of the second half of 2025.
const [UP, DOWN] = [1_003n, 1_000n]
const FIRST_MONTH = '2018-01'
const BASE: Readonly<Record<Exclude<Indicator, 'interest'>, number>> = {
  utm: 47_019,
  uf: 26_798_14,
  ipc: 100 * 10 ** DECIMALS.ipc,
}
const INTEREST_UNITS = 222_222_222

const afterAMonth = (units: number) => Number((BigInt(units) * UP * 2n + DOWN) / (DOWN * 2n))

/** The last known figure before it, 3 per thousand more for each month since; from 2018 on where none is known. */
function grown(known: Indicators, indicator: Exclude<Indicator, 'interest'>, period: string): number {
  const day = period.slice(7)
  let month = period.slice(0, 7)
  let months = 0
  let from: number | undefined
  while (from === undefined && month > FIRST_MONTH) {
    month = addPeriods(month, -1)
    months++
    from = known.of(indicator, `${month}${day}`)?.units
  }
  let units = from ?? BASE[indicator]
  for (let i = 0; i < months; i++) units = afterAMonth(units)
  return units
}

export function inventMissing(known: Indicators): Indicators {
  return {
    of(indicator, period): Figure {
      const found = known.of(indicator, period)
      if (found) return found
      const units = indicator === 'interest' ? INTEREST_UNITS : grown(known, indicator, period)
      return { units, invented: true }
    },
  }
}
