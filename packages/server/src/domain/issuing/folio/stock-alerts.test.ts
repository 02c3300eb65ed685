import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { alertsFor } from './stock-alerts.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

async function told(scope: EmpresaScope) {
  const [low, exhausted] = [await at.events(scope, 'folios.low'), await at.events(scope, 'folios.exhausted')]
  return { low: low.length, exhausted: exhausted.length }
}

describe('alertsFor', () => {
  it('tells of each line once, by the fall that crosses it', () => {
    expect(alertsFor(11, 10, 10)).toEqual([])
    expect(alertsFor(10, 9, 10)).toEqual(['folios.low'])
    expect(alertsFor(9, 8, 10)).toEqual([])
    expect(alertsFor(1, 0, 10)).toEqual(['folios.exhausted'])
    expect(alertsFor(12, 0, 10)).toEqual(['folios.low', 'folios.exhausted'])
    expect(alertsFor(0, 0, 10)).toEqual([])
  })
})

describe('a stock that falls', () => {
  it('is told of by the draw that crosses the line, with the row as GET /folios shows it', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 100 })
    await at.draw(scope, 90)
    expect(await told(scope)).toEqual({ low: 0, exhausted: 0 })
    await at.draw(scope, 1)
    const [low] = await at.events(scope, 'folios.low')
    const detail = { low_below: 10, by: 'count', request: 'off' }
    expect(low.data).toEqual({ object: await at.folios(scope), detail })
    await at.draw(scope, 8)
    expect(await told(scope)).toEqual({ low: 1, exhausted: 0 })
    await at.draw(scope, 5)
    const [exhausted] = await at.events(scope, 'folios.exhausted')
    expect(exhausted.data.object).toEqual(await at.folios(scope))
    expect(exhausted.data.object.status).toBe('exhausted')
    await at.draw(scope, 1)
    expect(await told(scope)).toEqual({ low: 1, exhausted: 1 })
  })

  it('is told of once under parallel draws, and not at all by one that rolls back', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 40 })
    const failed = at.draw(scope, 40, { before_commit: () => Promise.reject(new Error('signing failed')) })
    await expect(failed).rejects.toThrow('signing failed')
    expect(await told(scope)).toEqual({ low: 0, exhausted: 0 })
    await Promise.all(Array.from({ length: 50 }, () => at.draw(scope, 1)))
    expect(await told(scope)).toEqual({ low: 1, exhausted: 1 })
  })

  it('is told of again after a new range brought it up', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 10 })
    await at.draw(scope, 10)
    await at.grant(scope, { first_folio: 11, last_folio: 20 })
    await at.draw(scope, 10)
    expect(await told(scope)).toEqual({ low: 2, exhausted: 2 })
  })

  it('is told of when a range is put away', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 3 })
    const id = await at.grant(scope, { first_folio: 11, last_folio: 40 })
    await at.world.delete(`/v1/cafs/${id}`, { key: at.live, empresa: scope.rut })
    expect(await told(scope)).toEqual({ low: 1, exhausted: 0 })
  })

  it('is no news for an sfg empresa, whose folios the SII gives', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 10 })
    await at.world.patch(`/v1/empresas/${scope.empresa_id}`, { key: at.live, body: { emission_channel: 'sfg' } })
    await at.draw(scope, 10)
    expect(await told(scope)).toEqual({ low: 0, exhausted: 0 })
  })
})

describe('request_folios_when_low', () => {
  const allow = (scope: EmpresaScope, request_folios_when_low: boolean) =>
    at.world.patch(`/v1/empresas/${scope.empresa_id}/automation_settings`, {
      key: at.keyOf(scope),
      body: { request_folios_when_low },
    })

  it('asks for as many as the last range had, once, when the stock runs low', async () => {
    const scope = await at.empresa()
    await allow(scope, true)
    await at.grant(scope, { first_folio: 1, last_folio: 30 })
    await at.draw(scope, 26)
    await expect.poll(async () => (await at.folios(scope)).available).toBe(34)
    const requested = await at.events(scope, 'folios.requested')
    expect(requested).toHaveLength(1)
    expect(requested[0].data.detail).toMatchObject({ quantity: 30, reason: 'low' })
    expect(await at.folios(scope)).toMatchObject({ next_folio: 27, status: 'available' })
  })

  it('asks for nothing when it is off', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 30 })
    await at.draw(scope, 30)
    expect(await at.events(scope, 'folios.requested')).toEqual([])
    expect(await told(scope)).toEqual({ low: 1, exhausted: 1 })
  })

  it('is on by default, in a sandbox too, where running low can be rehearsed', async () => {
    const scope = await at.empresa({ mode: 'test' })
    await at.world.db.sql`delete from automation_settings where empresa_id = ${scope.empresa_id}`
    const body = { tipo_dte: 33, quantity: 10 }
    await at.world.post('/v1/folios/requests', { key: at.test, empresa: scope.rut, body })
    await expect.poll(async () => (await at.folios(scope)).available).toBe(10)
    await at.draw(scope, 6)
    await expect.poll(async () => (await at.folios(scope)).available).toBe(14)
    expect(await told(scope)).toEqual({ low: 1, exhausted: 0 })
  })
})
