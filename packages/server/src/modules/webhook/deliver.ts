import { HEADERS } from '../../catalog/headers.ts'
import { CEILINGS } from '../../catalog/limits.ts'
import { systemNow } from '../../kernel/clock.ts'
import { defineJob, type Entry, type JobContext, type JobOutcome, type Outcomes } from '../../kernel/job.ts'
import type { Receipt } from '../../ports/receivers.ts'
import { type EventRow, showEvent } from '../event/show.ts'
import { type DeliveryName, type Outcome, recordOutcomes, type Task } from './deliver-store.ts'
import { type Desk, deskOf } from './desk.ts'
import { giveUpEndpoint } from './give-up.ts'
import { isBeyondHope } from './health-store.ts'
import { nextAttemptAt, waitAskedFor } from './schedule.ts'
import type { DeliveryError } from './schema.ts'
import { openSecret } from './secret.ts'
import { sideBySide } from './side-by-side.ts'
import { signatureHeaders } from './sign.ts'

const GONE = 410
const USER_AGENT = 'Timbre-Webhooks/1.0'

/** Why a delivery ends without a request, or null. */
function whyNot(task: Task): DeliveryError | null {
  if (!task.endpoint) return 'endpoint_deleted'
  if (!task.event) return 'event_expired'
  if (!task.endpoint.enabled && task.trigger !== 'ping') return 'endpoint_disabled'
  // Replays were counted when they were asked for; the schedule gives way to them.
  const spent = task.made + task.others_waiting >= CEILINGS.delivery_attempts
  return task.trigger === 'automatic' && spent ? 'too_many_attempts' : null
}

const NO_REQUEST = { attempt: null, response_status: null, response_excerpt: null, duration_ms: 0 } as const

function send(ctx: JobContext, task: Task, endpoint: NonNullable<Task['endpoint']>, event: EventRow) {
  const body = JSON.stringify(showEvent(event))
  const secrets = endpoint.secrets.map((sealed) => openSecret(ctx.ports.vault, task.endpoint_id, sealed))
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    [HEADERS.event_id]: task.event_id,
    [HEADERS.delivery_id]: task.id,
    [HEADERS.delivery_attempt]: String(task.made + 1),
    ...signatureHeaders({ event_id: task.event_id, body, secrets, seconds: Math.floor(systemNow() / 1000) }),
  }
  return ctx.ports.receivers.post({ url: endpoint.url, headers, body })
}

function errorOf({ status, failure }: Receipt): DeliveryError | null {
  if (status === null) return failure
  if (status >= 200 && status < 300) return null
  return status < 400 ? 'redirect_not_followed' : 'http_error'
}

function outcomeOf(task: Task, receipt: Receipt, now: Date): Outcome {
  const error = errorOf(receipt)
  const again = error !== null && task.trigger === 'automatic' && receipt.status !== GONE
  const wait = waitAskedFor(receipt.status, receipt.retry_after, systemNow())
  return {
    task,
    attempt: task.made + 1,
    at: now,
    succeeded: error === null,
    error,
    response_status: receipt.status,
    response_excerpt: receipt.excerpt,
    duration_ms: receipt.duration_ms,
    next_attempt_at: again ? nextAttemptAt(task.mode, task.attempts + 1, wait, now) : null,
  }
}

/** One attempt, and what follows from it. Until it is recorded it has not happened: it is made again. */
async function attempt(ctx: JobContext, desk: Desk, task: Task): Promise<Outcome> {
  const error = whyNot(task)
  const { endpoint, event } = task
  if (error !== null || !endpoint || !event) {
    const ended = { task, ...NO_REQUEST, at: ctx.now(), succeeded: false, error, next_attempt_at: null }
    await desk.record(ended)
    return ended
  }
  const outcome = outcomeOf(task, await send(ctx, task, endpoint, event), ctx.now())
  if (outcome.response_status === GONE) {
    await ctx.transact(async (tx) => {
      await recordOutcomes(tx.sql, [outcome])
      await giveUpEndpoint(tx, task, task.endpoint_id, 'gone')
    })
    return outcome
  }
  const health = await desk.record(outcome)
  if (!outcome.succeeded && health && isBeyondHope(health, ctx.now())) {
    await ctx.transact((tx) => giveUpEndpoint(tx, task, task.endpoint_id, 'failing'))
  }
  return outcome
}

/** How a lot goes about its endpoint. One that is failing is asked gently: it must not hold many hands for nothing. */
const MOST_AT_ONCE = 8
const START_WITHIN_MS = 20_000
/** What was read longer ago is read again: the endpoint may have been changed or taken away meanwhile. */
const FRESH_MS = 1_000

async function deliver(ctx: JobContext, desk: Desk, task: Task | null): Promise<{ ended: JobOutcome; well: boolean }> {
  if (task?.status !== 'pending') return { ended: 'done', well: true }
  // Recorded by a worker that died before it could say when to come back.
  if (task.attempts > 0 && task.next_attempt_at && task.next_attempt_at > ctx.now()) {
    return { ended: { again_at: task.next_attempt_at }, well: true }
  }
  const outcome = await attempt(ctx, desk, task)
  const ended: JobOutcome = outcome.next_attempt_at ? { again_at: outcome.next_attempt_at } : 'done'
  return { ended, well: outcome.succeeded || outcome.attempt === null }
}

/**
 * Takes what an endpoint is owed to its receiver. The row of a delivery says how far it got; its job only says when to
 * look at it, so that a worker that dies at any moment costs at most a repetition.
 */
async function deliverLot(ctx: JobContext, entries: readonly Entry<DeliveryName>[]): Promise<Outcomes> {
  const desk = deskOf(ctx.sql)
  const ends = new Map<string, JobOutcome | Error>()
  const tasks = await Promise.all(entries.map(({ payload }) => desk.load(payload)))
  const loaded_at = performance.now()
  const lot = entries.map((entry, i) => ({ ...entry, task: tasks[i] ?? null }))
  const left = await sideBySide(
    lot,
    async ({ id, payload, task }) => {
      try {
        const fresh = performance.now() - loaded_at < FRESH_MS ? task : await desk.load(payload)
        const { ended, well } = await deliver(ctx, desk, fresh)
        ends.set(id, ended)
        return well
      } catch (error) {
        ends.set(id, error as Error)
        return false
      }
    },
    {
      first: tasks.some((task) => task?.endpoint?.failing) ? 1 : MOST_AT_ONCE,
      most: MOST_AT_ONCE,
      start_within_ms: START_WITHIN_MS,
    },
  )
  for (const { id } of left) ends.set(id, { again_at: ctx.now() })
  return ends
}

export const deliverWebhook = defineJob<DeliveryName>({
  name: 'webhook.deliver',
  pool: 'delivery',
  lane_concurrency: 4,
  batch: 32,
  leaves_no_trace: true,
  // Counts our own failures alone: attempts at the receiver have their own schedule.
  max_attempts: 1_000,
  backoff_seconds: [1, 5, 15, 60, 300],
  runMany: deliverLot,
})
