import { WEBHOOK_SCHEDULE_SECONDS, WEBHOOKS } from '../../../catalog/limits.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'

const JITTER = 0.1

/** When to try again after so many attempts, never before the receiver asked for; null when that was the last one. */
export function nextAttemptAt(mode: Mode, attempts: number, wait_seconds: number, now: Date): Date | null {
  const step = WEBHOOK_SCHEDULE_SECONDS[mode][attempts]
  if (step === undefined) return null
  // Spread, so that what failed together does not come back together.
  const spread = step * (1 - JITTER + 2 * JITTER * Math.random())
  return secondsFrom(now, Math.max(spread, wait_seconds))
}

const ASKS_TO_WAIT: readonly number[] = [429, 503]

/** How long a receiver asks to be left alone: seconds, or a date. What cannot be read asks for nothing. */
export function waitAskedFor(status: number | null, retry_after: string | null, real_now: number): number {
  if (status === null || retry_after === null || !ASKS_TO_WAIT.includes(status)) return 0
  const seconds = /^\d+$/.test(retry_after) ? Number(retry_after) : (Date.parse(retry_after) - real_now) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), WEBHOOKS.retry_after_max_seconds)
}
