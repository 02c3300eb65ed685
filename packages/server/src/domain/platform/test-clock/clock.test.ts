import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineJob } from '../../../../test/support/define-job.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { Closed } from '../../../kernel/schema.ts'
import { OPERATIONS } from '../../../operations.ts'
import { defineOperation } from '../../operation.ts'

const fired: { note: string; at: string }[] = []

/** Writes down when it ran, and may set a second timer from there. */
const timer = defineJob<{ note: string; again?: number }>({
  name: 'test.timer',
  type: 'timer',
  async run(ctx, { note, again }) {
    fired.push({ note, at: ctx.now().toISOString() })
    const due_at = secondsFrom(ctx.now(), again ?? 0)
    if (again) await ctx.transact((tx) => tx.enqueue(timer, { payload: { note: `${note}+` }, due_at }))
    return 'done'
  },
})

const setTimer = defineOperation({
  id: 'timers.create',
  method: 'POST',
  path: '/timers',
  summary: 'Set a timer',
  reach: 'account',
  body: Closed({ note: Type.String(), seconds: Type.Integer(), again: Type.Optional(Type.Integer()) }),
  returns: Closed({ id: Type.String() }),
  async run(ctx, { note, seconds, again }) {
    const payload = again === undefined ? { note } : { note, again }
    return { id: await ctx.enqueue(timer, { payload, due_at: secondsFrom(ctx.now(), seconds) }) }
  },
})

let world: World
beforeAll(async () => {
  world = await openWorld({ operations: [...OPERATIONS, setTimer], jobs: [timer] })
})
afterAll(() => world.close())

const DAY = 86_400
/** A time of a clock that is so many days ahead, told between `start` and now. */
function expectAhead(at: string, days: number, start: number): void {
  const told = Date.parse(at) - days * DAY * 1000
  expect([told >= start, told <= systemNow()], at).toEqual([true, true])
}

describe('POST /v1/test_helpers/clock', () => {
  it('200 ready only after every timer due fired, in order, each at its own time', async () => {
    const key = await world.key(await world.account())
    fired.length = 0
    const start = systemNow()
    await world.post('/v1/timers', { key, body: { note: 'c', seconds: 3 * DAY } })
    await world.post('/v1/timers', { key, body: { note: 'a', seconds: 1 * DAY, again: 1 * DAY } })
    await world.post('/v1/timers', { key, body: { note: 'late', seconds: 40 * DAY } })
    const moved = await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P4D' } })
    expect(moved.body).toMatchObject({ status: 'ready', frozen: false, target: null })
    expectAhead(moved.body.now, 4, start)
    expect(fired.map(({ note }) => note)).toEqual(['a', 'a+', 'c'])
    expectAhead(fired[0]?.at ?? '', 1, start)
    expectAhead(fired[1]?.at ?? '', 2, start)
    expectAhead(fired[2]?.at ?? '', 3, start)
  })

  it('200 a job tells its times by the clock: standing still, and where the clock passed by it', async () => {
    const key = await world.key(await world.account())
    const noon = new Date(systemNow() + DAY * 1000).toISOString()
    await world.post('/v1/test_helpers/clock', { key, body: { frozen_time: noon } })
    const timer_id = async (seconds: number) =>
      (await world.post('/v1/timers', { key, body: { note: 'told', seconds } })).body.id
    const [now, later] = [await timer_id(0), await timer_id(DAY)]
    const shown = async (id: string) => (await world.get(`/v1/jobs/${id}`, { key })).body
    await expect.poll(async () => (await shown(now)).status).toBe('succeeded')
    expect(await shown(now)).toMatchObject({ created_at: noon, started_at: noon, finished_at: noon })
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P2D' } })
    const due = new Date(Date.parse(noon) + DAY * 1000).toISOString()
    expect(await shown(later)).toMatchObject({ created_at: noon, started_at: due, finished_at: due })
  })

  it('200 a frozen clock stands still and nothing fires until it is moved', async () => {
    const key = await world.key(await world.account())
    fired.length = 0
    const noon = new Date(systemNow() + DAY * 1000).toISOString()
    const frozen = await world.post('/v1/test_helpers/clock', { key, body: { frozen_time: noon } })
    expect(frozen.body).toMatchObject({ frozen: true, now: noon, status: 'ready' })
    await world.post('/v1/timers', { key, body: { note: 'soon', seconds: 1 } })
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(fired).toEqual([])
    const moved = await world.post('/v1/test_helpers/clock', { key, body: { advance: 'PT1S' } })
    expect(moved.body.now).toBe(new Date(Date.parse(noon) + 1000).toISOString())
    expect(fired).toEqual([{ note: 'soon', at: moved.body.now }])
  })

  it('403 empresa_not_allowed for the clock of the account by a key of some empresas; their own it may move', async () => {
    const account = await world.account()
    const [key, rut] = [await world.key(account), randomRut()]
    await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Una' } })
    for (const empresas of [[rut], [rut, randomRut()]]) {
      const some = await world.key(account, { empresas })
      for (const body of [{ frozen_time: '2030-01-01T00:00:00Z' }, { advance: 'P1D' }, { reset: true }]) {
        const sent = await world.post('/v1/test_helpers/clock', { key: some, body })
        expect([sent.status, sent.body.error.code]).toEqual([403, 'empresa_not_allowed'])
      }
      const own = await world.post('/v1/test_helpers/clock', { key: some, body: { empresa_rut: rut, advance: 'P1D' } })
      expect(own.status).toBe(200)
    }
    const start = systemNow()
    expectAhead((await world.get('/v1/test_helpers/clock', { key })).body.now, 0, start)
  })

  it('200 reset returns to real time', async () => {
    const key = await world.key(await world.account())
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P2M' } })
    const start = systemNow()
    const reset = await world.post('/v1/test_helpers/clock', { key, body: { reset: true } })
    expectAhead(reset.body.now, 0, start)
    expect((await world.get('/v1/test_helpers/clock', { key })).body.frozen).toBe(false)
  })

  it('200 reset of a clock that is ahead lets a timer keep its distance, and forgets none', async () => {
    const key = await world.key(await world.account())
    fired.length = 0
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P2M' } })
    await world.post('/v1/timers', { key, body: { note: 'in three hours', seconds: 3 * 3600 } })
    await world.post('/v1/test_helpers/clock', { key, body: { reset: true } })
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'PT2H' } })
    expect(fired).toEqual([])
    const start = systemNow()
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'PT2H' } })
    expect(fired.map(({ note }) => note)).toEqual(['in three hours'])
    expect(Date.parse(fired[0]?.at ?? '') - start).toBeLessThan(4 * 3_600_000)
  })

  it('200 reset fires what fell due while a clock stood still, in order, before it answers', async () => {
    const account = await world.account()
    const key = await world.key(account)
    fired.length = 0
    await world.post('/v1/test_helpers/clock', {
      key,
      body: { frozen_time: new Date(systemNow() + 3_600_000).toISOString() },
    })
    for (const [note, seconds] of [
      ['late', 60],
      ['early', 30],
    ])
      await world.post('/v1/timers', { key, body: { note, seconds } })
    // As if the wall had gone on for a day since.
    await world.db.sql`update test_clock set frozen_at = frozen_at - interval '1 day' where account_id = ${account}`
    await world.db
      .sql`update job set due_at = due_at - interval '1 day' where account_id = ${account} and name = 'test.timer'`
    const reset = await world.post('/v1/test_helpers/clock', { key, body: { reset: true } })
    expect(reset.body).toMatchObject({ status: 'ready', frozen: false })
    expect(fired.map(({ note }) => note)).toEqual(['early', 'late'])
  })

  it('200 reset of a clock that was never moved changes nothing', async () => {
    const key = await world.key(await world.account())
    fired.length = 0
    await world.post('/v1/timers', { key, body: { note: 'soon', seconds: 40 } })
    const reset = await world.post('/v1/test_helpers/clock', { key, body: { reset: true } })
    expect(reset.body).toMatchObject({ status: 'ready', frozen: false })
    expect(fired).toEqual([])
  })

  it('200 a journey that ended fires nothing more, even if its worker died before it could say so', async () => {
    const account = await world.account()
    const key = await world.key(account)
    fired.length = 0
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P2M' } })
    await world.post('/v1/test_helpers/clock', { key, body: { reset: true } })
    await world.post('/v1/timers', { key, body: { note: 'in a month', seconds: 30 * DAY } })
    await world.db.sql`
      update job set status = 'queued', finished_at = null where account_id = ${account} and name = 'test_clock.advance'`
    const waiting = async () =>
      (
        await world.db.sql`
        select 1 from job where account_id = ${account} and name = 'test_clock.advance' and status <> 'succeeded'`
      ).length
    await expect.poll(waiting).toBe(0)
    expect(fired).toEqual([])
  })

  it('200 reset settles a document that was under way, by the clock it was issued on', async () => {
    const key = await world.key(await world.account())
    const rut = randomRut()
    await world.post('/v1/empresas', { key, body: { rut, legal_name: 'De ida y vuelta' } })
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P2M' } })
    const items = [{ description: 'Café', quantity: 1, unit_price: 1_990 }]
    const headers = { 'idempotency-key': 'boleta' }
    const made = await world.post('/v1/documents', { key, empresa: rut, headers, body: { tipo_dte: 39, items } })
    await world.post('/v1/test_helpers/clock', { key, body: { reset: true } })
    const read = await world.get(`/v1/documents/${made.body.id}`, { key, empresa: rut })
    expect(read.body).toMatchObject({ status: 'accepted', folio: 1 })
    expect(read.body.settled_at > made.body.created_at).toBe(true)
  })

  it('200 moving a clock that runs puts nothing off, not even what an empresa further ahead left to be done', async () => {
    const account = await world.account()
    const key = await world.key(account)
    fired.length = 0
    await world.post('/v1/timers', { key, body: { note: 'of an empresa ahead', seconds: 4 } })
    await world.db.sql`
      update job set due_at = due_at + interval '10 days' where account_id = ${account} and name = 'test.timer'`
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P1D' } })
    await expect.poll(() => fired.length).toBe(1)
  })

  it('200 the clock of one account does not move another', async () => {
    const key = await world.key(await world.account())
    const other = await world.key(await world.account())
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P1Y' } })
    const start = systemNow()
    expectAhead((await world.get('/v1/test_helpers/clock', { key: other })).body.now, 0, start)
  })

  it('422 test_clock_backwards refuses the past and more than 13 months', async () => {
    const key = await world.key(await world.account())
    const past = { frozen_time: new Date(systemNow() - 60_000).toISOString() }
    for (const body of [past, { advance: 'P14M' }]) {
      const sent = await world.post('/v1/test_helpers/clock', { key, body })
      expect([sent.status, sent.body.error.code]).toEqual([422, 'test_clock_backwards'])
      expect(sent.body.error.message).toMatch(body === past ? /only moves forward/ : /13 months/)
    }
  })

  it('400 invalid_field asks for exactly one move', async () => {
    const key = await world.key(await world.account())
    for (const body of [{}, { advance: 'P1D', reset: true }, { advance: 'tomorrow' }, { reset: false }]) {
      const sent = await world.post('/v1/test_helpers/clock', { key, body })
      expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_field'])
    }
  })

  it('403 mode_not_allowed on a live key, 404 for an empresa the account does not have', async () => {
    const account = await world.account()
    const live = await world.post('/v1/test_helpers/clock', {
      key: await world.key(account, { mode: 'live' }),
      body: { reset: true },
    })
    expect([live.status, live.body.error.code]).toEqual([403, 'mode_not_allowed'])
    const key = await world.key(account)
    const body = { empresa_rut: randomRut(), advance: 'P1D' }
    const unknown = await world.post('/v1/test_helpers/clock', { key, body })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'empresa_not_found'])
    expect((await world.get(`/v1/test_helpers/clock?empresa_rut=${body.empresa_rut}`, { key })).status).toBe(404)
  })

  it('200 an empresa may have a clock of its own, which starts where the account stands and leaves it alone', async () => {
    const key = await world.key(await world.account())
    const [one, two] = [randomRut(), randomRut()]
    for (const rut of [one, two]) await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Con reloj' } })
    const start = systemNow()
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P10D' } })
    const moved = await world.post('/v1/test_helpers/clock', { key, body: { empresa_rut: one, advance: 'P5D' } })
    expect(moved.body).toMatchObject({ empresa: one, status: 'ready' })
    expectAhead(moved.body.now, 15, start)
    const now = async (query: string) => (await world.get(`/v1/test_helpers/clock${query}`, { key })).body.now
    expectAhead(await now(''), 10, start)
    expectAhead(await now(`?empresa_rut=${two}`), 10, start)
    const back = await world.post('/v1/test_helpers/clock', { key, body: { empresa_rut: one, reset: true } })
    expectAhead(back.body.now, 10, start)
  })

  it("403 empresa_not_allowed for an empresa outside the key's allowlist", async () => {
    const account = await world.account()
    const empresa_rut = randomRut()
    const body = { rut: empresa_rut, legal_name: 'Ajena' }
    await world.post('/v1/empresas', { key: await world.key(account), body })
    const key = await world.key(account, { empresas: [randomRut()] })
    const moved = await world.post('/v1/test_helpers/clock', { key, body: { empresa_rut, advance: 'P1D' } })
    const read = await world.get(`/v1/test_helpers/clock?empresa_rut=${empresa_rut}`, { key })
    for (const { status, body: refused } of [moved, read]) {
      expect([status, refused.error.code]).toEqual([403, 'empresa_not_allowed'])
    }
  })

  it('409 test_clock_conflict while it is still advancing', async () => {
    const account = await world.account()
    const key = await world.key(account)
    await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P1D' } })
    await world.db.sql`update test_clock set status = 'advancing' where account_id = ${account}`
    const sent = await world.post('/v1/test_helpers/clock', { key, body: { advance: 'P1D' } })
    expect([sent.status, sent.body.error.code, sent.headers['retry-after']]).toEqual([409, 'test_clock_conflict', '1'])
  })
})
