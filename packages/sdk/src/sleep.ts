import { AbortedError } from './errors.ts'

export function abortedBy(signal: AbortSignal): AbortedError {
  return new AbortedError({
    code: 'aborted',
    message: 'The signal of the caller ended the call.',
    cause: signal.reason,
  })
}

/** Waits, or ends at once when the caller does. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
