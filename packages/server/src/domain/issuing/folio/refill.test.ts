import { addDays } from '@timbre/dte/values'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import type { FolioRefusalReason } from '../../../catalog/folio-refusals.ts'
import { businessDaysBefore } from '../../../kernel/business-days.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { CafRequest } from '../../../ports/sii.ts'

let at: FolioWorld
let asked: CafRequest[] = []
beforeAll(async () => {
  at = await openFolioWorld()
})
afterEach(() => {
  asked = []
})
afterAll(() => at.world.close())

/** An empresa that lets the service ask, and what the SII answers it: a refusal, or what it asks for up to a maximum. */
async function low(answer: FolioRefusalReason | number): Promise<EmpresaScope> {
  at.live_sii.answer = async (request) => {
    asked.push(request)
    if (typeof answer === 'string') return { granted: false, sentence: 'NO SE AUTORIZA TIMBRAJE', reason: answer }
    return at.standIn.grant({ ...request, quantity: Math.min(answer, request.quantity) })
  }
  const scope = await at.empresa()
  const body = { request_folios_when_low: true }
  await at.world.patch(`/v1/empresas/${scope.empresa_id}/automation_settings`, { key: at.live, body })
  return scope
}

/** So many folios went on each of the last business days. */
async function wentBefore(scope: EmpresaScope, days: number, used: number): Promise<void> {
  for (let back = 1; back <= days; back++) {
    await at.world.db.sql`
      insert into folio_use (account_id, empresa_id, mode, tipo_dte, day, used)
      values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, 33, ${businessDaysBefore(day(0), back)}, ${used})`
  }
}

const failures = (scope: EmpresaScope) => at.events(scope, 'folios.request_failed')
const alerts = async (scope: EmpresaScope, type: string) =>
  (await at.events(scope, type)).map((event: { data: { detail: object } }) => event.data.detail)

/** The look at the stock that is due later: when, and then at once. */
async function waiting(scope: EmpresaScope) {
  const [row] = await at.world.db.sql<{ id: string; hours: number }>`
    select id, extract(epoch from due_at - now()) / 3600 as hours from job
    where name = 'folio.refill' and empresa_id = ${scope.empresa_id} and status = 'queued'`
  return row ? { ...row, hours: Math.round(Number(row.hours)) } : null
}
async function letPass(scope: EmpresaScope): Promise<void> {
  await at.world.db
    .sql`update folio_refusal set retry_at = now() - interval '1 minute' where empresa_id = ${scope.empresa_id}`
  const job = await waiting(scope)
  await at.world.db.sql`update job set run_at = now(), due_at = now(), parked = false where id = ${job?.id ?? ''}`
  at.world.app.worker.wake()
}

describe('a stock that lasts too short', () => {
  it('is low by its runway, shows how long it lasts, and is filled up for four weeks', async () => {
    const scope = await low(100_000)
    await wentBefore(scope, 5, 10)
    await at.grant(scope, { first_folio: 1, last_folio: 60 })
    expect(await at.folios(scope)).toMatchObject({
      status: 'available',
      forecast: { per_business_day: 10, business_days_left: 6 },
    })
    await at.draw(scope, 10)
    expect(await alerts(scope, 'folios.low')).toEqual([])
    await at.draw(scope, 1)
    expect(await alerts(scope, 'folios.low')).toEqual([{ low_below: 50, by: 'runway', request: 'asked' }])
    await expect.poll(async () => (await at.folios(scope)).available).toBe(200)
    expect(asked).toMatchObject([{ quantity: 151, at_least: 50 }])
    expect(await at.folios(scope)).toMatchObject({ status: 'available', forecast: { business_days_left: 20 } })
    expect(await waiting(scope)).toBeNull()
  })

  it('is looked at again some hours after a range that the SII cut short', async () => {
    const scope = await low(30)
    await wentBefore(scope, 5, 10)
    await at.grant(scope, { first_folio: 1, last_folio: 10 })
    await at.draw(scope, 8)
    await expect.poll(async () => (await at.folios(scope)).available).toBe(32)
    expect(await at.folios(scope)).toMatchObject({ status: 'low' })
    await expect.poll(async () => (await waiting(scope))?.hours).toBe(4)
    await letPass(scope)
    await expect.poll(async () => (await at.folios(scope)).available).toBe(62)
    expect(asked.map(({ quantity }) => quantity)).toEqual([198, 168])
  })

  it('counts each day that folios went, those of a draw that rolled back not among them', async () => {
    const scope = await low(1)
    await at.grant(scope, { first_folio: 1, last_folio: 500 })
    await at.draw(scope, 3, { on: day(-1) })
    await at.draw(scope, 4, { on: day(-1) })
    const failed = at.draw(scope, 40, { on: day(-1), before_commit: () => Promise.reject(new Error('died')) })
    await expect(failed).rejects.toThrow('died')
    const used = await at.world.db.sql`select day, used from folio_use where empresa_id = ${scope.empresa_id}`
    expect(used).toEqual([{ day: addDays(day(0), -1), used: 7 }])
    expect((await at.folios(scope)).forecast).toMatchObject({ per_business_day: 7 })
  })
})

describe('a refusal of what the service asked for by itself', () => {
  it('that only a person can mend is told and never asked for again, until a range is here', async () => {
    const scope = await low('visit_required')
    await at.grant(scope, { first_folio: 1, last_folio: 30 })
    await at.draw(scope, 26)
    await expect.poll(async () => (await failures(scope)).length).toBe(1)
    const [failed] = await failures(scope)
    expect(failed.data.detail).toMatchObject({ reason: 'visit_required', message: expect.stringContaining('office') })
    expect(await waiting(scope)).toBeNull()
    await at.draw(scope, 4)
    expect(await alerts(scope, 'folios.exhausted')).toMatchObject([
      { request: 'needs_person', reason: 'visit_required' },
    ])
    expect(asked).toHaveLength(1)
    await at.grant(scope, { first_folio: 31, last_folio: 60 })
    await at.draw(scope, 30)
    await expect.poll(() => asked.length).toBe(2)
  })

  it('for its rationing is asked for again later and later, half as many each time', async () => {
    const scope = await low('not_authorised')
    await at.grant(scope, { first_folio: 1, last_folio: 40 })
    await at.draw(scope, 37)
    await expect.poll(async () => (await waiting(scope))?.hours).toBe(4)
    await at.draw(scope, 3)
    expect(await alerts(scope, 'folios.exhausted')).toMatchObject([{ request: 'waits', reason: 'not_authorised' }])
    await letPass(scope)
    await expect.poll(async () => (await waiting(scope))?.hours).toBe(12)
    await letPass(scope)
    await expect.poll(async () => (await waiting(scope))?.hours).toBe(24)
    expect(asked.map(({ quantity }) => quantity)).toEqual([40, 20, 10])
    expect(await failures(scope)).toHaveLength(3)
  })

  it('is not asked for again once nobody wants it: the setting is off, or the stock is no longer low', async () => {
    const scope = await low('not_authorised')
    await at.grant(scope, { first_folio: 1, last_folio: 40 })
    await at.draw(scope, 37)
    await expect.poll(async () => (await waiting(scope))?.hours).toBe(4)
    await at.grant(scope, { first_folio: 41, last_folio: 80 })
    await letPass(scope)
    await expect.poll(() => waiting(scope)).toBeNull()
    expect(asked).toHaveLength(1)
    await at.draw(scope, 40)
    await expect.poll(async () => (await waiting(scope))?.hours).toBe(4)
    const body = { request_folios_when_low: false }
    await at.world.patch(`/v1/empresas/${scope.empresa_id}/automation_settings`, { key: at.live, body })
    await letPass(scope)
    await expect.poll(() => waiting(scope)).toBeNull()
    expect(asked).toHaveLength(2)
  })
})
