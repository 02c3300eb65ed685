import { addPeriods, DAY_MS } from '@timbre/dte/values'
import { DECIMALS, halfYearOf, type Indicator, type Indicators } from '../../platform/indicator/indicators.ts'
import { LINES } from './form.ts'
import { timesFraction } from './ratio.ts'
import { type Warning, warning } from './warnings.ts'

/** When a declaration is due and when it is paid, and what was declared of the period before. */
export interface Payment {
  /** `YYYY-MM-DD`, as the day it is paid. */
  readonly due_date: string
  readonly paid_on: string
  /** The codes of the declaration that this one would correct; null where there is none. */
  readonly filed: ReadonlyMap<number, number> | null
}

type Sums = ReadonlyMap<number, number>

const of = (sums: Sums | null, code: number) => sums?.get(code) ?? 0

// Pagos provisionales are neither withheld from anybody nor charged on a price.
const PROVISIONAL = LINES.filter(({ section, into }) => section === 'ppm' && into === 595)

/** Of what is paid, the taxes that were withheld or charged on the price: IVA, its withholding, those of income withheld. */
function heldTaxes(sums: Sums): number {
  const provisional = PROVISIONAL.reduce((sum, { amount, minus }) => sum + (minus ? -1 : 1) * of(sums, amount), 0)
  return Math.max(0, of(sums, 91) - of(sums, 62) - provisional)
}

/** Figures of the State, and those that were missing or made up, named as a person looks them up. */
class Looked {
  readonly missing = new Set<string>()
  readonly invented = new Set<string>()
  readonly #indicators: Indicators

  constructor(indicators: Indicators) {
    this.#indicators = indicators
  }

  units(indicator: Indicator, period: string): number {
    const found = this.#indicators.of(indicator, period)
    const name = `${indicator} ${period}`
    if (found === null) this.missing.add(name)
    if (found?.invented) this.invented.add(name)
    return found?.units ?? 0
  }
}

const monthOf = (day: string) => day.slice(0, 7)

function monthsBetween(from: string, to: string): number {
  const [one, other] = [from, to].map((month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)))
  return (other ?? 0) - (one ?? 0)
}

/**
 * Per thousand that the IPC rose from the end of the second month before that of the due date to the end of the second one
 * before that of the payment, as a percentage of one decimal; nothing within one month, and never less than nothing
 * (Código Tributario, art. 53, first and second paragraph).
 */
function readjustment({ due_date, paid_on }: Payment, looked: Looked): number {
  const [due, paid] = [monthOf(due_date), monthOf(paid_on)]
  if (due === paid) return 0
  const [from, to] = [looked.units('ipc', addPeriods(due, -2)), looked.units('ipc', addPeriods(paid, -2))]
  return from === 0 ? 0 : Math.max(0, timesFraction(1_000, to, from) - 1_000)
}

/** The rates of each day of delay, added up (Código Tributario, art. 53, since Ley 21.713: simple interest, by half year). */
function interest({ due_date, paid_on }: Payment, looked: Looked): number {
  const last = Date.parse(`${paid_on}T00:00:00Z`)
  const days = new Map<string, number>()
  for (let at = Date.parse(`${due_date}T00:00:00Z`) + DAY_MS; at <= last; at += DAY_MS) {
    const half = halfYearOf(new Date(at).toISOString())
    days.set(half, (days.get(half) ?? 0) + 1)
  }
  return [...days].reduce((sum, [half, many]) => sum + many * looked.units('interest', half), 0)
}

const [FINE, FINE_A_MONTH, MOST_FINE] = [10, 2, 30]

/**
 * Percent of what was withheld or charged and not handed over: ten, two more for each calendar month since that of the due
 * date, thirty at most (Código Tributario, art. 97 no. 11; by month as in the monthly tables of the SII, Circular 52 of 2025).
 */
function fine({ due_date, paid_on }: Payment): number {
  return Math.min(MOST_FINE, FINE + FINE_A_MONTH * monthsBetween(monthOf(due_date), monthOf(paid_on)))
}

/** Codes 92 (readjustment) and 93 (interest and fines) of what is paid after its day. */
function surchargeOf(sums: Sums, payment: Payment, looked: Looked): { ipc: number; interest_and_fines: number } {
  // What was declared before was paid then: a correction is late for what it adds.
  const { filed } = payment
  const tax = Math.max(0, of(sums, 91) - of(filed, 91))
  const held = Math.max(0, heldTaxes(sums) - (filed ? heldTaxes(filed) : 0))
  const before = { ipc: of(filed, 92), interest_and_fines: of(filed, 93) }
  if (tax === 0) return before
  const per_thousand = readjustment(payment, looked)
  const readjusted = (pesos: number) => pesos + timesFraction(pesos, per_thousand, 1_000)
  // Both on the readjusted amount: percent, so a hundred times the units of the rate.
  const rate = interest(payment, looked)
  const accrued = timesFraction(readjusted(tax), rate, 100 * 10 ** DECIMALS.interest)
  const fined = timesFraction(readjusted(Math.min(tax, held)), fine(payment), 100)
  return {
    ipc: before.ipc + readjusted(tax) - tax,
    interest_and_fines: before.interest_and_fines + accrued + fined,
  }
}

/** Codes that follow from the total and from how late it is paid. */
export const SURCHARGES: readonly number[] = [92, 93]

/**
 * Fills 92 and 93 of a declaration that is late, and 94 with them. `sums` hold the overrides, `plain` do not. A code that a
 * person filled stays as it is, and where a figure is not known both have to be.
 */
export function addSurcharge(
  { sums, plain }: { readonly sums: Map<number, number>; readonly plain: Map<number, number> },
  payment: Payment,
  { indicators, overridden }: { readonly indicators: Indicators; readonly overridden: readonly number[] },
): Warning[] {
  if (payment.paid_on <= payment.due_date) return []
  const looked = new Looked(indicators)
  for (const one of [plain, sums]) {
    const { ipc, interest_and_fines } = surchargeOf(one, payment, looked)
    const mayFill = (code: number) => one === plain || !overridden.includes(code)
    if (mayFill(92)) one.set(92, ipc)
    if (mayFill(93)) one.set(93, interest_and_fines)
    const added = of(one, 92) + of(one, 93)
    if (added + of(one, 795) > 0) one.set(94, Math.max(0, of(one, 91) + added - of(one, 795)))
  }
  return surchargeWarnings(sums, payment, looked, overridden)
}

function surchargeWarnings(
  sums: Sums,
  { filed }: Payment,
  { missing, invented }: Looked,
  overridden: readonly number[],
): Warning[] {
  if (of(sums, 91) <= of(filed, 91)) return []
  const by_hand = SURCHARGES.every((code) => overridden.includes(code))
  if (missing.size > 0 && !by_hand) return [warning('surcharge_unknown', { concerns: [...missing] })]
  return [
    warning('late', { amount: of(sums, 92) + of(sums, 93), concerns: [92, 93, 94] }),
    ...(invented.size > 0 && !by_hand ? [warning('indicators_invented', { concerns: [...invented] })] : []),
  ]
}
