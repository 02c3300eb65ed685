import type { BaseContext, NewEvent } from './context.ts'
import type { ClockOwner } from './queue.ts'

/** What a job sees: like a request, but each write is a transaction it opens itself, with the network outside. */
export interface JobContext extends BaseContext {
  readonly job_id: string
  readonly attempt: number
  readonly account_id: string | null
  readonly mode: 'test' | 'live' | null
  readonly empresa_id: string | null
  transact<T>(work: (ctx: JobTransaction) => Promise<T>): Promise<T>
  /** Runs the next sandbox job due by `until` on its owner's clock, at its own time; null when none is left. */
  runNextDue(owner: ClockOwner, until: Date, from: Date): Promise<Date | null>
}

export interface JobTransaction extends BaseContext {
  emit(event: NewEvent): void
}

/** `not_yet` asks to be run again later without counting as a failure. */
export type JobOutcome = { readonly done: unknown } | 'done' | 'not_yet'

export interface Job<Payload> {
  readonly name: string
  /** The public `type` of GET /jobs/{job_id}. A job without one is internal and cannot be read. */
  readonly type?: string
  readonly max_attempts: number
  /** Seconds before try n + 1; the last one repeats. */
  readonly backoff_seconds: readonly number[]
  /** Seconds between looks while it answers `not_yet`; the last one repeats. */
  readonly every_seconds?: readonly number[]
  readonly run: (ctx: JobContext, payload: Payload) => Promise<JobOutcome>
}

// `run` is contravariant in its payload, so a table of jobs erases it.
export interface AnyJob<Payload = never> extends Omit<Job<Payload>, 'run'> {
  readonly run: (ctx: JobContext, payload: Payload) => Promise<JobOutcome>
}

export function defineJob<Payload>(
  job: Pick<Job<Payload>, 'name' | 'run'> & Partial<Omit<Job<Payload>, 'name' | 'run'>>,
): Job<Payload> {
  return { max_attempts: 8, backoff_seconds: [5, 15, 60, 300, 900, 3600], ...job }
}

/** A failure that no retry can mend: the job is dead-lettered at once. */
export class GiveUp extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'GiveUp'
    this.code = code
  }
}
