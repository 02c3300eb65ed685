import { addDays, addMonths } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { daysBetween, nextCheck } from './expiry.ts'
import { isExpired } from './show.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

/** Ten folios of a sandbox, authorised today. */
async function rangeOf(scope: EmpresaScope, tipo_dte = 33): Promise<string> {
  const body = { tipo_dte, quantity: 10 }
  await at.world.post('/v1/folios/requests', { key: at.test, empresa: scope.rut, body })
  await expect.poll(async () => (await at.folios(scope, tipo_dte)).available).toBe(10)
  return (await at.folios(scope, tipo_dte)).ranges[0].caf_id
}

/** Noon UTC of a civil date: the day is well under way in Santiago. */
const advance = (scope: EmpresaScope, date: string) =>
  moveClock(at.world, at.test, { empresa_rut: scope.rut, frozen_time: `${date}T12:00:00Z` })

const daysTold = async (scope: EmpresaScope) =>
  (await at.events(scope, 'folios.expiring')).map(
    (event: { data: { detail: { days_left: number } } }) => event.data.detail.days_left,
  )

describe('a range that is about to expire', () => {
  it('is told of 30, 7 and 1 days before its last day, with what would be lost', async () => {
    const scope = await at.empresa({ mode: 'test' })
    const caf_id = await rangeOf(scope)
    await at.draw(scope, 3)
    const expires_on = addMonths(day(0), 6)
    await advance(scope, addDays(expires_on, -31))
    expect(await daysTold(scope)).toEqual([])
    await advance(scope, addDays(expires_on, -30))
    const [event] = await at.events(scope, 'folios.expiring')
    expect(event.data).toEqual({
      object: await at.folios(scope),
      detail: { caf_id, from: 1, to: 10, remaining: 7, expires_on, days_left: 30 },
    })
    await advance(scope, addDays(expires_on, -8))
    expect(await daysTold(scope)).toEqual([30])
    await advance(scope, expires_on)
    expect(await daysTold(scope)).toEqual([1, 7, 30])
    expect(await at.folios(scope)).toMatchObject({ available: 7, status: 'available' })
  })

  it('is not told of early when the test clock went back', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await rangeOf(scope)
    const expires_on = addMonths(day(0), 6)
    await advance(scope, addDays(expires_on, -31))
    await moveClock(at.world, at.test, { empresa_rut: scope.rut, reset: true })
    await moveClock(at.world, at.test, { empresa_rut: scope.rut, advance: 'P3D' })
    expect(await daysTold(scope)).toEqual([])
    await advance(scope, addDays(expires_on, -30))
    expect(await daysTold(scope)).toEqual([30])
  })

  it('is exhausted the day after, when nothing else is left, and told so once', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await rangeOf(scope)
    await advance(scope, addDays(addMonths(day(0), 6), 20))
    const [exhausted, ...more] = await at.events(scope, 'folios.exhausted')
    expect(more).toEqual([])
    expect(exhausted.data.object).toEqual(await at.folios(scope))
    expect(exhausted.data.object).toMatchObject({
      available: 0,
      status: 'exhausted',
      next_folio: 11,
      stock: { stops_at_expired_range: true },
    })
  })

  it('is told of once by two ranges that expire on one day', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await rangeOf(scope)
    const body = { tipo_dte: 33, quantity: 10 }
    await at.world.post('/v1/folios/requests', { key: at.test, empresa: scope.rut, body })
    await expect.poll(async () => (await at.folios(scope)).available).toBe(20)
    await advance(scope, addDays(addMonths(day(0), 6), 2))
    expect(await at.events(scope, 'folios.exhausted')).toHaveLength(1)
    expect(await at.events(scope, 'folios.low')).toHaveLength(1)
    expect(await daysTold(scope)).toEqual([1, 1, 7, 7, 30, 30])
  })

  it('is no news once every folio was used, or it was put away, or it never expires', async () => {
    const [spent, away, boleta] = await Promise.all([1, 2, 3].map(() => at.empresa({ mode: 'test' })))
    if (!spent || !away || !boleta) throw new Error('no empresas')
    await rangeOf(spent)
    await at.draw(spent, 10)
    await at.world.delete(`/v1/cafs/${await rangeOf(away)}`, { key: at.test, empresa: away.rut })
    await rangeOf(boleta, 39)
    for (const scope of [spent, away, boleta]) {
      await advance(scope, addDays(addMonths(day(0), 6), 2))
      expect(await at.events(scope, 'folios.expiring')).toEqual([])
    }
    expect(await at.events(boleta, 'folios.exhausted')).toEqual([])
  })
})

describe('isExpired', () => {
  it('is not true yet on the last day', () => {
    const caf = { expires_on: '2027-05-15' }
    expect(['2027-05-14', '2027-05-15', '2027-05-16'].map((on) => isExpired(caf, on))).toEqual([false, false, true])
    expect(isExpired({ expires_on: null }, '2099-01-01')).toBe(false)
  })
})

describe('nextCheck', () => {
  const range = { expires_on: '2027-03-31' }
  it('is 30, 7 and 1 days before the last day, then the day after it, at an hour when the day has begun', () => {
    const looks: (string | null)[] = []
    for (let now = new Date('2027-01-01T00:00:00Z'); ; ) {
      const next = nextCheck(range, now)
      looks.push(next?.toISOString() ?? null)
      if (next === null) break
      now = next
    }
    expect(looks).toEqual([
      '2027-03-01T04:00:00.000Z',
      '2027-03-24T04:00:00.000Z',
      '2027-03-30T04:00:00.000Z',
      '2027-04-01T04:00:00.000Z',
      null,
    ])
  })

  it('skips what is past when a range comes late, and never comes for one without an end', () => {
    expect(nextCheck(range, new Date('2027-03-20T00:00:00Z'))?.toISOString()).toBe('2027-03-24T04:00:00.000Z')
    expect(nextCheck({ expires_on: null }, new Date('2027-01-01T00:00:00Z'))).toBeNull()
  })

  it('counts whole days across the change of hour', () => {
    expect(daysBetween('2027-03-01', '2027-05-01')).toBe(61)
    expect(daysBetween('2027-05-01', '2027-04-30')).toBe(-1)
  })
})
