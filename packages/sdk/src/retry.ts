import { ConnectionError, type TimbreError } from './errors.ts'

const FIRST_MS = 500
const LONGEST_MS = 8_000

/** Nothing was sent when these happened. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether another attempt can neither do twice what one did, nor is bound to fail again. */
function mayRepeat(error: TimbreError, repeatable: boolean): boolean {
  const { status, retriable } = error
  if (error instanceof ConnectionError) {
    return repeatable || NEVER_SENT.has((error.cause as { code?: string } | undefined)?.code ?? '')
  }
  if (!retriable) return false
  // A write without a key: only where the service itself says that nothing was done.
  return repeatable || status === 429 || (status === 503 && error.docUrl !== undefined)
}

export interface RetryRule {
  readonly maxRetries: number
  /** Milliseconds beyond which a wait that the service asks for is left to the caller. */
  readonly longestWait: number
  /** Whether the same call can be sent again without harm: a read, or a write under its key. */
  readonly repeatable: boolean
}

/**
 * Milliseconds to wait before the next attempt, or null where there is none. What the service asks for is obeyed; else the
 * wait doubles, and half of it is chance, so that callers who failed together do not come back together.
 */
export function waitBefore(error: TimbreError, attempt: number, rule: RetryRule, random = Math.random): number | null {
  if (attempt >= rule.maxRetries || !mayRepeat(error, rule.repeatable)) return null
  const backoff = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) * (0.5 + random() / 2)
  // None, or at once: which is no reason to come back faster than anybody else.
  if (!error.retryAfter) return backoff
  const asked = error.retryAfter * 1000
  if (asked > rule.longestWait) return null
  // Not all at the same instant, and never earlier than asked.
  return asked + random() * Math.min(FIRST_MS, asked / 4)
}
