import { describe, expect, it } from 'vitest'
import { afterRefusal, standsInTheWay } from './back-off.ts'
import { forecastOf, paceOf, runwayLine, wantedOf } from './forecast.ts'
import type { RefusalRow } from './refusal-store.ts'
import { alertsFor } from './stock-alerts.ts'

/** A Monday, far from any holiday. */
const MONDAY = '2026-11-16'

describe('paceOf', () => {
  it('counts what went before today over the business days since the first of it', () => {
    const uses = [
      { day: '2026-11-12', used: 30 },
      { day: '2026-11-14', used: 10 },
      { day: MONDAY, used: 500 },
    ]
    expect(paceOf(uses, MONDAY)).toBe(20)
  })

  it('looks back 20 business days, holidays left out, and no further', () => {
    // 8 December is a holiday: 20 business days before the 14th is 13 November, not the 16th.
    const old = { day: '2026-11-12', used: 4_000 }
    expect(paceOf([old, { day: '2026-11-13', used: 40 }], '2026-12-14')).toBe(2)
    expect(paceOf([old], '2026-12-14')).toBeNull()
  })

  it('is unknown before anything went, on the first day and where days went by without a folio', () => {
    expect(paceOf([], MONDAY)).toBeNull()
    expect(paceOf([{ day: MONDAY, used: 5 }], MONDAY)).toBeNull()
    expect(paceOf([{ day: '2026-11-12', used: 0 }], MONDAY)).toBeNull()
  })

  it('takes a weekend alone for one business day', () => {
    expect(paceOf([{ day: '2026-11-14', used: 7 }], MONDAY)).toBe(7)
  })
})

describe('forecastOf', () => {
  const range = (remaining: number, expires_on: string | null = null) => ({ remaining, expires_on })

  it('tells the business days that the chain lasts, today among them', () => {
    expect(forecastOf([range(30), range(45)], 10, MONDAY)).toEqual({
      per_business_day: 10,
      business_days_left: 7,
      lasts_until: '2026-11-24',
    })
  })

  it('counts no folio that expires before its turn: the chain goes on with the next range', () => {
    // Until Wednesday, the last day still good: three days of the first range, then four of the second.
    expect(forecastOf([range(1_000, '2026-11-18'), range(40)], 10, MONDAY)?.business_days_left).toBe(7)
    expect(forecastOf([range(20), range(1_000, '2026-11-16')], 10, MONDAY)?.business_days_left).toBe(2)
  })

  it('tells nothing without a pace, no day where less than one is left, and no date beyond a year', () => {
    expect(forecastOf([range(10)], null, MONDAY)).toBeNull()
    expect(forecastOf([range(9)], 10, MONDAY)).toMatchObject({ business_days_left: 0, lasts_until: null })
    expect(forecastOf([range(1e9)], 1, MONDAY)).toMatchObject({ business_days_left: 250, lasts_until: null })
  })
})

describe('wantedOf', () => {
  const stock = { pace: 10, available: 40, last_range_size: 100, refusals: 0 }

  it('asks for what four weeks need beyond what is left, never for less than the week that makes a stock low', () => {
    expect(wantedOf(stock)).toEqual({ quantity: 160, at_least: 50 })
    expect(wantedOf({ ...stock, available: 190 })).toEqual({ quantity: 50, at_least: 50 })
    expect(wantedOf({ ...stock, pace: 0.1, available: 0 })).toEqual({ quantity: 5, at_least: 5 })
  })

  it('asks for as many as last time where no pace is known', () => {
    expect(wantedOf({ ...stock, pace: null })).toEqual({ quantity: 100, at_least: 5 })
  })

  it('halves with each refusal in a row, and asks for one at least', () => {
    expect(wantedOf({ ...stock, refusals: 2 })).toEqual({ quantity: 40, at_least: 12 })
    expect(wantedOf({ ...stock, refusals: 40 })).toEqual({ quantity: 1, at_least: 1 })
  })

  it('never asks for more than a request may carry', () => {
    expect(wantedOf({ ...stock, pace: 1e6 }).quantity).toBe(100_000)
  })
})

describe('alertsFor with a runway', () => {
  it('tells of a stock that lasts too short, once, long before the count does', () => {
    const runway = { before: 50, now: 50 }
    expect(alertsFor(51, 50, 10, runway)).toEqual([])
    expect(alertsFor(50, 49, 10, runway)).toEqual(['folios.low'])
    expect(alertsFor(49, 48, 10, runway)).toEqual([])
    expect(runwayLine(10)).toBe(50)
  })

  it('tells of the count as well, where a range came that was below the runway from its start', () => {
    expect(alertsFor(10, 9, 10, { before: 500, now: 500 })).toEqual(['folios.low'])
  })

  it('tells with the first fall of a day whose pace brought the line above the stock', () => {
    expect(alertsFor(60, 59, 10, { before: 50, now: 80 })).toEqual(['folios.low'])
    expect(alertsFor(60, 59, 10, { before: 0, now: 80 })).toEqual(['folios.low'])
    expect(alertsFor(9, 8, 10, { before: 0, now: 80 })).toEqual([])
    expect(alertsFor(60, 59, 10, { before: 80, now: 50 })).toEqual([])
  })
})

describe('afterRefusal', () => {
  const now = new Date('2026-11-16T15:00:00Z')

  it('waits longer after each refusal, up to a week', () => {
    const hours: number[] = []
    let last: RefusalRow | null = null
    for (let n = 0; n < 8; n++) {
      last = afterRefusal(last, 'not_authorised', now)
      hours.push(((last.retry_at?.getTime() ?? 0) - now.getTime()) / 3_600_000)
    }
    expect(hours).toEqual([4, 12, 24, 48, 96, 168, 168, 168])
    expect(afterRefusal(null, 'sii_unreachable', now).retry_at).not.toBeNull()
  })

  it.each([
    'visit_required',
    'no_permission',
    'no_activity_verification',
    'company_not_authorised',
    'user_not_authorised',
    'tipo_not_enabled',
  ])('never asks again after %s, which only a person can mend', (reason) => {
    const refusal = afterRefusal(null, reason, now)
    expect(refusal.retry_at).toBeNull()
    expect(standsInTheWay(refusal, new Date('2099-01-01T00:00:00Z'))).toBe('needs_person')
  })

  it('stands in the way until its time has come', () => {
    const refusal = afterRefusal(null, 'not_authorised', now)
    expect(standsInTheWay(refusal, now)).toBe('waits')
    expect(standsInTheWay(refusal, refusal.retry_at as Date)).toBeNull()
    expect(standsInTheWay(null, now)).toBeNull()
  })
})
