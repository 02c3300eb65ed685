import { addDays } from '@timbre/dte/values'
import { CEILINGS, FOLIOS } from '../../../catalog/limits.ts'
import { businessDayFrom, businessDaysBefore, countBusinessDays } from '../../../kernel/business-days.ts'

/** How many folios went on a day of Santiago. */
export interface DayUse {
  readonly day: string
  readonly used: number
}

/** Days on which folios went are remembered from here on: more than the pace of today needs. */
export function rememberedSince(on: string): string {
  return addDays(on, -3 * FOLIOS.pace_business_days)
}

/**
 * Folios a business day, over the last weeks before today, or since the first of them where that is later; null where
 * none went. Those of weekends count, their days do not: a shop that sells on Saturdays runs out on a Saturday.
 */
export function paceOf(uses: readonly DayUse[], on: string): number | null {
  const [first] = uses.map(({ day }) => day).sort()
  if (first === undefined || first >= on) return null
  const [, since = on] = [first, businessDaysBefore(on, FOLIOS.pace_business_days)].sort()
  const used = uses.reduce((sum, use) => (use.day >= since && use.day < on ? sum + use.used : sum), 0)
  const days = Math.max(1, countBusinessDays(since, on, FOLIOS.pace_business_days))
  return used === 0 ? null : used / days
}

/** A stock below this lasts too short at a pace. */
export function runwayLine(pace: number | null): number {
  return pace === null ? 0 : Math.ceil(pace * FOLIOS.low_business_days)
}

interface Usable {
  readonly remaining: number
  readonly expires_on: string | null
}

export interface Forecast {
  readonly per_business_day: number
  readonly business_days_left: number
  readonly lasts_until: string | null
}

/** How long the chain lasts at a pace, range after range: what expires before its turn is over does not last. */
export function forecastOf(usable: readonly Usable[], pace: number | null, on: string): Forecast | null {
  if (pace === null) return null
  const most = FOLIOS.forecast_business_days
  let days = 0
  for (const { remaining, expires_on } of usable) {
    const until = expires_on === null ? most : countBusinessDays(on, addDays(expires_on, 1), most)
    days += Math.min(remaining / pace, Math.max(0, until - days))
  }
  const left = Math.min(most, Math.floor(days))
  const lasts_until = left === 0 || left === most ? null : businessDayFrom(on, left)
  return { per_business_day: Math.round(pace * 10) / 10, business_days_left: left, lasts_until }
}

/** What the service asks for by itself. */
export interface Wanted {
  readonly quantity: number
  /** As few as it makes do with, where the SII says that many more are stamped and unused. */
  readonly at_least: number
}

/**
 * Enough for four weeks with what is left, or as many as last time where no pace is known. Half as many after each
 * refusal: the SII weighs what is unused against what was used, and gives small amounts more readily (PROTOCOLS 10).
 */
export function wantedOf(stock: {
  readonly pace: number | null
  readonly available: number
  readonly last_range_size: number
  readonly refusals: number
}): Wanted {
  const { pace, available, last_range_size, refusals } = stock
  const halved = (count: number) => Math.max(1, Math.floor(count / 2 ** Math.min(refusals, 20)))
  const least = Math.max(FOLIOS.low_at_least, runwayLine(pace))
  const full = pace === null ? last_range_size : Math.ceil(pace * FOLIOS.requested_business_days) - available
  const quantity = Math.min(CEILINGS.folios_per_request, halved(pace === null ? full : Math.max(least, full)))
  return { quantity, at_least: Math.min(quantity, halved(least)) }
}
