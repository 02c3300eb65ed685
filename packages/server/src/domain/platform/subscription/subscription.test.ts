import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { behind } from '../../../../test/support/lock-contention.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'

const DAY = 24 * 3600 * 1000
const GRACE = 7 * DAY
const inMs = (ms: number) => new Date(systemNow() + ms).toISOString()
const operator = { 'svc-operator-secret': OPERATOR_SECRET }

let world: World
let account: string
let live: string
let path: string
let empresa: { id: string; rut: string }
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  live = await world.key(account, { mode: 'live' })
})
beforeEach(async () => {
  const body = { rut: randomRut(), legal_name: 'Viña Ñuble SpA', origen: 'mercado' }
  empresa = (await world.post('/v1/empresas', { key: live, body })).body
  path = `/v1/empresas/${empresa.id}/subscription`
})
afterAll(() => world.close())

const record = (body: object) => world.post(path, { headers: operator, body })
const read = async () => (await world.get(path, { key: live })).body
const millis = (text: string) => Date.parse(text)

describe('GET /empresas/{empresa_id}/subscription', () => {
  it('200 says none and blocked before anything was recorded', async () => {
    expect(await read()).toEqual({
      object: 'subscription',
      id: empresa.id,
      mode: 'live',
      status: 'none',
      current_period_end: null,
      grace_until: null,
      required: true,
      blocked: true,
      checkout_url: expect.stringMatching(/\/suscripcion\//),
      updated_at: null,
    })
  })

  it('200 says that none is required in test mode and on plan house', async () => {
    const test = await world.key(account)
    const house = await world.key(await world.account({ plan: 'house' }), { mode: 'live' })
    for (const key of [test, house]) {
      const body = { rut: randomRut(), legal_name: 'Otra SpA', origen: 'mercado' }
      const { id } = (await world.post('/v1/empresas', { key, body })).body
      const shown = await world.get(`/v1/empresas/${id}/subscription`, { key })
      expect(shown.body).toMatchObject({ status: 'none', required: false, blocked: false })
    }
  })

  it('200 for an empresa that was archived, whose subscription ended with it', async () => {
    await record({ status: 'active' })
    await world.patch(`/v1/empresas/${empresa.id}`, { key: live, body: { status: 'archived' } })
    const shown = await read()
    expect(shown).toMatchObject({ status: 'canceled', grace_until: null, blocked: true })
    expect(millis(shown.current_period_end)).toBeLessThanOrEqual(systemNow())
  })

  it('200 leaves the day an archived empresa had canceled on', async () => {
    const { body } = await record({ status: 'canceled', current_period_end: inMs(-30 * DAY) })
    await world.patch(`/v1/empresas/${empresa.id}`, { key: live, body: { status: 'archived' } })
    expect(await read()).toEqual(body)
  })
})

describe('POST /empresas/{empresa_id}/subscription', () => {
  it('200 records an active one until the day given, and its grace', async () => {
    const end = inMs(40 * DAY)
    const sent = await record({ status: 'active', current_period_end: end })
    expect(sent.status).toBe(200)
    expect(sent.body).toMatchObject({ status: 'active', current_period_end: end, blocked: false })
    expect(millis(sent.body.grace_until) - millis(end)).toBe(GRACE)
    expect(await read()).toEqual(sent.body)
  })

  it('200 lasts a calendar month by default, and recording it again does not lengthen it', async () => {
    const { body } = await record({ status: 'active' })
    const length = millis(body.current_period_end) - millis(body.updated_at)
    expect([28, 29, 30, 31]).toContain(length / DAY)
    expect((await record({ status: 'active' })).body.current_period_end).toBe(body.current_period_end)
  })

  it('200 renews: the end moves, and so does the grace', async () => {
    await record({ status: 'active' })
    const end = inMs(60 * DAY)
    const { body } = await record({ status: 'active', current_period_end: end })
    expect([body.current_period_end, millis(body.grace_until) - millis(end)]).toEqual([end, GRACE])
  })

  it('200 records a lapse now, or on the day given', async () => {
    await record({ status: 'active' })
    const now = (await record({ status: 'lapsed' })).body
    expect(now).toMatchObject({ status: 'lapsed', blocked: false })
    expect(millis(now.current_period_end)).toBeLessThanOrEqual(systemNow())
    const end = inMs(-10 * DAY)
    const then = (await record({ status: 'lapsed', current_period_end: end })).body
    expect(then).toMatchObject({ status: 'lapsed', current_period_end: end, blocked: true })
  })

  it('200 of a lapse that is recorded late keeps the day the period ended', async () => {
    const end = inMs(-3 * DAY)
    await record({ status: 'lapsed', current_period_end: end })
    expect((await record({ status: 'lapsed' })).body.current_period_end).toBe(end)
    expect((await record({ status: 'canceled' })).body).toMatchObject({ current_period_end: end, grace_until: null })
  })

  it('200 starts a new month after one that ended', async () => {
    await record({ status: 'lapsed', current_period_end: inMs(-90 * DAY) })
    const { body } = await record({ status: 'active' })
    expect(body).toMatchObject({ status: 'active', blocked: false })
    expect(millis(body.current_period_end)).toBeGreaterThan(systemNow() + 27 * DAY)
  })

  it.each([
    ['status', {}],
    ['status', { status: 'none' }],
    ['status', { status: 'paused' }],
    ['current_period_end', { status: 'active', current_period_end: '2020-01-01T00:00:00Z' }],
    ['current_period_end', { status: 'lapsed', current_period_end: '2090-01-01T00:00:00Z' }],
    ['current_period_end', { status: 'canceled', current_period_end: '2090-01-01T00:00:00Z' }],
    ['current_period_end', { status: 'active', current_period_end: '2090-12-31T23:59:60Z' }],
    ['current_period_end', { status: 'active', current_period_end: '2090-01-01' }],
    ['current_period_end', { status: 'active', current_period_end: '9999-12-31T23:59:59Z' }],
    ['grace_until', { status: 'active', grace_until: '2090-01-01T00:00:00Z' }],
  ])('400 invalid_field names %s in %j, and nothing is recorded', async (param, body) => {
    const refused = await record(body)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'invalid_field', param })
    expect(await read()).toMatchObject({ status: 'none', updated_at: null })
  })

  it('403 empresa_inactive for an active one of an archived empresa, which can still be canceled', async () => {
    await world.patch(`/v1/empresas/${empresa.id}`, { key: live, body: { status: 'archived' } })
    const refused = await record({ status: 'active' })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'empresa_inactive'])
    expect((await record({ status: 'canceled' })).status).toBe(200)
  })

  it('403 empresa_inactive when it is archived at this very moment', async () => {
    const refused = await behind(
      world,
      {
        hold: (sql) => sql`select 1 from empresa where id = ${empresa.id} for update`,
        change: (sql) => sql`update empresa set status = 'archived' where id = ${empresa.id}`,
      },
      () => record({ status: 'active' }),
    )
    expect(refused.body.error.code).toBe('empresa_inactive')
  })

  it('404 empresa_not_found for an empresa that does not exist', async () => {
    const body = { status: 'active' }
    const refused = await world.post('/v1/empresas/emp_nobody/subscription', { headers: operator, body })
    expect([refused.status, refused.body.error.code]).toEqual([404, 'empresa_not_found'])
  })

  it('200 for all of ten at once: one row, one of the ends', async () => {
    const ends = Array.from({ length: 10 }, (_, i) => inMs((i + 1) * DAY))
    const sent = await Promise.all(ends.map((end) => record({ status: 'active', current_period_end: end })))
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const rows = await world.db.sql`select 1 from subscription where empresa_id = ${empresa.id}`
    expect(rows).toHaveLength(1)
    expect(ends).toContain((await read()).current_period_end)
  })

  it('tells no event: the empresa looks as it did', async () => {
    const events = async () =>
      (await world.get(`/v1/events?empresa_rut=${empresa.rut}`, { key: live })).body.data.length
    const before = await events()
    await record({ status: 'active' })
    expect(await events()).toBe(before)
  })

  it('goes with its empresa when a sandbox one is deleted', async () => {
    const test = await world.key(account)
    const body = { rut: randomRut(), legal_name: 'Otra SpA' }
    const { id } = (await world.post('/v1/empresas', { key: test, body })).body
    await world.post(`/v1/empresas/${id}/subscription`, { headers: operator, body: { status: 'active' } })
    expect((await world.delete(`/v1/empresas/${id}`, { key: test })).status).toBe(204)
    expect(await world.db.sql`select 1 from subscription where empresa_id = ${id}`).toEqual([])
  })
})
