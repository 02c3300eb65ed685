import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { until } from '../../test/support/until.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import type { AccountContext } from '../domain/context.ts'
import { defineOperation } from '../domain/operation.ts'
import { REAL_TIME } from '../kernel/clock.ts'
import { part, type Sql } from '../kernel/db.ts'
import { asRead, type RowCheck } from '../kernel/rows.ts'
import { Closed } from '../kernel/schema.ts'
import type { UnitOfWork } from '../kernel/unit-of-work.ts'
import { OPERATIONS } from '../operations.ts'
import { Agenda } from './agenda.ts'

// What a process gives its own worker from memory. The worker would begin a job that never was, and find out only as it lands.

/** What was begun, and where its job stood then: one that waits still came from memory. */
const begun: { mark: string; by: string; status: string | undefined }[] = []
const always: RowCheck<string> = () => part`select true`
const never: RowCheck<string> = () => part`select false`

const lateJob = (by: string, name = 'handed.job', gather_ms = 0) =>
  defineJob<{ mark: string }>({
    name,
    gather_ms,
    batch: 10,
    lane_concurrency: 1,
    delete_on_success: true,
    steady: true,
    claims_late: true,
    async runMany(ctx, entries) {
      const ids = entries.map(({ id }) => id)
      const rows = await ctx.sql<{ id: string; status: string }>`
        select id, status from job where id = any(${ids}::text[])`
      const statusOf = (id: string) => rows.find((row) => row.id === id)?.status
      begun.push(...entries.map(({ id, payload }) => ({ mark: payload.mark, by, status: statusOf(id) })))
      await ctx.land([asRead(always, ids)], () => undefined, ids)
      return new Map(ids.map((id) => [id, 'ended']))
    },
  })
const late = lateJob('world')
const gathering = lateJob('world', 'handed.gathering', 600)

const posting = (path: string, one_statement: boolean) =>
  defineOperation({
    id: `probe${path.replace('/', '_')}`,
    method: 'POST',
    path,
    summary: 'Queue a job',
    reach: 'account',
    body: Closed({ mark: Type.String() }),
    returns: Closed({ mark: Type.String() }),
    one_statement,
    async run(ctx: AccountContext, { mark }) {
      await ctx.enqueue(late, job(mark))
      return { mark }
    },
  })
const operations = [...OPERATIONS, posting('/acts', false), posting('/quick_acts', true)]

let world: World
let account_id: string
beforeAll(async () => {
  world = await openWorld({ jobs: [late, gathering], operations })
})
afterAll(() => world.close())
beforeEach(async () => {
  account_id = await world.account()
  begun.length = 0
})

const owner = () => ({ account_id, mode: 'test', empresa_id: null, clock: REAL_TIME }) as const
const job = (mark: string) => ({ payload: { mark }, lane: account_id })
const queue = (mark: string, { app } = world) =>
  app.transactor.transact(owner(), (sql, unit) => unit.enqueue(sql, late, job(mark)))
const marks = () => begun.map(({ mark }) => mark)
const isBegun = (mark: string) => until(mark, () => marks().includes(mark))

it('a job that this process queued is begun from memory, while it waits in the queue', async () => {
  // The look of every second may be quicker.
  await until('one from memory', async () => {
    const mark = randomUUID()
    await queue(mark)
    await isBegun(mark)
    return begun.some((one) => one.mark === mark && one.status === 'queued')
  })
})

it('looks at the queue leave what gathers in memory to its moment, though it is due', async () => {
  const gather = (mark: string) =>
    world.app.transactor.transact(owner(), (sql, unit) => unit.enqueue(sql, gathering, job(mark)))
  const isOver = async () => {
    const [row] = await world.db.sql<{ over: boolean }>`
      select not exists (select from job where account_id = ${account_id}) as over`
    return row?.over ?? false
  }
  // The first goes at once; each that follows has its moment before it.
  for (const mark of ['first', 'a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    await gather(mark)
    world.app.worker.wake()
    await isBegun(mark)
    await until('its end', isOver)
  }
  const from_memory = begun.slice(1).filter(({ status }) => status === 'queued')
  // A look that is under way while one is queued, or while the one before it ends, may lead to it.
  expect(from_memory.length).toBeGreaterThanOrEqual(2)
})

describe('a transaction hands nothing over that is undone', () => {
  type Body = (sql: Sql, unit: UnitOfWork) => Promise<unknown>
  const transact = (body: Body) => world.app.transactor.transact(owner(), body)

  const ways: Record<string, () => Promise<unknown>> = {
    async 'by what it does'() {
      const undone = transact(async (sql, unit) => {
        await unit.enqueue(sql, late, job('undone'))
        throw new Error('it went wrong')
      })
      await expect(undone).rejects.toThrow('it went wrong')
    },
    async 'as it commits'() {
      const undone = transact(async (sql, unit) => {
        await unit.enqueue(sql, late, job('undone'))
        await sql`create temp table twice (n int unique deferrable initially deferred) on commit drop`
        await sql`insert into twice values (1), (1)`
      })
      await expect(undone).rejects.toThrow('twice_n_key')
    },
    async 'because another stood in its way, where it is tried once more'() {
      let tries = 0
      await transact(async (sql, unit) => {
        if (tries++ > 0) return
        await unit.enqueue(sql, late, job('undone'))
        await sql`do $$ begin raise exception using errcode = 'serialization_failure'; end $$`
      })
      expect(tries).toBe(2)
    },
    async 'because what was read is no longer so'() {
      const landed = await world.app.transactor.land(owner(), [asRead(never, ['read'])], (unit) => {
        unit.gather(late, job('undone'))
      })
      expect(landed).toBe(null)
    },
  }

  it.each(Object.entries(ways))('%s', async (_how, undo) => {
    await undo()
    // In the same lane: what was handed over before it is begun before it, or with it.
    await queue('next')
    await isBegun('next')
    expect(marks()).toEqual(['next'])
  })
})

describe('a POST that repeats another of its Idempotency-Key hands nothing over', () => {
  it.each(['/v1/acts', '/v1/quick_acts'])('%s', async (path) => {
    const key = await world.key(account_id)
    const post = (mark: string, token: string) =>
      world.post(path, { key, body: { mark }, headers: { 'idempotency-key': token } })
    const token = randomUUID()
    await post('first', token)
    await isBegun('first')
    const again = await post('first', token)
    expect([again.status, again.headers['svc-idempotent-replay']]).toEqual([200, 'true'])
    await post('next', randomUUID())
    await isBegun('next')
    expect(marks()).toEqual(['first', 'next'])
  })
})

it('a process that runs no jobs keeps none in memory, and leaves them to one that does', async () => {
  const add = vi.spyOn(Agenda.prototype, 'add')
  onTestFinished(() => add.mockRestore())
  const inMemory = () => add.mock.calls.filter(([{ account }]) => account === account_id)
  const idle = await openWorld({ jobs: [lateJob('idle')], runs_jobs: false })
  account_id = await idle.account()
  await queue('left', idle)
  expect(inMemory()).toEqual([])
  const running = await openWorld({ jobs: [lateJob('running')], beside: idle })
  await isBegun('left')
  await queue('own', running)
  await isBegun('own')
  expect(inMemory()).not.toEqual([])
  expect(begun.map(({ mark, by }) => [mark, by])).toEqual([
    ['left', 'running'],
    ['own', 'running'],
  ])
  await running.close()
  await idle.close()
})
