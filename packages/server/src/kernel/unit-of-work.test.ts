import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import type { AccountContext } from '../domain/context.ts'
import { defineOperation } from '../domain/operation.ts'
import { OPERATIONS } from '../operations.ts'
import { BEAT_MS } from './beat.ts'
import { type ClockSetting, REAL_TIME, systemNow } from './clock.ts'
import { declareJob } from './job.ts'
import { Problem } from './problem.ts'
import { Closed } from './schema.ts'
import { UnitOfWork } from './unit-of-work.ts'

const vague = declareJob<{ mark: string }>({ name: 'unit.vague', on_beats: true })
const chore = defineJob<{ mark: string }>({ name: 'unit.chore', run: async () => 'done' })

/** Leaves a trace of every kind a unit of work can leave, then ends as it is told. */
const trace = defineOperation({
  id: 'probe.trace',
  method: 'POST',
  path: '/probe',
  summary: 'Leave traces',
  reach: 'account',
  body: Closed({ mark: Type.String(), ends: Type.Optional(Type.String()) }),
  returns: Closed({ mark: Type.String() }),
  errors: ['plan_limit_reached'],
  async run(ctx: AccountContext, { mark, ends }) {
    await ctx.sql`update account set name = ${mark} where id = ${ctx.account.account_id}`
    ctx.emit({ type: 'ping', object: { mark } })
    await ctx.enqueue(chore, { payload: { mark } })
    await ctx.enqueue(chore, { payload: { mark }, key: mark })
    if (ends === 'refused') throw new Problem('plan_limit_reached')
    if (ends === 'broken') throw new Error('a defect')
    return { mark }
  },
})

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld({ operations: [...OPERATIONS, trace], jobs: [chore], runs_jobs: false })
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())

async function traces(mark: string) {
  const [row] = await world.db.sql<Record<string, number>>`
    select (select count(*) from account where name = ${mark}) as rows,
      (select count(*) from event where data->'object'->>'mark' = ${mark}) as events,
      (select count(*) from job where payload->>'mark' = ${mark}) as jobs,
      (select count(*) from idempotency where key = ${mark}) as answers`
  return row
}

const act = (mark: string, ends?: string) =>
  world.post('/v1/probe', { key, headers: { 'idempotency-key': mark }, body: { mark, ...(ends && { ends }) } })

describe('row, event, jobs and idempotent answer', () => {
  it('are all there once it committed', async () => {
    const mark = randomUUID()
    expect((await act(mark)).status).toBe(200)
    expect(await traces(mark)).toEqual({ rows: 1, events: 1, jobs: 2, answers: 1 })
  })

  it.each([
    ['refused', 402],
    ['broken', 500],
  ])('vanish together when the verb is %s after leaving them', async (ends, status) => {
    const mark = randomUUID()
    expect((await act(mark, ends)).status).toBe(status)
    expect(await traces(mark)).toEqual({ rows: 0, events: 0, jobs: 0, answers: 0 })
  })

  it.each(['event', 'job', 'idempotency'])(
    'vanish together when the %s cannot be written, and the key is free again',
    async (table) => {
      const mark = randomUUID()
      const column = { event: `data->'object'->>'mark'`, job: `payload->>'mark'`, idempotency: 'key' }[table]
      const client = await world.db.connect()
      await client.query(`alter table ${table} add constraint doomed check (${column} <> '${mark}')`)
      expect((await act(mark)).status).toBe(500)
      expect(await traces(mark)).toEqual({ rows: 0, events: 0, jobs: 0, answers: 0 })
      await client.query(`alter table ${table} drop constraint doomed`)
      await client.end()
      expect((await act(mark)).status).toBe(200)
      expect(await traces(mark)).toEqual({ rows: 1, events: 1, jobs: 2, answers: 1 })
    },
  )

  it('vanish together when the connection dies before the commit', async () => {
    const mark = randomUUID()
    const client = await world.db.connect()
    await client.query('begin; lock table idempotency in access exclusive mode')
    const dying = act(mark)
    await expect
      .poll(
        async () =>
          (await client.query(`select 1 from pg_locks where relation = 'idempotency'::regclass and not granted`))
            .rowCount,
      )
      .toBe(1)
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks where relation = 'idempotency'::regclass and not granted`,
    )
    await client.query('rollback')
    await client.end()
    expect((await dying).status).toBe(503)
    expect(await traces(mark)).toEqual({ rows: 0, events: 0, jobs: 0, answers: 0 })
  })
})

describe('what an event carries', () => {
  const begun = () => new UnitOfWork({ account_id: null, mode: null, empresa_id: null, clock: REAL_TIME })

  it('is the JSON of the answer too, where it is the same resource, and of no other', () => {
    const unit = begun()
    const [earlier, later] = [{ mark: 'ñ "1"' }, { mark: '2' }]
    unit.emit({ type: 'ping', object: earlier })
    unit.emit({ type: 'ping', object: later })
    for (const resource of [earlier, later, { ...later, more: 1 }, [], null])
      expect(unit.jsonOf(resource)).toBe(JSON.stringify(resource))
  })

  it('is written out once: the answer is what was told, whatever became of the object since', () => {
    const unit = begun()
    const told: { mark: string; more?: number } = { mark: '1' }
    unit.emit({ type: 'ping', object: told })
    told.more = 1
    expect(unit.jsonOf(told)).toBe('{"mark":"1"}')
  })
})

describe('a job that is due give or take', () => {
  const queuedAt = async (clock: ClockSetting, due_at: Date) => {
    const unit = new UnitOfWork({ account_id: account, mode: 'test', empresa_id: null, clock })
    const id = unit.gather(vague, { payload: { mark: 'beat' }, due_at })
    await world.db.transact((sql) => unit.flush(sql))
    const [row] = await world.db.sql<{ due_at: Date; run_at: Date }>`select due_at, run_at from job where id = ${id}`
    return row ?? { due_at: new Date(0), run_at: new Date(0) }
  }

  it('runs on a beat by real time, the same for all that is due around it', async () => {
    const beat = Math.ceil(systemNow() / BEAT_MS) * BEAT_MS + 3 * BEAT_MS
    for (const off of [-BEAT_MS / 2, 0, BEAT_MS / 2 - 1]) {
      const due_at = new Date(beat + off)
      expect(await queuedAt(REAL_TIME, due_at)).toEqual({ due_at, run_at: new Date(beat) })
    }
  })

  it('runs at its instant on a test clock, and at once where it is due already', async () => {
    const offset_ms = 7 * 86_400_000
    const due_at = new Date(Math.ceil(systemNow() / BEAT_MS) * BEAT_MS + 3 * BEAT_MS + 77 + offset_ms)
    const run_at = new Date(due_at.getTime() - offset_ms)
    expect(await queuedAt({ offset_ms, frozen_at: null }, due_at)).toEqual({ due_at, run_at })
    const past = new Date(systemNow() - 10)
    expect(await queuedAt(REAL_TIME, past)).toEqual({ due_at: past, run_at: past })
  })
})
