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
  emit(event: NewEvent): string
}

/** `not_yet` and `again_at` ask to be run again later, by the job's own schedule or at an instant; neither is a failure. */
export type JobOutcome = { readonly done: unknown } | { readonly again_at: Date } | 'done' | 'not_yet'

/** A share of a worker's hands. What may hang on a stranger has hands of its own. */
export type Pool = 'work' | 'delivery'

/** One of the jobs of a lane that are run together. */
export interface Entry<Payload> {
  readonly id: string
  readonly payload: Payload
  readonly attempt: number
  readonly looks: number
}

/** How each entry ended; one that is missing is done. An error counts as a failure of that entry alone. */
export type Outcomes = ReadonlyMap<string, JobOutcome | Error>

export interface Job<Payload> {
  readonly name: string
  /** The public `type` of GET /jobs/{job_id}. A job without one is internal and cannot be read. */
  readonly type?: string
  readonly max_attempts: number
  /** Seconds before try n + 1; the last one repeats. */
  readonly backoff_seconds: readonly number[]
  /** Seconds between looks while it answers `not_yet`; the last one repeats. */
  readonly every_seconds?: readonly number[]
  readonly pool: Pool
  /** How many of one lane run at a time in one process. */
  readonly lane_concurrency: number
  /** How many of one lane `runMany` takes together. */
  readonly batch: number
  /** Its row goes when it succeeded: nobody will ask, and there are very many. */
  readonly leaves_no_trace: boolean
  readonly runMany: (ctx: JobContext, entries: readonly Entry<Payload>[]) => Promise<Outcomes>
}

// What runs is contravariant in its payload, so a table of jobs erases it.
export interface AnyJob<Payload = never> extends Omit<Job<Payload>, 'runMany'> {
  readonly runMany: (ctx: JobContext, entries: readonly Entry<Payload>[]) => Promise<Outcomes>
}

type Alone<Payload> = { readonly run: (ctx: JobContext, payload: Payload) => Promise<JobOutcome> }
type Together<Payload> = Pick<Job<Payload>, 'runMany' | 'batch'>

/** A job runs alone (`run`), or many of one lane together (`runMany`, at most `batch`). */
export function defineJob<Payload>(
  job: Pick<Job<Payload>, 'name'> &
    Partial<Omit<Job<Payload>, 'name' | 'runMany' | 'batch'>> &
    (Alone<Payload> | Together<Payload>),
): Job<Payload> {
  const common = {
    max_attempts: 8,
    backoff_seconds: [5, 15, 60, 300, 900, 3600],
    pool: 'work' as const,
    leaves_no_trace: false,
  }
  if ('runMany' in job) return { ...common, lane_concurrency: 1, ...job }
  const { run, ...rest } = job
  const runMany: Job<Payload>['runMany'] = async (ctx, entries) => {
    const ended = new Map<string, JobOutcome | Error>()
    for (const { id, payload } of entries) ended.set(id, await run(ctx, payload))
    return ended
  }
  return { ...common, lane_concurrency: 8, ...rest, batch: 1, runMany }
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
