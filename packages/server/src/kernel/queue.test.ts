import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { readWhole, watchPlans } from '../../test/support/plan-of.ts'
import { acts, holding, look, runs, type Task, task, taskJobs, tasksOf } from '../../test/support/queue-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { claimJobs, lookAtQueue } from './claim.ts'
import { secondsFrom, systemNow } from './clock.ts'
import type { Sql } from './db.ts'
import { GiveUp, type Pool } from './job.ts'
import { Problem } from './problem.ts'
import { isParked, readQueueDepth, requeueExpiredLeases, unparkJobs } from './queue.ts'

let world: World
let account: string
let key: string
let tasks: ReturnType<typeof tasksOf>
beforeAll(async () => {
  world = await openWorld({ jobs: taskJobs })
  account = await world.account()
  key = await world.key(account)
  tasks = tasksOf(world, account)
})
afterAll(() => world.close())

const wake = () => world.app.worker.wake()

describe('a job', () => {
  it('runs once and its result is read through GET /v1/jobs/{id}', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => ({ done: { answer: 42 } }))
    const id = await tasks.enqueue(task, mark)
    wake()
    await tasks.becomes(id, 'succeeded')
    const sent = await world.get(`/v1/jobs/${id}`, { key })
    expect(sent.body).toMatchObject({ object: 'job', type: 'probe', status: 'succeeded', attempts: 1, error: null })
    expect(sent.body.result).toEqual({ answer: 42 })
    expect(sent.headers['svc-poll-after']).toBeUndefined()
    expect(runs.get(mark)).toBe(1)
  })

  it('does not run before it is due', async () => {
    const mark = randomUUID()
    const id = await tasks.enqueue(task, mark, { due_at: secondsFrom(new Date(systemNow()), 3600) })
    wake()
    await sleep(200)
    expect([runs.get(mark), (await tasks.row(id)).status]).toEqual([undefined, 'queued'])
    expect((await world.get(`/v1/jobs/${id}`, { key })).headers['svc-poll-after']).toBe('1')
  })

  it('404 job_not_found for one of another account, of another mode, and for an internal one', async () => {
    const id = await tasks.enqueue(task, randomUUID())
    const internal = await tasks.enqueue(look, randomUUID())
    const stranger = await world.key(await world.account())
    const live = await world.key(account, { mode: 'live' })
    for (const [job, who] of [
      [id, stranger],
      [id, live],
      [internal, key],
      ['job_nothing', key],
    ] as const) {
      const sent = await world.get(`/v1/jobs/${job}`, { key: who })
      expect([sent.status, sent.body.error.code]).toEqual([404, 'job_not_found'])
    }
  })
})

describe('a job that fails', () => {
  it('is tried again by its schedule, the last wait repeating, then buried with what went wrong', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => {
      throw new Problem('sii_unreachable')
    })
    const id = await tasks.enqueue(task, mark)
    const since = systemNow()
    wake()
    for (const [attempts, seconds] of [
      [1, 10],
      [2, 70],
    ] as const) {
      await expect.poll(async () => (await tasks.row(id)).attempts).toBe(attempts)
      await tasks.becomes(id, 'queued')
      expect(await tasks.wasPutOff(id, seconds, since)).toBe(true)
      expect((await tasks.row(id)).error?.code).toBe('sii_unreachable')
      await tasks.bringForward(id)
    }
    await tasks.becomes(id, 'failed')
    const { body } = await world.get(`/v1/jobs/${id}`, { key })
    expect(body).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'sii_unreachable' } })
    expect(body.finished_at).not.toBeNull()
    expect(runs.get(mark)).toBe(3)
  })

  it('tells the caller nothing of a defect of ours', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => {
      throw new Error('select secret from vault where password = hunter2')
    })
    const id = await tasks.enqueue(task, mark)
    wake()
    await expect
      .poll(async () => (await tasks.row(id)).error)
      .toEqual({ code: 'internal_error', message: 'Something failed on our side.' })
    expect((await world.get(`/v1/jobs/${id}`, { key })).text).not.toContain('hunter2')
  })

  it('is buried at once when no retry can mend it', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => {
      throw new GiveUp('mail_refused', 'There is nothing to send it to.')
    })
    const id = await tasks.enqueue(task, mark)
    wake()
    await tasks.becomes(id, 'failed')
    expect(await tasks.row(id)).toMatchObject({
      attempts: 1,
      error: { code: 'mail_refused', message: 'There is nothing to send it to.' },
    })
  })

  it('is buried when nothing here knows how to run it', async () => {
    const unknown = defineJob<Task>({ name: 'queue.unknown', type: 'probe', run: async () => 'done' })
    const id = await tasks.enqueue(unknown, randomUUID())
    wake()
    await tasks.becomes(id, 'failed')
    expect((await tasks.row(id)).error?.code).toBe('unknown_job')
  })
})

describe('a job that asks to wait', () => {
  it('looks again by its own schedule and never counts as failed', async () => {
    const mark = randomUUID()
    acts.set(mark, async () => 'not_yet')
    const id = await tasks.enqueue(look, mark)
    const since = systemNow()
    wake()
    for (const [n, seconds] of [
      [1, 10],
      [2, 30],
      [3, 300],
      [4, 300],
    ] as const) {
      await expect.poll(() => runs.get(mark)).toBe(n)
      await tasks.becomes(id, 'queued')
      expect(await tasks.wasPutOff(id, seconds, since)).toBe(true)
      expect((await tasks.row(id)).attempts).toBe(0)
      if (n === 4) acts.set(mark, async () => 'done')
      await tasks.bringForward(id)
    }
    await tasks.becomes(id, 'succeeded')
  })
})

describe('a key', () => {
  it('is the same job while one is queued or running, and a new one afterwards', async () => {
    const [mark, name] = [randomUUID(), randomUUID()]
    const release = holding(mark)
    const first = await tasks.enqueue(task, mark, { key: name })
    expect(await tasks.enqueue(task, mark, { key: name })).toBe(first)
    wake()
    await tasks.becomes(first, 'running')
    expect(await tasks.enqueue(task, mark, { key: name })).toBe(first)
    release()
    await tasks.becomes(first, 'succeeded')
    expect(await tasks.enqueue(task, mark, { key: name })).not.toBe(first)
  })

  it('gives one id to everyone who asks at once', async () => {
    const name = randomUUID()
    const due_at = secondsFrom(new Date(systemNow()), 3600)
    const ids = await Promise.all(Array.from({ length: 8 }, () => tasks.enqueue(task, name, { key: name, due_at })))
    expect(new Set(ids).size).toBe(1)
  })
})

describe('a long queue', () => {
  /** Jobs of no worker here, which nobody runs: `many` of them, each in a lane of its own. */
  const fill = (sql: Sql, many: number, what: { status: 'queued' | 'succeeded'; parked: boolean; due_in: number }) =>
    sql`
      insert into job (id, name, account_id, mode, pool, lane, parked, payload, status, due_at, run_at, created_at, finished_at,
        max_attempts)
      select 'job_' || gen_random_uuid(), 'queue.long', ${account}, 'test', 'nobody', 'queue.long|' || n, ${what.parked}, '{}',
        ${what.status}, now(), now() + make_interval(secs => ${what.due_in}::integer), now(),
        case when ${what.status === 'succeeded'} then now() end, 3
      from generate_series(1, ${many}::integer) n`

  it('is walked by claims only as far as it is due in a moment: the rest is parked', () => {
    const dueIn = (seconds: number) => isParked(secondsFrom(new Date(systemNow()), seconds))
    expect([dueIn(0), dueIn(3), dueIn(10), dueIn(59)]).toEqual([false, false, true, true])
  })

  it('comes back as a whole when it is due, however many are due at once', async () => {
    // Within a transaction, so that the worker of this world does not see them.
    const left = await world.db.transact(async (sql) => {
      await fill(sql, 2_500, { status: 'queued', parked: true, due_in: 1 })
      await fill(sql, 10, { status: 'queued', parked: true, due_in: 60 })
      await unparkJobs(sql)
      const parked = await sql`select 1 from job where pool = 'nobody' and parked`
      await sql`delete from job where pool = 'nobody'`
      return parked.length
    })
    expect(left).toBe(10)
  })

  it('says when its next job is due, and whose turn it may be once one is', async () => {
    const nobody = ['nobody' as Pool]
    const looks = await world.db.transact(async (sql) => {
      await sql`delete from job`
      const empty = await lookAtQueue(sql, nobody)
      await fill(sql, 1, { status: 'queued', parked: false, due_in: 3_600 })
      await sql`update job set run_at = 'infinity'`
      const never = await lookAtQueue(sql, nobody)
      await sql`delete from job`
      await fill(sql, 1, { status: 'queued', parked: false, due_in: 30 })
      const [job] = await sql<{ run_at: Date }>`select run_at from job`
      const early = await lookAtQueue(sql, nobody)
      await fill(sql, 1, { status: 'queued', parked: false, due_in: -1 })
      const due = await lookAtQueue(sql, nobody)
      await sql`delete from job`
      return { next: job?.run_at, empty, never, early, due }
    })
    const { next } = looks
    expect(looks).toEqual({
      next: expect.any(Date),
      empty: { pools: [], next: null, needs_recovery: false },
      never: { pools: [], next: null, needs_recovery: false },
      early: { pools: [], next, needs_recovery: false },
      due: { pools: nobody, next, needs_recovery: false },
    })
  })

  it('says on request whether a job is to be unparked or taken from a silent worker', async () => {
    const looks = await world.db.transact(async (sql) => {
      const asked = async () => (await lookAtQueue(sql, ['nobody' as Pool], { asks_recovery: true })).needs_recovery
      await sql`delete from job`
      const found = [await asked()]
      await fill(sql, 1, { status: 'queued', parked: true, due_in: 60 })
      found.push(await asked())
      await fill(sql, 1, { status: 'queued', parked: true, due_in: 1 })
      found.push(await asked())
      await unparkJobs(sql)
      found.push(await asked())
      await sql`update job set status = 'running', worker = 'silent', lease_until = now() + interval '1 minute'`
      found.push(await asked())
      await sql`update job set lease_until = now() - interval '1 second'`
      found.push(await asked())
      await requeueExpiredLeases(sql)
      found.push(await asked())
      await sql`delete from job`
      return found
    })
    expect(looks).toEqual([false, false, true, false, false, true, false])
  })

  it('is measured from its indexes, and never from all that ever ran', async () => {
    await fill(world.db.sql, 20_000, { status: 'succeeded', parked: false, due_in: 0 })
    await fill(world.db.sql, 1_000, { status: 'queued', parked: false, due_in: 0 })
    await world.db.sql`analyze job`
    const { sql, plans } = watchPlans(world.db.sql)
    const { due, oldest } = await readQueueDepth(sql, 1_000)
    expect([due, oldest instanceof Date]).toEqual([1_000, true])
    expect(plans.flatMap(readWhole)).toEqual([])
    const indexes = plans.flat().flatMap((step) => step['Index Name'] ?? [])
    expect([...new Set(indexes)].sort()).toEqual(['job_leased', 'job_parked', 'job_unparked'])
    const polled = watchPlans(world.db.sql)
    await lookAtQueue(polled.sql, ['nobody' as Pool], { asks_recovery: true })
    expect(polled.plans.flatMap(readWhole)).toEqual([])
    await world.db.sql`delete from job where pool = 'nobody'`
  })

  it('is walked from turn to turn by a plan that was made while nobody waited', async () => {
    const plans = await world.db.transact(async (sql) => {
      await sql`delete from job`
      await fill(sql, 5_000, { status: 'succeeded', parked: false, due_in: 0 })
      await sql`analyze job`
      await sql`set local enable_seqscan = off`
      const watched = watchPlans(sql)
      const nobody = 'nobody' as Pool
      await lookAtQueue(watched.sql, [nobody])
      const claim = { worker: 'w', pool: nobody, after: '', accounts: 1, places: 1, room: 1, turns: [], busy: [] }
      await claimJobs(watched.sql, { ...claim, capacities: new Map(), batches: new Map() })
      await sql`delete from job`
      return watched.plans
    })
    const [look, claim] = plans.map((steps) => steps.flatMap((step) => step['Index Name'] ?? []))
    expect([...new Set(look)].sort()).toEqual(['job_by_turn', 'job_unparked'])
    expect(new Set(claim?.filter((index) => index.startsWith('job_')))).toEqual(new Set(['job_by_turn', 'job_pkey']))
  })
})
