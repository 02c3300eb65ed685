import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchPlans } from '../../../../test/support/plan-of.ts'
import { type Hook, openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { deletionOfJobs } from '../../../kernel/queue.ts'
import type { Outcome } from './deliver-store.ts'
import { openBatcher, type Recorded } from './delivery-batcher.ts'
import type { Health } from './store.ts'
import { loadTasks, type ReadEvents } from './task-store.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

const WORKER = 'w_test'
/** What the events carry is of no importance here. */
const noEvents: ReadEvents = async () => new Map()
const ANSWERED = { error: null, response_status: 200, response_excerpt: 'ok', duration_ms: 3 } as const

interface JobRow {
  readonly id: string
  readonly payload: { readonly delivery_ids: readonly [string] }
}

/** An outcome and the id of the job that it is of: one of its own. */
type Ended = Outcome & { readonly job_id: string }

/** Deliveries of an endpoint whose first attempt succeeded, their jobs held by a worker. */
async function succeeded(count: number): Promise<{ hook: Hook; outcomes: Ended[] }> {
  const hook = await openHook(world)
  for (let i = 0; i < count; i++) await hook.happen()
  await hook.close()
  const jobs = await world.db.sql<JobRow>`
    update job set status = 'running', worker = ${WORKER} where account_id = ${hook.account} returning id, payload`
  const names = jobs.map(({ payload }) => ({ endpoint_id: hook.id, delivery_id: payload.delivery_ids[0] }))
  const tasks = await loadTasks(world.db.sql, { account_id: hook.account, mode: 'test' }, names, noEvents)
  const outcomes = tasks.flatMap((task, i) => {
    if (!task) return []
    const at = new Date('2026-01-01T00:00:00Z')
    return [
      { job_id: jobs[i]?.id ?? '', task, attempt: 1, at, succeeded: true, next_attempt_at: null, ...ANSWERED } as const,
    ]
  })
  return { hook, outcomes }
}

/** A job of this many deliveries. */
function jobOf(id: string, open: number): Recorded['job'] {
  return { id, endsWith: (more) => more === open, deleted: () => undefined }
}

function record(hook: Hook, outcomes: readonly Ended[], worker = WORKER): Promise<(Health | null | Error)[]> {
  const endJobs = (ids: readonly string[]) => deletionOfJobs(worker, ids)
  const batcher = openBatcher({ sql: world.db.sql, account_id: hook.account, mode: 'test', endJobs })
  batcher.began()
  const recorded = outcomes.map(
    (outcome) =>
      new Promise<Health | null | Error>((resolve) =>
        batcher.record({ outcome, job: jobOf(outcome.job_id, 1) }, resolve),
      ),
  )
  batcher.ended()
  return Promise.all(recorded)
}

const rowOf = async ({ task }: Outcome) =>
  (await world.db.sql<object>`select status, attempts, response_excerpt from webhook_delivery where id = ${task.id}`)[0]

const jobsOf = (hook: Hook) => world.db.sql<{ id: string }>`select id from job where account_id = ${hook.account}`

describe('what is read together', () => {
  it('is looked up in the index by endpoint and id', async () => {
    const { hook, outcomes } = await succeeded(2)
    const names = outcomes.map(({ task }) => ({ endpoint_id: hook.id, delivery_id: task.id }))
    const steps = await world.db.transact(async (sql) => {
      await sql`set local enable_seqscan = off`
      const watched = watchPlans(sql)
      await loadTasks(watched.sql, { account_id: hook.account, mode: 'test' }, names, noEvents)
      return watched.plans.flat()
    })
    const conditions = steps.flatMap((step) => (step as { readonly 'Index Cond'?: string })['Index Cond'] ?? [])
    expect(conditions).toContainEqual(expect.stringMatching(/^\(\(endpoint_id = n\.endpoint_id\) AND \(id = ANY /))
  })

  it('has each its own endpoint and event, and tells what is not there any more', async () => {
    const one = await openHook(world)
    const other = await openHook(world, { account: one.account })
    await one.happen()
    await one.happen()
    const scope = { account_id: one.account, mode: 'test' } as const
    const rows = await world.db.sql<{ endpoint_id: string; id: string; event_id: string }>`
      select endpoint_id, id, event_id from webhook_delivery where account_id = ${one.account} order by event_id, endpoint_id desc`
    const names = rows.map(({ endpoint_id, id }) => ({ endpoint_id, delivery_id: id }))
    const gone = { endpoint_id: one.id, delivery_id: 'whd_00000000000000000000000000' }
    const asked: string[][] = []
    const readEvents: ReadEvents = async (ids) => {
      asked.push([...ids])
      return new Map(ids.map((id) => [id, Buffer.from(id)]))
    }
    const [missing, ...tasks] = await loadTasks(world.db.sql, scope, [gone, ...names], readEvents)
    await one.close()
    await other.close()
    expect(missing).toBeNull()
    expect(tasks.map((task) => [task?.id, task?.endpoint?.url, String(task?.body)])).toEqual(
      rows.map(({ endpoint_id, id, event_id }) => [id, (endpoint_id === one.id ? one : other).receiver.url, event_id]),
    )
    expect(tasks).toHaveLength(4)
    expect(asked.map((ids) => ids.toSorted())).toEqual([[...new Set(rows.map(({ event_id }) => event_id))]])
  })

  it('is nothing of another account', async () => {
    const { hook, outcomes } = await succeeded(1)
    const names = outcomes.map(({ task }) => ({ endpoint_id: hook.id, delivery_id: task.id }))
    const stranger = { account_id: await world.account(), mode: 'test' } as const
    expect(await loadTasks(world.db.sql, stranger, names, noEvents)).toEqual([null])
  })
})

describe('what is written down together', () => {
  it('is lost by none when one of them cannot be written', async () => {
    const { hook, outcomes } = await succeeded(3)
    const [one, two, three] = outcomes as [Ended, Ended, Ended]
    const broken = { ...two, response_excerpt: 'no\0text' }
    const ends = await record(hook, [one, broken, three])
    expect(ends).toEqual([null, expect.any(Error), null])
    for (const good of [one, three]) expect(await rowOf(good)).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(await rowOf(two)).toMatchObject({ status: 'pending', attempts: 0 })
    expect(await jobsOf(hook)).toEqual([{ id: two.job_id }])
  })

  it('stays as it is once it is settled', async () => {
    const { hook, outcomes } = await succeeded(1)
    const [first] = outcomes as [Ended]
    await record(hook, [first])
    await record(hook, [{ ...first, succeeded: false, error: 'http_error', response_excerpt: 'later' }])
    expect(await rowOf(first)).toEqual({ status: 'succeeded', attempts: 1, response_excerpt: 'ok' })
  })

  it('ends the jobs of deliveries that are over, of no other, and none that another worker holds by now', async () => {
    const { hook, outcomes } = await succeeded(3)
    const [over, later, lost] = outcomes as [Ended, Ended, Ended]
    await world.db.sql`update job set worker = 'w_other' where id = ${lost.job_id}`
    const again = { ...later, succeeded: false, error: 'http_error', next_attempt_at: new Date() } as const
    await record(hook, [over, again, lost])
    const left = (await jobsOf(hook)).map(({ id }) => id).sort()
    expect(left).toEqual([later.job_id, lost.job_id].sort())
    expect(await rowOf(lost)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
})

describe('the requests of a delivery', () => {
  const stored = async ({ task }: Outcome) =>
    (await world.db.sql`select 1 from webhook_attempt where delivery_id = ${task.id}`).length

  it('that arrived at the first attempt are told without a row of their own', async () => {
    const { hook, outcomes } = await succeeded(1)
    const [only] = outcomes as [Ended]
    await record(hook, [only])
    expect(await stored(only)).toBe(0)
    const { attempt_log } = await hook.delivery(only.task.id)
    expect(attempt_log).toEqual([
      { attempt: 1, at: only.at.toISOString(), response_status: 200, error: null, duration_ms: 3 },
    ])
  })

  it('are all told where a worker that was given up had sent it too', async () => {
    const { hook, outcomes } = await succeeded(1)
    const [first] = outcomes as [Ended]
    const second = { ...first, at: new Date(first.at.getTime() + 1_000), duration_ms: 9 }
    await record(hook, [first])
    await record(hook, [second])
    const { attempt_log } = await hook.delivery(first.task.id)
    expect(attempt_log.map(({ attempt, duration_ms }) => [attempt, duration_ms])).toEqual([
      [1, 3],
      [1, 9],
    ])
  })

  it('are told from their rows where there was more than one', async () => {
    const { hook, outcomes } = await succeeded(1)
    const [first] = outcomes as [Ended]
    const failed = { ...first, succeeded: false, error: 'http_error', response_status: 500 } as const
    await record(hook, [{ ...failed, next_attempt_at: new Date() }])
    await record(hook, [{ ...first, attempt: 2, at: new Date(first.at.getTime() + 1_000) }])
    expect(await stored(first)).toBe(2)
    const { attempt_log } = await hook.delivery(first.task.id)
    expect(attempt_log.map(({ attempt, response_status }) => [attempt, response_status])).toEqual([
      [1, 500],
      [2, 200],
    ])
  })
})
