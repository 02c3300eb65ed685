import type { ExplanationCode } from '@timbre/dte'
import type { ErrorCode } from '../catalog/errors.ts'

/**
 * `ended` says that the statement which recorded the work ended the job too (`land`, `transact` or `endJobs` of its context).
 * `not_yet` and `again_at` ask to be run again later, by the job's own schedule or at an instant; neither is a failure.
 * `waits_for` names an outside thing that does not answer: the job is run sooner when it does again.
 */
export type JobOutcome =
  | { readonly done: unknown }
  | { readonly again_at: Date; readonly waits_for?: string | null }
  | { readonly waits_for: string }
  | 'done'
  | 'ended'
  | 'not_yet'

/** What a job that failed waits for, where its error says so, or the one that caused it. */
export function waitsFor(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { waits_for } = error as { readonly waits_for?: unknown }
  return typeof waits_for === 'string' ? waits_for : waitsFor(error.cause)
}

/** A look that an error kept from its answer: again by the job's own schedule, and sooner when what it waits for is back. */
export function notYet(error: unknown): JobOutcome {
  const waits_for = waitsFor(error)
  return waits_for === null ? 'not_yet' : { waits_for }
}

/**
 * A share of a worker's capacity. Jobs that wait for a stranger's server have a share of their own, mails another than calls, and so
 * have those that read what strangers send, and those that write thousands of rows. A process claims of the pools that it knows.
 */
export type Pool = 'work' | 'delivery' | 'calls' | 'reading' | 'heavy'

/** One of the jobs of a lane that are run together. */
export interface Entry<Payload> {
  readonly id: string
  readonly payload: Payload
  readonly attempt: number
  readonly looks: number
  /** What the transaction that queued it wrote, where that was this process; it may have changed since. */
  readonly hint?: Hint | undefined
}

/** What a job is about, as it was told along with it and not stored, and the transaction that wrote it (`xmin`). */
export interface Hint {
  readonly told: unknown
  readonly version: string
}

/** How each entry ended; one that is missing is done. An error counts as a failure of that entry alone. */
export type Outcomes = ReadonlyMap<string, JobOutcome | Error>

declare const PAYLOAD: unique symbol

/**
 * A job as the queue knows it. Its handler is bound to it at the root (`jobs.ts`), so that a noun can enqueue its own
 * jobs without importing their handlers.
 */
export interface Job<Payload> {
  readonly [PAYLOAD]?: Payload
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
  /** How many of one lane are run together; 1 where each runs alone. */
  readonly batch: number
  /**
   * How far apart the batches of one lane begin, where nobody waits for them: what is queued meanwhile goes together, for
   * the price of one. The first after a pause goes at once.
   */
  readonly gather_ms: number
  /**
   * Its instant is half a second give or take, and there are very many: by real time it runs on the beat nearest to it, together with all that is
   * as vague (kernel/beat.ts). So its handler may run half a beat early. On a test clock it keeps its instant.
   */
  readonly on_beats: boolean
  /** Nobody will ask for it, and there are very many: its row is deleted when it succeeds. */
  readonly delete_on_success: boolean
  /** There are very many, and their statements find few rows by a key: they are planned once (`Database.steady`). */
  readonly steady: boolean
  /**
   * There are very many, and nothing that others could notice comes before the first statement that lands for it, or says so
   * (`requireClaim`): where this process queued it itself, that statement claims it.
   */
  readonly claims_late: boolean
}

const DEFAULTS = {
  max_attempts: 8,
  backoff_seconds: [5, 15, 60, 300, 900, 3600],
  pool: 'work',
  batch: 1,
  gather_ms: 0,
  on_beats: false,
  delete_on_success: false,
  steady: false,
  claims_late: false,
} as const

/** A job with its schedule. Those of a batch take turns within their lane unless they say otherwise. */
export function declareJob<Payload>(job: Pick<Job<Payload>, 'name'> & Partial<Job<Payload>>): Job<Payload> {
  return { ...DEFAULTS, lane_concurrency: job.batch === undefined ? 8 : 1, ...job }
}

/** What a failure is called: a code of the dictionary, or that of the explanation of an answer of the SII. */
export type FailureCode = ErrorCode | ExplanationCode

/** A failure that no retry can mend: the job is dead-lettered at once. */
export class GiveUp extends Error {
  readonly code: FailureCode
  /** Facts for a program, as a refused call has them. */
  readonly details: Readonly<Record<string, unknown>> | null
  constructor(code: FailureCode, message: string, details: Readonly<Record<string, unknown>> | null = null) {
    super(message)
    this.name = 'GiveUp'
    this.code = code
    this.details = details
  }
}

/** How a run of a job ended, for the metrics. */
export interface JobFact {
  readonly job: string
  /** `retried` and `postponed` will run again; `failed` is the dead letter. */
  readonly outcome: 'succeeded' | 'postponed' | 'retried' | 'failed'
  readonly seconds: number
}
