import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { REAL_TIME, secondsFrom, systemNow } from '../kernel/clock.ts'
import type { Database, Sql } from '../kernel/db.ts'
import type { WaitingJob } from '../kernel/late-claim.ts'
import type { NewJob } from '../kernel/outbox.ts'
import type { ClaimedJob } from '../kernel/queue.ts'
import { Agenda, appointmentFor, type DueLane } from './agenda.ts'
import { openPool } from './slots.ts'

const LANE = { pool: 'work', account: 'a', lane: 'x|1' } as const
const DUE = { ...LANE, jobs: null }
const performLate = async () => false

describe('an agenda', () => {
  it('gives a lane at the moment of each of its jobs, and once for those of the same moment', () => {
    const agenda = new Agenda()
    for (const at of [1_001, 1_010, 1_900]) expect(agenda.add(LANE, at, null)).toBe(true)
    expect(agenda.takeDue(appointmentFor(1_001) - 1)).toEqual([])
    expect(agenda.takeDue(appointmentFor(1_001))).toEqual([DUE])
    expect(agenda.takeDue(1_850)).toEqual([])
    expect(agenda.takeDue(1_900)).toEqual([DUE])
    expect(agenda.takeDue(5_000)).toEqual([])
  })

  it('knows whether it holds anything for a moment, so that nobody looks for it', () => {
    const agenda = new Agenda()
    agenda.add(LANE, 1_001, null)
    expect([agenda.knows(1_020), agenda.knows(1_060)]).toEqual([true, false])
    agenda.takeDue(2_000)
    expect(agenda.knows(1_020)).toBe(false)
  })

  it('names the jobs that it will hand out itself, and none that it did, that were claimed, that only the queue is to tell, or where they are many', () => {
    const agenda = new Agenda()
    const job = (id: string) => ({ id, run_at: new Date(1_000) }) as WaitingJob
    agenda.add(LANE, 1_001, [job('a'), job('b')])
    agenda.add({ ...LANE, lane: 'x|2' }, 1_500, [job('c')])
    expect(agenda.held()).toEqual(['a', 'b', 'c'])
    agenda.forget(['b'])
    agenda.takeDue(1_100)
    expect(agenda.held()).toEqual(['c'])
    agenda.add({ ...LANE, lane: 'x|2' }, 1_400, null)
    expect(agenda.takeDue(1_500)).toEqual([{ ...LANE, lane: 'x|2', jobs: null }])
    expect(agenda.held()).toEqual([])
    for (let i = 0; i < 100; i++) agenda.add({ ...LANE, lane: `y|${i}` }, 1_500, [job(`d${i}`)])
    expect(agenda.held()).toHaveLength(100)
    agenda.add({ ...LANE, lane: 'z' }, 1_500, [job('e')])
    expect(agenda.held()).toEqual([])
  })

  it('takes no more than it has room for', () => {
    const agenda = new Agenda()
    const taken = Array.from({ length: 20_001 }, (_, i) => agenda.add({ ...LANE, lane: `x|${i}` }, i, null))
    expect(taken.filter((one) => !one)).toHaveLength(1)
  })
})

const ran: string[] = []
const held = new Map<string, Promise<void>>()
const alone = defineJob<{ mark: string }>({
  name: 'agenda.alone',
  lane_concurrency: 1,
  delete_on_success: true,
  async run(_ctx, { mark }) {
    ran.push(mark)
    await held.get(mark)
    return 'done'
  },
})

/** So long that nothing of it ends while the test runs. */
const EVER_MS = 1e12
const together = defineJob<{ mark: string }>({
  name: 'agenda.together',
  batch: 2,
  gather_ms: EVER_MS,
  delete_on_success: true,
  async runMany(_ctx, entries) {
    ran.push(...entries.map(({ payload }) => payload.mark))
    return new Map()
  },
})

let world: World
let account_id: string
let walks = 0
const counted =
  (sql: Sql): Sql =>
  (strings, ...values) => {
    if (strings.join('').includes('with recursive accounts')) walks++
    return sql(strings, ...values)
  }
beforeAll(async () => {
  const database = (db: Database): Database => ({ ...db, steady: { ...db.steady, sql: counted(db.steady.sql) } })
  world = await openWorld({ jobs: [alone, together], database })
  account_id = await world.account()
})
afterAll(() => world.close())

const owner = () => ({ account_id, mode: 'test', empresa_id: null, clock: REAL_TIME }) as const
/** Queues jobs as a verb does: in one transaction of this process. */
const queue = (marks: readonly string[], lane: (mark: string) => string, more: Partial<NewJob<never>> = {}) =>
  world.app.transactor.transact(owner(), async (sql, unit) => {
    for (const mark of marks) await unit.enqueue(sql, alone, { payload: { mark }, lane: lane(mark), ...more })
  })
const marksOf = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${what} ${i}`)
const done = (what: string) => ran.filter((mark) => mark.startsWith(what))

describe('jobs that this process queued', () => {
  it('run in order within their lane', async () => {
    await queue(marksOf('plain', 5), () => 'one')
    await expect.poll(() => done('plain')).toEqual(marksOf('plain', 5))
  })

  it('are claimed from their lanes alone, no further than their lane has room, where each finds a slot that its account may have', async () => {
    const idle = await openWorld({ jobs: [alone], runs_jobs: false })
    onTestFinished(() => idle.close())
    const own = { account_id: await idle.account(), mode: 'test', empresa_id: null, clock: REAL_TIME } as const
    await idle.app.transactor.transact(own, async (sql, unit) => {
      for (const mark of ['x 0', 'x 1', 'y 0', 'z 0'])
        await unit.enqueue(sql, alone, { payload: { mark }, lane: mark.slice(0, 1) })
    })
    const claimed: string[] = []
    const perform = async (jobs: readonly ClaimedJob[]) => {
      claimed.push(...jobs.map(({ payload }) => (payload as { mark: string }).mark))
    }
    const before = walks
    const pool = openPool(
      { sql: counted(idle.db.steady.sql), worker: 'w', jobs: [alone], perform, performLate },
      'work',
    )
    const lane = (name: string) =>
      ({ pool: 'work', account: own.account_id, lane: `agenda.alone|${name}`, jobs: null }) as const
    const more = await pool.pollLanes([lane('x'), lane('y')], () => undefined)
    expect(claimed.sort()).toEqual(['x 0', 'y 0'])
    expect(more?.map((one) => one.lane)).toEqual(['agenda.alone|x', 'agenda.alone|y'])
    // Of sixteen slots one account has half. Several accounts share them, and the walk decides only where one finds none.
    const crowd = (of: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...lane(`${of} ${i}`), account: of }))
    const poll = (lanes: readonly DueLane[]) => pool.pollLanes(lanes, () => undefined)
    expect(await poll(crowd('a', 8))).toEqual([])
    expect(await poll(crowd('a', 9))).toBe(null)
    expect(await poll([...crowd('a', 5), ...crowd('b', 5), ...crowd('c', 1)])).toEqual([])
    expect(await poll([...crowd('a', 8), ...crowd('b', 5)])).toBe(null)
    expect(walks).toBe(before)
  })

  it('run when they are due, those that come later in a lane too', async () => {
    const now = new Date(systemNow())
    await queue(['later 1'], () => 'two', { due_at: secondsFrom(now, 0.6) })
    await queue(['later 0'], () => 'two', { due_at: secondsFrom(now, 0.2) })
    await expect.poll(() => done('later')).toEqual(['later 0', 'later 1'])
    expect(systemNow()).toBeGreaterThanOrEqual(now.getTime() + 600)
  })

  it('wait for their lane and go on as soon as it is free, whoever queued there meanwhile', async () => {
    let release = () => {}
    held.set('busy 0', new Promise((resolve) => (release = resolve)))
    await queue(['busy 0'], () => 'three')
    await expect.poll(() => done('busy')).toEqual(['busy 0'])
    await queue(['busy 1'], () => 'three')
    await world.db.sql`
      insert into job (id, name, account_id, mode, pool, lane, payload, due_at, run_at, max_attempts, created_at, timed_at)
      select ${`job_${randomUUID()}`}, name, account_id, mode, pool, lane, '{"mark":"busy 2"}', now(), now(), 8, now(), now()
      from job where payload ->> 'mark' = 'busy 1'`
    expect(done('busy')).toEqual(['busy 0'])
    release()
    await expect.poll(() => done('busy')).toEqual(['busy 0', 'busy 1', 'busy 2'])
  })

  it('gather in a lane whose last batch was not full, until its next moment', async () => {
    const idle = await openWorld({ jobs: [together], runs_jobs: false })
    onTestFinished(() => idle.close())
    const own = { account_id: await idle.account(), mode: 'test', empresa_id: null, clock: REAL_TIME } as const
    await idle.app.transactor.transact(own, async (sql, unit) => {
      for (const mark of ['x 0', 'y 0', 'y 1', 'y 2'])
        await unit.enqueue(sql, together, { payload: { mark }, lane: mark.slice(0, 1) })
    })
    const perform = async () => undefined
    const pool = openPool({ sql: idle.db.steady.sql, worker: 'w', jobs: [together], perform, performLate }, 'work')
    const lane = (name: string) =>
      ({ pool: 'work', account: own.account_id, lane: `agenda.together|${name}`, jobs: null }) as const
    await pool.pollLanes([lane('x'), lane('y')], () => undefined)
    const next = ['x', 'y', 'z'].map((name) => pool.nextClaimOf(lane(name).lane))
    expect(next).toEqual([(Math.floor(systemNow() / EVER_MS) + 1) * EVER_MS, 0, 0])
  })

  it('that gather are found by the look of every second, whatever becomes of their moment', async () => {
    const add = (mark: string) =>
      world.app.transactor.transact(owner(), async (sql, unit) => {
        await unit.enqueue(sql, together, { payload: { mark }, lane: 'gathers' })
      })
    await add('gathered 0')
    await expect.poll(() => done('gathered')).toEqual(['gathered 0'])
    const before = walks
    await add('gathered 1')
    await expect.poll(() => done('gathered')).toEqual(['gathered 0', 'gathered 1'])
    expect(walks).toBeGreaterThan(before)
  })

  it('of many lanes of one account are claimed at once, not a lane at a time', async () => {
    let release = () => {}
    const stuck = new Promise<void>((resolve) => (release = resolve))
    const marks = marksOf('lanes', 6)
    for (const mark of marks) held.set(mark, stuck)
    await queue(marks, (mark) => mark)
    await expect.poll(() => done('lanes').sort()).toEqual(marks)
    release()
  })

  it('beyond the free slots take their turn by account, so that another finds one', async () => {
    let release = () => {}
    const stuck = new Promise<void>((resolve) => (release = resolve))
    const marks = marksOf('crowd', 40)
    for (const mark of marks) held.set(mark, stuck)
    const before = walks
    await queue(marks, (mark) => mark)
    await expect.poll(() => done('crowd').length).toBe(8)
    expect(walks).toBeGreaterThan(before)
    account_id = await world.account()
    await queue(['guest 0'], () => 'guest')
    await expect.poll(() => done('guest')).toEqual(['guest 0'])
    expect(done('crowd')).toHaveLength(8)
    release()
    await expect.poll(() => done('crowd').length).toBe(40)
  })
})
