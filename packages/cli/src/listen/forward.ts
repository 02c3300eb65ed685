import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../config/private-file.ts'
import type { LedgerEvent } from './event.ts'
import { signatureHeaders } from './sign.ts'

/** What the server allows a receiver. */
const TIMEOUT_MS = 15_000
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000]
const LONGEST_ASKED_MS = 60_000
const GONE = 410

export interface Attempt {
  readonly attempt: number
  /** Null when no answer came. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
  readonly delivered: boolean
}

export interface Target {
  readonly url: string
  readonly secret: string
  readonly tries: number
}

interface Hooks {
  readonly signal: AbortSignal
  attempted(attempt: Attempt, last: boolean): void
  /** Nobody listens at the URL: it is waited for, and told once. */
  waiting(): void
}

/** The delivery that an event is sent as: its own, or the replay that somebody asked for. */
export interface Delivery {
  readonly id: string
  readonly event: LedgerEvent
}

/**
 * Sends an event until it is taken, or its tries are used up. A receiver that is not running is waited for: whoever restarts
 * it wants the events. Gives whether it was delivered, or null when it was stopped before that was decided.
 */
export async function forward(target: Target, delivery: Delivery, hooks: Hooks): Promise<boolean | null> {
  let told = false
  for (let made = 0; !hooks.signal.aborted; ) {
    const { sent, retryAfterMs } = await send(target, delivery, made + 1)
    if (sent.error === 'refused') {
      if (!told) hooks.waiting()
      told = true
      await pause(PAUSES_MS[0] ?? 0, hooks.signal)
      continue
    }
    made++
    const last = sent.delivered || made >= target.tries || sent.status === GONE
    hooks.attempted(sent, last)
    if (last) return sent.delivered
    await pause(retryAfterMs ?? PAUSES_MS[made - 1] ?? 30_000, hooks.signal)
  }
  return null
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

/** An attempt is not cut short by Ctrl-C: the receiver may have it already, and only its answer tells. */
async function send({ url, secret }: Target, { id, event }: Delivery, attempt: number) {
  const body = JSON.stringify(event)
  const started = performance.now()
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Timbre-Webhooks/1.0 (timbre listen)',
    'Svc-Event-Id': event.id,
    'Svc-Delivery-Id': id,
    'Svc-Delivery-Attempt': String(attempt),
    ...signatureHeaders({ secret, event_id: event.id, body, seconds: Math.floor(Date.now() / 1000) }),
  }
  const ms = () => Math.round(performance.now() - started)
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const { status } = response
    await response.body?.cancel()
    const delivered = status >= 200 && status < 300
    const error = delivered
      ? null
      : status >= 300 && status < 400
        ? 'a redirect is not followed'
        : `it answered ${status}`
    return { sent: { attempt, status, error, ms: ms(), delivered }, retryAfterMs: askedFor(response) }
  } catch (error) {
    const why = isRefused(error)
      ? 'refused'
      : error instanceof Error && error.name === 'TimeoutError'
        ? 'no answer in 15 s'
        : 'the connection broke'
    return { sent: { attempt, status: null, error: why, ms: ms(), delivered: false }, retryAfterMs: null }
  }
}

function askedFor({ status, headers }: Response): number | null {
  const asked = headers.get('retry-after')
  if (asked === null || (status !== 429 && status !== 503) || !/^\d+$/.test(asked)) return null
  return Math.min(Number(asked) * 1000, LONGEST_ASKED_MS)
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(codeOf(inner))
}
