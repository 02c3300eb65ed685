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
  const { waitAtMost = TEN_MINUTES, signal } = options
  const end = Date.now() + waitAtMost
  let answer = awaited.first
  let outage: TimbreError | undefined
  for (;;) {
    if (answer !== undefined && awaited.isDone(answer.body as Resource)) return answer.body as Resource
    const seconds = answer === undefined ? 0 : (outage?.retryAfter ?? pollAfter(answer.headers) ?? USUAL_SECONDS)
    if (Date.now() + seconds * 1000 > end) throw ended(awaited.what, waitAtMost, answer, outage)
    await sleep(seconds * 1000, signal)
    try {
      answer = await awaited.read(options)
      outage = undefined
    } catch (error) {
      // With nothing seen so far, the caller is told: the id may be wrong, the address too.
      if (!isOutage(error) || answer === undefined) throw error
      outage = error
    }
  }
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
