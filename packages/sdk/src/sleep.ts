import type { SentCall } from './curl.ts'
import { AbortedError } from './errors.ts'

export function abortedBy(signal: AbortSignal, call?: SentCall): AbortedError {
  return new AbortedError({
    code: 'aborted',
    message: 'The signal of the caller ended the call.',
    cause: signal.reason,
    call,
  })
}

/** A timer beyond this rings at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Waits, or ends at once when the caller does. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  for (let left = ms; ; left -= LONGEST_TIMER_MS) {
    await nap(Math.min(left, LONGEST_TIMER_MS), signal)
    if (left <= LONGEST_TIMER_MS) return
  }
}

function nap(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortedBy(signal))
    const stop = () => {
      clearTimeout(timer)
      reject(abortedBy(signal as AbortSignal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
