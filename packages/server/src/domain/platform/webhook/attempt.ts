import { HEADERS } from '../../../catalog/headers.ts'
import { CEILINGS, WEBHOOK_SCHEDULE_SECONDS, WEBHOOKS } from '../../../catalog/limits.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { SendResult } from '../../../ports/webhook-sender.ts'
import type { JobContext } from '../../job.ts'
import type { Outcome } from './deliver-store.ts'
import type { DeliveryError } from './schema.ts'
import { type KeyOpener, type SigningKey, signatureHeaders } from './signing.ts'
import type { Task } from './task-store.ts'

/** The receiver wants no more, ever. */
export const GONE = 410
const USER_AGENT = 'Timbre-Webhooks/1.0'

const JITTER = 0.1

/** When to try again after so many attempts, never before the receiver allows; null when that was the last one. */
export function nextAttemptAt(mode: Mode, attempts: number, wait_seconds: number, now: Date): Date | null {
  const step = WEBHOOK_SCHEDULE_SECONDS[mode][attempts]
  if (step === undefined) return null
  // Jitter, so that what failed together does not come back together.
  const jittered = step * (1 - JITTER + 2 * JITTER * Math.random())
  return secondsFrom(now, Math.max(jittered, wait_seconds))
}

const STATUSES_WITH_RETRY_AFTER: readonly number[] = [429, 503]

/** Reads a Retry-After header, seconds or a date. One that cannot be read counts as none. */
export function retryAfterSeconds(status: number | null, retry_after: string | null, real_now: number): number {
  if (status === null || retry_after === null || !STATUSES_WITH_RETRY_AFTER.includes(status)) return 0
  const seconds = /^\d+$/.test(retry_after) ? Number(retry_after) : (Date.parse(retry_after) - real_now) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), WEBHOOKS.retry_after_max_seconds)
}

/** Why a delivery ends without a request, or null. */
function skipReason(task: Task): DeliveryError | null {
  if (!task.endpoint) return 'endpoint_deleted'
  if (!task.body) return 'event_expired'
  if (!task.endpoint.stands) return 'endpoint_disabled'
  if (!task.endpoint.enabled && task.trigger !== 'ping') return 'endpoint_disabled'
  // Replays were counted when they were requested; the schedule gives way to them.
  const spent = task.made + task.others_waiting >= CEILINGS.delivery_attempts
  return task.trigger !== 'replay' && spent ? 'too_many_attempts' : null
}

const NO_REQUEST = { attempt: null, response_status: null, response_excerpt: null, duration_ms: 0 } as const

function headersOf(task: Task, body: Uint8Array, keys: readonly SigningKey[]): Record<string, string> {
  const headers = signatureHeaders({ event_id: task.event_id, body, keys, seconds: Math.floor(systemNow() / 1000) })
  headers['Content-Type'] = 'application/json'
  headers['User-Agent'] = USER_AGENT
  headers[HEADERS.event_id] = task.event_id
  headers[HEADERS.delivery_id] = task.id
  headers[HEADERS.delivery_attempt] = String(task.made + 1)
  return headers
}

function errorOf({ status, failure }: SendResult): DeliveryError | null {
  if (status === null) return failure
  if (status >= 200 && status < 300) return null
  return status < 400 ? 'redirect_not_followed' : 'http_error'
}

function outcomeOf(task: Task, result: SendResult, now: Date): Outcome {
  const error = errorOf(result)
  const retries = error !== null && task.trigger !== 'replay' && result.status !== GONE
  const wait_seconds = retryAfterSeconds(result.status, result.retry_after, systemNow())
  return {
    task,
    attempt: task.made + 1,
    at: now,
    succeeded: error === null,
    error,
    response_status: result.status,
    response_excerpt: result.excerpt,
    duration_ms: result.duration_ms,
    next_attempt_at: retries ? nextAttemptAt(task.mode, task.attempts + 1, wait_seconds, now) : null,
  }
}

/** One attempt: a request, or the reason why there is none. */
export async function attempt(ctx: JobContext, task: Task, open: KeyOpener): Promise<Outcome> {
  const error = skipReason(task)
  const { endpoint, body } = task
  if (error !== null || !endpoint || !body) {
    return { task, ...NO_REQUEST, at: ctx.now(), succeeded: false, error, next_attempt_at: null }
  }
  const headers = headersOf(task, body, endpoint.secrets.map(open))
  return outcomeOf(task, await ctx.ports.webhooks.post({ url: endpoint.url, headers, body }), ctx.now())
}
