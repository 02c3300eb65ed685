import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { compileProgram } from '../../test/support/program.ts'
import { acts, hold, holding, runs, task, taskJobs, tasksOf } from '../../test/support/queue-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { type Claim, claimJobs } from './claim.ts'
import { systemNow } from './clock.ts'
import { LEASE_SECONDS, renewLeases, requeueExpiredLeases } from './queue.ts'

// This world runs no job itself: rows are moved by hand and by workers that each test opens beside it.
let world: World
let tasks: ReturnType<typeof tasksOf>
beforeAll(async () => {
  world = await openWorld({ jobs: taskJobs, runs_jobs: false })
  tasks = tasksOf(world, await world.account())
})
afterAll(() => world.close())
// What an earlier test left running is taken up once its lease ends, by whoever is there.
beforeEach(() => world.db.sql`delete from job`)

const CLAIM: Omit<Claim, 'worker'> = {
  ...{ pool: 'work', after: '', accounts: 100, places: 100, room: 100, turns: [], busy: [], batches: new Map() },
  capacities: new Map([['queue.hold', 100]]),
}

/** Another process over the same database, with a worker that runs. */
async function beside(): Promise<World> {
  const other = await openWorld({ beside: world, jobs: taskJobs })
  onTestFinished(() => other.close())
  return other
}

describe('a lease', () => {
  it('keeps a job its own until it runs out; then another worker takes it up, and the try counts', async () => {
    const id = await tasks.enqueue(hold, randomUUID())
    const take = async (worker: string) => {
      await requeueExpiredLeases(world.db.sql)
      return (await claimJobs(world.db.sql, { ...CLAIM, worker })).find((job) => job.id === id)
    }
    const from = systemNow()
    expect((await take('w_first'))?.attempts).toBe(1)
    const to = systemNow()
    expect(await take('w_second')).toBeUndefined()
    const lease = (await tasks.row(id)).lease_until?.getTime() ?? 0
    expect(lease - LEASE_SECONDS * 1000).toBeGreaterThanOrEqual(from - 10)
    expect(lease - LEASE_SECONDS * 1000).toBeLessThanOrEqual(to + 10)
    await tasks.expire(id)
    expect((await take('w_second'))?.attempts).toBe(2)
    await renewLeases(world.db.sql, 'w_first', [id])
    expect((await tasks.row(id)).worker).toBe('w_second')
  })

  it('is kept by a sign of life while a long job runs', async () => {
    const mark = randomUUID()
    const release = holding(mark)
    const busy = await beside()
    const id = await tasks.enqueue(hold, mark)
    busy.app.worker.wake()
    await tasks.becomes(id, 'running')
    const before = (await tasks.row(id)).lease_until?.getTime() ?? 0
    await expect
      .poll(async () => (await tasks.row(id)).lease_until?.getTime(), { interval: 500 })
      .toBeGreaterThan(before + 3_000)
    release()
    await tasks.becomes(id, 'succeeded')
    expect(runs.get(mark)).toBe(1)
  })

  it('is renewed without waiting for the jobs whose end is being written: the two never stand in each other’s way', async () => {
    const [ending, running] = [await tasks.enqueue(hold, randomUUID()), await tasks.enqueue(hold, randomUUID())]
    await claimJobs(world.db.sql, { ...CLAIM, worker: 'w_busy' })
    for (const id of [ending, running]) await tasks.expire(id)
    await world.db.transact(async (sql) => {
      await sql`select 1 from job where id = ${ending} for update`
      await renewLeases(world.db.sql, 'w_busy', [ending, running])
    })
    const left = async (id: string) => ((await tasks.row(id)).lease_until?.getTime() ?? 0) - systemNow()
    expect(await left(running)).toBeGreaterThan(0)
    expect(await left(ending)).toBeLessThan(0)
  })

  it('of a process that was killed runs out, and its job is taken up by the next', async () => {
    const mark = randomUUID()
    const id = await tasks.enqueue(hold, mark)
    const program = await compileProgram(new URL('../../test/support/worker-process.ts', import.meta.url))
    const child = spawn(process.execPath, [program, world.url], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    expect(line.toString().trim()).toBe(id)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // However long that took, the lease is as fresh as if it had just been renewed.
    await world.db.sql`update job set lease_until = now() + interval '1 hour' where id = ${id}`
    await requeueExpiredLeases(world.db.sql)
    expect((await tasks.row(id)).status).toBe('running')
    await tasks.expire(id)
    await requeueExpiredLeases(world.db.sql)
    expect((await tasks.row(id)).status).toBe('queued')
    const next = await beside()
    next.app.worker.wake()
    await tasks.becomes(id, 'succeeded')
    expect([runs.get(mark), (await tasks.row(id)).attempts]).toEqual([1, 2])
  })

  it('that ran out on every try buries the job instead of letting it take down one worker more', async () => {
    const mark = randomUUID()
    const id = await tasks.enqueue(task, mark)
    await world.db.sql`
      update job set status = 'running', worker = 'w_dead', attempts = max_attempts, lease_until = now() - interval '1 second'
      where id = ${id}`
    const next = await beside()
    next.app.worker.wake()
    await tasks.becomes(id, 'failed')
    expect([runs.get(mark), (await tasks.row(id)).error?.code]).toEqual([undefined, 'worker_lost'])
  })

  it('of many jobs whose worker died brings all of them back at once, each to its line, with the try it lost', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, i) => tasks.enqueue(hold, randomUUID(), { lane: `l${i}` })),
    )
    await world.db.sql`
      update job set status = 'running', worker = 'w_dead', attempts = 1, lease_until = now() - interval '1 second'
      where id = any(${ids}::text[])`
    await requeueExpiredLeases(world.db.sql)
    const rows = await Promise.all(ids.map((id) => tasks.row(id)))
    expect(new Set(rows.map(({ status, attempts, worker }) => `${status} ${attempts} ${worker}`))).toEqual(
      new Set(['queued 1 null']),
    )
  })

  it('that was lost lets nobody write an end to a job somebody else runs', async () => {
    const mark = randomUUID()
    const release = holding(mark, { done: { late: true } })
    const slow = await beside()
    const id = await tasks.enqueue(hold, mark)
    slow.app.worker.wake()
    await tasks.becomes(id, 'running')
    await world.db.sql`update job set worker = 'w_other' where id = ${id}`
    release()
    await sleep(200)
    expect(await tasks.row(id)).toMatchObject({ status: 'running', worker: 'w_other' })
  })

  it('is handed back at once by a worker that stops', async () => {
    const mark = randomUUID()
    acts.set(mark, () => new Promise(() => undefined))
    const leaving = await openWorld({ beside: world, jobs: taskJobs })
    const id = await tasks.enqueue(hold, mark)
    leaving.app.worker.wake()
    await tasks.becomes(id, 'running')
    await leaving.close()
    expect(await tasks.row(id)).toMatchObject({ status: 'queued', attempts: 0, lease_until: null })
  })
})
