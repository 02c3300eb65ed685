import type { Fragment } from '../kernel/db.ts'
import type { Entry, Hint, Job, JobOutcome, Outcomes } from '../kernel/job.ts'
import { lazily } from '../kernel/lazily.ts'
import type { NewEvent, NewJob } from '../kernel/outbox.ts'
import type { ClockOwner } from '../kernel/queue-clock.ts'
import type { AsRead, RowWriter } from '../kernel/rows.ts'
import type { BaseContext } from './context.ts'

/** The context of a job: like that of a request, but it opens each transaction itself, with the network outside. */
export interface JobContext extends BaseContext {
  readonly job_id: string
  readonly attempt: number
  readonly account_id: string | null
  readonly mode: 'test' | 'live' | null
  readonly empresa_id: string | null
  /** `ends` are jobs of this run that end with it: their outcome is `ended`. */
  transact<T>(work: (ctx: JobTransaction) => Promise<T>, ends?: readonly string[]): Promise<T>
  /**
   * Writes what `gather` gathers in one statement, where all of `as_read` is found as it was read, and with it the end of
   * jobs of this run, `ends`, whose outcome is then `ended`. Gives the `xmin` of the rows written; null where somebody was
   * quicker, and nothing was written.
   */
  land(
    as_read: readonly AsRead[],
    gather: (landing: Landing) => void | Promise<void>,
    ends?: readonly string[],
  ): Promise<string | null>
  /** Runs the next sandbox job due by `until` on its owner's clock, at its own time; null when none is left. */
  runNextDue(owner: ClockOwner, until: Date, from: Date): Promise<Date | null>
  /**
   * Ends jobs of this worker that are deleted when they succeed, as a part of the statement that records what they did: one
   * statement less, and no moment between the two. Their outcome is `ended`.
   */
  endJobs(ids: readonly string[]): Fragment
  /**
   * Said before anything that only one run may do and that no statement of its own guards: a run that has not claimed its jobs yet
   * (`claims_late`) does so here, or is over. True where it does: what it read before may be old.
   */
  requireClaim(): Promise<boolean>
}

/** What is gathered for one statement: there is no transaction to read in. */
export interface Landing extends Pick<BaseContext, 'now' | 'addresses'> {
  emit(event: NewEvent): string
  /** Gives the id it has if no other waits under its key. */
  enqueue<Payload>(job: Job<Payload>, request: NewJob<Payload>): string
  gather<Row>(writer: RowWriter<Row>, rows: readonly Row[]): void
}

export interface JobTransaction extends BaseContext {
  emit(event: NewEvent): string
}

/** A job with its handler. Payloads are checked when the two are bound, then forgotten: a table holds jobs of any payload. */
export interface HandledJob extends Job<unknown> {
  readonly runMany: (ctx: JobContext, entries: readonly Entry<never>[]) => Promise<Outcomes>
}

type Run<Payload> = (ctx: JobContext, payload: Payload, hint?: Hint) => Promise<JobOutcome>
type RunMany<Payload> = (ctx: JobContext, entries: readonly Entry<Payload>[]) => Promise<Outcomes>

/**
 * Binds a job to the verb that runs it, one at a time. The verb is loaded when it first runs: it may bring the whole
 * engine, and a process that only answers requests never needs it.
 */
export function handle<Payload>(job: Job<Payload>, load: () => Promise<Run<Payload>>): HandledJob {
  return handleMany(job, async () => {
    const run = await load()
    return async (ctx, entries) => {
      const ended = new Map<string, JobOutcome | Error>()
      for (const { id, payload, hint } of entries) ended.set(id, await run(ctx, payload, hint))
      return ended
    }
  })
}

/** The same for a verb that takes up to `batch` jobs of one lane together. */
export function handleMany<Payload>(job: Job<Payload>, load: () => Promise<RunMany<Payload>>): HandledJob {
  const verb = lazily(load)
  const { name, type, max_attempts, backoff_seconds, every_seconds, pool, lane_concurrency, batch, gather_ms } = job
  return {
    name,
    ...(type !== undefined && { type }),
    max_attempts,
    backoff_seconds,
    ...(every_seconds && { every_seconds }),
    pool,
    lane_concurrency,
    batch,
    gather_ms,
    on_beats: job.on_beats,
    delete_on_success: job.delete_on_success,
    steady: job.steady,
    claims_late: job.claims_late,
    runMany: async (ctx, entries: readonly Entry<Payload>[]) => (await verb())(ctx, entries),
  }
}
