import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, type Hook, type HookOptions, openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { lookAtQueue } from '../../../kernel/claim.ts'
import { REAL_TIME } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { NewJob } from '../../../kernel/outbox.ts'
import { UnitOfWork } from '../../../kernel/unit-of-work.ts'
import { DeliveryJob, type DeliveryRun } from './delivery-job.ts'
import { openFanOut } from './fan-out.ts'
import { type DeliveryPayload, deliverWebhook, TOGETHER } from './jobs.ts'

/** Takes requests and runs no job: what runs them is opened when a test wants it. */
let front: World
beforeAll(async () => {
  front = await openWorld({ runs_jobs: false })
})
afterAll(() => front.close())

async function hooked(options: HookOptions = {}): Promise<Hook> {
  const hook = await openHook(front, options)
  onTestFinished(() => hook.close())
  return hook
}

async function openWorker(): Promise<World> {
  const worker = await openWorld({ beside: front })
  onTestFinished(() => worker.close())
  return worker
}

/** So many events in one statement. Gives their ids. */
async function happenTogether({ account }: Hook, count: number): Promise<string[]> {
  const owner = { account_id: account, mode: 'test', empresa_id: null, clock: REAL_TIME } as const
  const unit = new UnitOfWork(owner, openFanOut())
  const ids = Array.from({ length: count }, (_, i) => unit.emit({ type: 'api_key.created', object: { number: i } }))
  await front.db.transact((sql) => unit.flush(sql))
  return ids
}

interface JobRow {
  readonly id: string
  readonly lane: string
  readonly key: string | null
  readonly due_at: Date
  readonly payload: { readonly endpoint_id: string; readonly delivery_ids: readonly string[] }
}

const jobsOf = ({ account }: Hook) =>
  front.db.sql<JobRow>`
    select id, lane, key, due_at, payload from job where account_id = ${account} and name = 'webhook.deliver' order by id`

/** The deliveries of an account in the order of their events, with what is stored of them. */
const deliveriesOf = ({ account }: Hook) =>
  front.db.sql<{ id: string; event_id: string; endpoint_id: string; status: string; next_attempt_at: Date | null }>`
    select id, event_id, endpoint_id, status, next_attempt_at from webhook_delivery where account_id = ${account} order by event_id`

const settled = (hook: Hook, count: number) =>
  eventually(async () => (await deliveriesOf(hook)).filter(({ status }) => status === 'succeeded').length).toBe(count)

const eventsSent = (hook: Hook) => hook.receiver.received.map(({ event }) => event.id).sort()

describe('deliveries that are born together', () => {
  it('share a job, those of each endpoint their own, and have several where they are many', async () => {
    const hook = await hooked()
    const other = await hooked({ account: hook.account })
    const count = 4 * TOGETHER
    await happenTogether(hook, count)
    const jobs = await jobsOf(hook)
    const deliveries = await deliveriesOf(hook)
    for (const { id } of [hook, other]) {
      const own = jobs.filter(({ payload }) => payload.endpoint_id === id)
      expect(own).toHaveLength(4)
      expect(own.map(({ lane }) => lane)).toEqual(own.map(() => `webhook.deliver|${id}`))
      expect(own.flatMap(({ payload }) => payload.delivery_ids).sort()).toEqual(
        deliveries.flatMap((one) => (one.endpoint_id === id ? one.id : [])).sort(),
      )
    }
    expect(deliveries).toHaveLength(2 * count)
    await openWorker()
    await settled(hook, 2 * count)
    await eventually(() => jobsOf(hook)).toEqual([])
    expect(new Set(eventsSent(hook)).size).toBe(count)
    expect([hook, other].map(({ receiver }) => receiver.received.length)).toEqual([count, count])
  })

  it('are tried again each by itself: one that fails has a job of its own, and the others are over', async () => {
    const failing = new Set<string>()
    const hook = await hooked({
      answers: (response) => {
        response.writeHead(failing.has(String(response.req.headers['svc-event-id'])) ? 500 : 200).end()
      },
    })
    // The clock stands still: nothing is tried again by itself, however slow this machine is.
    await front.db.sql`insert into test_clock (account_id, frozen_at) values (${hook.account}, now())`
    const [unlucky = ''] = await happenTogether(hook, 5)
    failing.add(unlucky)
    await openWorker()
    await settled(hook, 4)
    await eventually(async () => (await jobsOf(hook)).map(({ key }) => key === null)).toEqual([false])
    const [job] = await jobsOf(hook)
    const waiting = (await deliveriesOf(hook)).filter(({ status }) => status === 'pending')
    expect(waiting.map(({ event_id }) => event_id)).toEqual([unlucky])
    expect(job?.payload).toEqual({ endpoint_id: hook.id, delivery_ids: [waiting[0]?.id] })
    expect(job?.due_at).toEqual(waiting[0]?.next_attempt_at)
    failing.clear()
    await hook.advance('PT10S')
    await settled(hook, 5)
    await eventually(() => jobsOf(hook)).toEqual([])
    expect(hook.receiver.received).toHaveLength(6)
  })

  it('are sent once, where a worker died when some of them were written down', async () => {
    const hook = await hooked()
    const [one, two, ...rest] = await happenTogether(hook, 5)
    await front.db.sql`
      update webhook_delivery set succeeded = true, attempts = 1, next_attempt_at = null, finished_at = now()
      where account_id = ${hook.account} and event_id = any(${[one, two]}::text[])`
    await openWorker()
    await settled(hook, 5)
    await eventually(() => jobsOf(hook)).toEqual([])
    expect(eventsSent(hook)).toEqual(rest.sort())
  })

  it('do not come early, where a worker died before one that failed was put off', async () => {
    const hook = await hooked()
    const [failed, ...rest] = await happenTogether(hook, 3)
    const at = new Date(Date.now() + 3_600_000)
    await front.db.sql`
      update webhook_delivery set attempts = 1, next_attempt_at = ${at}
      where account_id = ${hook.account} and event_id = ${failed}`
    await openWorker()
    await settled(hook, 2)
    await eventually(async () => (await jobsOf(hook)).map(({ due_at }) => due_at)).toEqual([at])
    expect(eventsSent(hook)).toEqual(rest.sort())
  })

  it('are sent once, where the job that one of them was put off to is there already', async () => {
    const hook = await hooked()
    await happenTogether(hook, 2)
    const at = new Date(Date.now() + 3_600_000)
    const [early] = await front.db.sql<{ id: string }>`
      update webhook_delivery set attempts = 1, next_attempt_at = ${at}
      where id = (select id from webhook_delivery where account_id = ${hook.account} order by id limit 1) returning id`
    await front.db.sql`
      insert into job (id, name, key, account_id, mode, pool, lane, payload, due_at, run_at, max_attempts, created_at)
      select 'job_put_off', name, ${early?.id}, account_id, mode, pool, lane,
        json_build_object('endpoint_id', ${hook.id}::text, 'delivery_ids', json_build_array(${early?.id}::text)),
        ${at}, ${at}, 10, now() from job where account_id = ${hook.account}`
    await openWorker()
    await settled(hook, 1)
    await eventually(async () => (await jobsOf(hook)).map(({ id }) => id)).toEqual(['job_put_off'])
  })

  it('are sent once, where the job that one of them was put off to is due and the one they share is run again', async () => {
    const hook = await hooked()
    const count = 5
    await happenTogether(hook, count)
    const [shared] = await jobsOf(hook)
    const ids = shared?.payload.delivery_ids ?? []
    await front.db.sql`
      update webhook_delivery set attempts = 1, next_attempt_at = now() - interval '1 second' where account_id = ${hook.account}`
    await front.db.sql`
      insert into job (id, name, key, account_id, mode, pool, lane, payload, due_at, run_at, max_attempts, created_at)
      select 'job_of_' || own.id, name, own.id, account_id, mode, pool, lane,
        json_build_object('endpoint_id', ${hook.id}::text, 'delivery_ids', json_build_array(own.id)), due_at, run_at, 10, now()
      from job, unnest(${ids}::text[]) own (id) where account_id = ${hook.account}`
    await openWorker()
    await settled(hook, count)
    await eventually(() => jobsOf(hook)).toEqual([])
    expect(hook.receiver.received).toHaveLength(count)
  })
})

it('a worker of the version before, which would end a job of several without sending, does not see it', async () => {
  const hook = await hooked()
  await happenTogether(hook, 2)
  expect(await lookAtQueue(front.db.sql, ['delivery'])).toMatchObject({ pools: [] })
  expect(await lookAtQueue(front.db.sql, [deliverWebhook.pool])).toMatchObject({ pools: [deliverWebhook.pool] })
  await openWorker()
  await settled(hook, 2)
})

it('one that an earlier version queued, with its delivery alone and among mails, is sent', async () => {
  const hook = await hooked()
  await happenTogether(hook, 1)
  await front.db.sql`
    update job set pool = 'delivery',
      payload = json_build_object('endpoint_id', ${hook.id}::text, 'delivery_id', payload -> 'delivery_ids' ->> 0)
    where account_id = ${hook.account}`
  await openWorker()
  await settled(hook, 1)
  await eventually(() => jobsOf(hook)).toEqual([])
})

describe('a job of several deliveries', () => {
  const NOW = new Date('2026-01-01T00:00:00Z')
  const LATER = new Date('2026-01-01T01:00:00Z')

  interface Begun {
    readonly job: DeliveryJob
    /** How the job ended; undefined while it has not. */
    readonly outcome: () => JobOutcome | Error | undefined
    readonly enqueued: NewJob<DeliveryPayload>[]
  }

  /** A job in a run that writes nothing anywhere. */
  function begin(delivery_ids: readonly string[], fails: Error | null = null): Begun {
    const enqueued: NewJob<DeliveryPayload>[] = []
    let outcome: JobOutcome | Error | undefined
    const enqueue = async (_job: object, request: NewJob<DeliveryPayload>) => {
      if (fails) throw fails
      enqueued.push(request)
      return 'job_new'
    }
    const run = {
      ctx: { now: () => NOW, enqueue },
      end: (_id: string, how: JobOutcome | Error) => {
        outcome = how
      },
    } as unknown as DeliveryRun
    const job = new DeliveryJob(run, { id: 'job_1', endpoint_id: 'whe_1', delivery_ids })
    return { job, outcome: () => outcome, enqueued }
  }

  it('is over with the last of them, and with the statement that deleted it where one did', () => {
    for (const [is_deleted, ending] of [
      [false, 'done'],
      [true, 'ended'],
    ] as const) {
      const { job, outcome } = begin(['a', 'b'])
      job.end('a', 'over')
      expect([job.endsWith(2), job.endsWith(1), outcome()]).toEqual([false, true, undefined])
      if (is_deleted) job.deleted()
      job.end('b', 'over')
      expect(outcome()).toBe(ending)
    }
  })

  it('is run again at once where one was not begun, and does not end with those that were', () => {
    const { job, outcome } = begin(['a', 'b', 'c'])
    expect(job.take(1)).toEqual(['a'])
    job.giveBack()
    expect([job.hasMore, job.endsWith(1), outcome()]).toEqual([false, false, undefined])
    job.end('a', 'over')
    expect(outcome()).toEqual({ again_at: NOW })
  })

  it('is tried again where one could not be written down, and does not end with those that were', () => {
    const { job, outcome } = begin(['a', 'b'])
    const error = new Error('not written')
    job.end('a', error)
    expect(job.endsWith(1)).toBe(false)
    job.end('b', 'over')
    expect(outcome()).toBe(error)
  })

  it('waits until one that is to be tried again has a job of its own, under its name', async () => {
    const { job, outcome, enqueued } = begin(['a', 'b'])
    job.end('b', 'over')
    job.end('a', { again_at: LATER })
    expect(outcome()).toBeUndefined()
    await eventually(outcome).toBe('done')
    const payload = { endpoint_id: 'whe_1', delivery_ids: ['a'] }
    expect(enqueued).toEqual([{ payload, lane: 'whe_1', key: 'a', due_at: LATER }])
  })

  it('is tried again where that could not be queued', async () => {
    const error = new Error('no database')
    const { job, outcome } = begin(['a', 'b'], error)
    job.end('a', { again_at: LATER })
    job.end('b', 'over')
    await eventually(outcome).toBe(error)
  })

  it('of one alone is put off itself', () => {
    const { job, outcome, enqueued } = begin(['a'])
    job.end('a', { again_at: LATER })
    expect(outcome()).toEqual({ again_at: LATER })
    expect(enqueued).toEqual([])
  })

  it('is over at once where there is none', () => {
    expect(begin([]).outcome()).toBe('done')
  })
})
