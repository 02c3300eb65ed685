import { amount } from './config.ts'
import { ConnectionError, TimbreError, TimeoutError } from './errors.ts'
import type { CallOptions } from './shapes.ts'
import { sleep } from './sleep.ts'
import { type Answer, pollAfter } from './transport.ts'

export interface WaitOptions extends CallOptions {
  /** Milliseconds to wait at most. Default: ten minutes. */
  readonly waitAtMost?: number | undefined
}

const TEN_MINUTES = 600_000
/** Where an answer does not say when to look again: what the contract asks of whoever polls by guess. */
const USUAL_SECONDS = 10
const SHORTEST_MS = 100

export interface Awaited<Resource> {
  /** What it is, for the sentence of a wait that ends without it. */
  readonly what: string
  readonly read: (options: CallOptions) => Promise<Answer>
  readonly isDone: (resource: Resource) => boolean
  /** The answer to begin with, where one is here already. */
  readonly first?: Answer | undefined
}

/** Whether the service, or the way to it, is away for a while. */
export function isOutage(error: unknown): error is TimbreError {
  if (!(error instanceof TimbreError)) return false
  return error instanceof ConnectionError || (error.retriable && (error.status ?? 0) >= 429)
}

/** Polls, as often as the service asks for, until there is nothing left to wait for. An outage is waited out. */
export async function waitFor<Resource>(awaited: Awaited<Resource>, options: WaitOptions): Promise<Resource> {
  const { signal } = options
  const waitAtMost = amount('waitAtMost', options.waitAtMost, TEN_MINUTES)
  // By a clock that nobody sets.
  const end = performance.now() + waitAtMost
  let answer = awaited.first
  let outage: TimbreError | undefined
  for (;;) {
    if (answer !== undefined && awaited.isDone(answer.body as Resource)) return answer.body as Resource
    const asked = outage?.retryAfter ?? (answer && pollAfter(answer.headers)) ?? USUAL_SECONDS
    const wait = answer === undefined ? 0 : Math.max(asked * 1000, SHORTEST_MS)
    if (performance.now() + wait > end) throw ended(awaited.what, waitAtMost, answer, outage)
    try {
      await sleep(wait, signal)
      const left = Math.max(1, end - performance.now())
      answer = await awaited.read({ ...options, timeout: Math.min(options.timeout ?? Number.POSITIVE_INFINITY, left) })
      outage = undefined
    } catch (error) {
      // With nothing seen so far, the caller is told: the id may be wrong, the address too.
      if (!isOutage(error) || answer === undefined) throw withLast(error, answer)
      outage = error
    }
  }
}

/** Whatever ends a wait, what was seen last is told: it exists, and must not be made again. */
function withLast(error: unknown, last: Answer | undefined): unknown {
  if (!(error instanceof TimbreError) || last === undefined) return error
  return Object.assign(error, { details: { ...error.details, last: last.body } })
}

function ended(what: string, ms: number, last: Answer | undefined, cause: TimbreError | undefined): TimeoutError {
  return new TimeoutError({
    code: 'wait_ended',
    message: `${what} was not done within ${ms / 1000} s.`,
    hint: 'It goes on by itself: look again later, or be told by a webhook. `details.last` is how it was seen last.',
    retriable: true,
    details: { last: last?.body },
    cause,
  })
}
