import { HEADERS } from '../../../catalog/headers.ts'
import { CEILINGS } from '../../../catalog/limits.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Vault } from '../../../kernel/vault.ts'
import type { Receipt } from '../../../ports/receivers.ts'
import type { JobContext } from '../../job.ts'
import { eventText } from '../event/show.ts'
import type { Outcome, Task } from './deliver-store.ts'
import { nextAttemptAt, waitAskedFor } from './schedule.ts'
import type { DeliveryError } from './schema.ts'
import { openSecret } from './secret.ts'
import { type SigningKey, signatureHeaders, signingKey } from './sign.ts'

/** The receiver wants no more, ever. */
export const GONE = 410
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

/** Opens what is sealed once for all that is signed with it. */
export type Opener = (sealed: Buffer) => SigningKey

export function openerOf(vault: Vault, endpoint_id: string): Opener {
  const known = new Map<string, SigningKey>()
  return (sealed) => {
    const name = sealed.toString('latin1')
    const key = known.get(name) ?? signingKey(openSecret(vault, endpoint_id, sealed))
    known.set(name, key)
    return key
  }
}

function headersOf(task: Task, body: string, keys: readonly SigningKey[]): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    [HEADERS.event_id]: task.event_id,
    [HEADERS.delivery_id]: task.id,
    [HEADERS.delivery_attempt]: String(task.made + 1),
    ...signatureHeaders({ event_id: task.event_id, body, keys, seconds: Math.floor(systemNow() / 1000) }),
  }
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

/** One attempt: a request, or the reason why there is none. */
export async function attempt(ctx: JobContext, task: Task, open: Opener): Promise<Outcome> {
  const error = whyNot(task)
  const { endpoint, event } = task
  if (error !== null || !endpoint || !event) {
    return { task, ...NO_REQUEST, at: ctx.now(), succeeded: false, error, next_attempt_at: null }
  }
  const body = eventText(event, event.data)
  const headers = headersOf(task, body, endpoint.secrets.map(open))
  return outcomeOf(task, await ctx.ports.receivers.post({ url: endpoint.url, headers, body }), ctx.now())
}
