import { randomUUID } from 'node:crypto'
import type { JobContext } from '../domain/job.ts'
import { type ClockSetting, nowOf, REAL_TIME, realTimeOf, secondsFrom } from '../kernel/clock.ts'
import { coalesce } from '../kernel/coalesce.ts'
import { openSteps } from '../kernel/in-step.ts'
import { GiveUp, type JobFact, type JobOutcome, type Outcomes, waitsFor } from '../kernel/job.ts'
import { type LateRun, Overtaken, type WaitingJob } from '../kernel/late-claim.ts'
import { describeError, scrub } from '../kernel/log.ts'
import { OwnerGone } from '../kernel/owner.ts'
import { Problem } from '../kernel/problem.ts'
import {
  type ClaimedJob,
  type Finished,
  failJob,
  finishJobs,
  LEASE_SECONDS,
  postponeJob,
  releaseJobs,
  renewLeases,
} from '../kernel/queue.ts'
import { claimNextDue } from '../kernel/queue-clock.ts'
import { retryWhileDatabaseIsAway } from '../kernel/retry-while-database-is-away.ts'
import { retryConflict } from '../kernel/transactor.ts'
import type { QueuedJob } from '../kernel/unit-of-work.ts'
import { SiiUnreachable } from '../ports/sii.ts'
import { jobContext, type WorkerParts } from './job-context.ts'
import { claimLate } from './land-claiming.ts'
import { openPoller, type Poller } from './poller.ts'

export interface Worker {
  /** Polls the queue now instead of at the next interval. */
  wake(): void
  /** Jobs that this process queued. False where it does not take them on itself: then others have to be told. */
  expect(jobs: readonly QueuedJob[]): boolean
  /** Runs claimed jobs of one lane to their end, together, and records how each ended. */
  perform(jobs: readonly ClaimedJob[], clock?: ClockSetting): Promise<void>
  /** The same of jobs that wait in the queue and that nobody has claimed. False where somebody else took them up. */
  performLate(jobs: readonly WaitingJob[]): Promise<boolean>
  readonly id: string
  stop(): Promise<void>
}

const STOP_GRACE_MS = 5_000
/** How a job ended is recorded as long as its lease lasts; afterwards it is for another worker to run it. */
const insist = <T>(write: () => Promise<T>) => retryWhileDatabaseIsAway(write, LEASE_SECONDS * 1000)

function nth(list: readonly number[], n: number): number {
  return list[Math.min(n, list.length - 1)] ?? 60
}

/**
 * The error a caller may read of a dead letter, or between two tries: a refusal in full, an SII that is away as such, which
 * is no fault of ours, anything else only as our own failure.
 */
function lastError(error: unknown): { code: string; message: string; details?: object } {
  if (error instanceof SiiUnreachable) return { code: 'sii_unreachable', message: scrub(error.told) }
  if (error instanceof Problem || error instanceof GiveUp) {
    const told = { code: error.code, message: scrub(error.message) }
    return error instanceof GiveUp && error.details ? { ...told, details: error.details } : told
  }
  return { code: 'internal_error', message: 'Something failed on our side.' }
}

/** Whether the same is bound to happen again, however often the job is tried. */
function isLasting(error: unknown): boolean {
  return error instanceof GiveUp || (error instanceof Problem && error.code === 'amounts_too_large')
}

function clockOf({ offset_ms, frozen_at }: ClaimedJob): ClockSetting {
  return offset_ms === null ? REAL_TIME : { offset_ms, frozen_at }
}

export function openWorker(parts: WorkerParts, options: { polling: boolean }): Worker {
  const { db, log } = parts
  const queue = db.steady.sql
  const steps = { ...parts, inStep: openSteps(db.steady.sql) }
  const id = `w_${randomUUID()}`
  const byName = new Map(parts.jobs.map((job) => [job.name, job]))
  const running = new Set<string>()
  let late_runs = 0
  let stopped = false
  const finish = coalesce(
    async (jobs: readonly Finished[]) => {
      await retryConflict(() => finishJobs(queue, id, jobs))
      return jobs.map(() => null)
    },
    { most: 500 },
  )

  type Ended = JobFact['outcome']

  async function settle(job: ClaimedJob, clock: ClockSetting, outcome: JobOutcome): Promise<Ended> {
    if (outcome === 'ended') return 'succeeded'
    if (outcome === 'done' || (typeof outcome === 'object' && 'done' in outcome)) {
      const keep = byName.get(job.name)?.delete_on_success !== true
      const end = { id: job.id, result: outcome === 'done' ? undefined : outcome.done, keep, at: nowOf(clock) }
      await insist(() => finish(end))
      return 'succeeded'
    }
    const wait = nth(byName.get(job.name)?.every_seconds ?? [10], job.looks)
    const asked: { again_at?: Date; waits_for?: string | null } = outcome === 'not_yet' ? {} : outcome
    const due_at = asked.again_at ?? secondsFrom(nowOf(clock), wait)
    const run_at = realTimeOf(clock, due_at)
    const waits_for = asked.waits_for ?? null
    await insist(() => postponeJob(queue, id, job.id, { due_at, run_at, counts: false, error: null, waits_for }))
    poller?.expect([{ ...job, pool: byName.get(job.name)?.pool ?? 'work', run_at }])
    return 'postponed'
  }

  /** The empresa of a job was deleted while it ran, and its row with it: there is nothing to tell, and nowhere. */
  function endWithOwner(job: ClaimedJob): Ended {
    log.info({ job: job.id, name: job.name }, 'its empresa is gone')
    return 'succeeded'
  }

  async function fail(job: ClaimedJob, clock: ClockSetting, error: unknown): Promise<Ended> {
    const gone = () => parts.transactor.isGone({ ...job, clock }).catch(() => false)
    if (error instanceof OwnerGone || (await gone())) return endWithOwner(job)
    const definition = byName.get(job.name)
    log.warn({ job: job.id, name: job.name, attempt: job.attempts, error: describeError(error) }, 'job failed')
    if (isLasting(error) || !definition || job.attempts >= job.max_attempts) {
      await insist(() => failJob(queue, id, job.id, lastError(error), nowOf(clock)))
      return 'failed'
    }
    const due_at = secondsFrom(nowOf(clock), nth(definition.backoff_seconds, job.attempts - 1))
    const run_at = realTimeOf(clock, due_at)
    const put_off = { due_at, run_at, counts: true, error: lastError(error), waits_for: waitsFor(error) }
    await insist(() => postponeJob(queue, id, job.id, put_off))
    return 'retried'
  }

  /** Runs a batch; what goes wrong with the whole of it goes wrong with each job. */
  async function run(jobs: readonly ClaimedJob[], clock: ClockSetting, late: LateRun | null = null): Promise<Outcomes> {
    const [first] = jobs
    const definition = byName.get(first?.name ?? '')
    if (!first || !definition) throw new GiveUp('unknown_job', `nothing here runs ${first?.name}`)
    const entries = jobs.map((job) => ({
      id: job.id,
      payload: job.payload as never,
      attempt: job.attempts,
      looks: job.looks,
      hint: late?.jobs.find((one) => one.id === job.id)?.hint,
    }))
    const by = { worker: id, steady: definition.steady, late }
    return definition.runMany(jobContext(steps, first, by, clock, runNextDue), entries)
  }

  interface Run {
    readonly clock: ClockSetting
    /** How each ended, or what went wrong with all of them. */
    readonly whole: unknown
    readonly abandoned: readonly ClaimedJob[]
    readonly started: number
  }

  async function record(jobs: readonly ClaimedJob[], { clock, whole, abandoned, started }: Run): Promise<void> {
    // It was given back for another worker to run, and there is no database to tell anything.
    if (stopped) return
    const end = (job: ClaimedJob): Ended | Promise<Ended> => {
      if (abandoned.includes(job)) return fail(job, clock, WORKER_LOST)
      const outcome = whole instanceof Map ? (whole.get(job.id) ?? 'done') : whole
      // Nothing is left to be written: deliveries end so by the thousand.
      if (outcome === 'ended') return 'succeeded'
      if (outcome instanceof Error || !(whole instanceof Map)) return fail(job, clock, outcome)
      return settle(job, clock, outcome).catch((error: unknown) => fail(job, clock, error))
    }
    const ends = await Promise.all(jobs.map(end))
    const seconds = (performance.now() - started) / 1000
    for (const outcome of ends) parts.onRun?.({ job: jobs[0]?.name ?? '', outcome, seconds })
  }

  async function perform(jobs: readonly ClaimedJob[], given?: ClockSetting): Promise<void> {
    const [first] = jobs
    if (!first) return
    const clock = given ?? clockOf(first)
    for (const job of jobs) running.add(job.id)
    const started = performance.now()
    try {
      // A job that began more often than it may killed its worker each time: it must not take down this one too.
      const abandoned = jobs.filter(({ attempts, max_attempts }) => attempts > max_attempts)
      const runnable = jobs.filter((job) => !abandoned.includes(job))
      const whole = runnable.length === 0 ? new Map() : await run(runnable, clock).catch((error: unknown) => error)
      await record(jobs, { clock, whole, abandoned, started })
    } finally {
      for (const job of jobs) running.delete(job.id)
    }
  }

  /**
   * Runs jobs that nobody has claimed, as a claim would give them. Where nothing landed for them, they are claimed to record how
   * they ended. Gives false where they are no longer as they were in memory: then whoever claims them runs them.
   */
  async function performLate(waiting: readonly WaitingJob[]): Promise<boolean> {
    const [first] = waiting
    if (!first) return true
    let is_claimed = false
    const late: LateRun = {
      worker: id,
      jobs: waiting,
      in_order: byName.get(first.name)?.lane_concurrency === 1,
      isClaimed: () => is_claimed,
      claimed() {
        is_claimed = true
        for (const job of waiting) running.add(job.id)
      },
    }
    const jobs = waiting.map((job) => ({ ...job, attempts: 1, looks: 0, offset_ms: null, frozen_at: null }))
    const started = performance.now()
    late_runs++
    try {
      const outcomes = await run(jobs, REAL_TIME, late).catch((error: unknown) => error)
      const claim = async () => is_claimed || claimLate(parts.transactor, { ...first, clock: REAL_TIME }, late, true)
      const whole =
        outcomes instanceof Overtaken
          ? outcomes
          : await claim().then(
              () => outcomes,
              (error: unknown) => error,
            )
      if (is_claimed) await record(jobs, { clock: REAL_TIME, whole, abandoned: [], started })
      return is_claimed
    } finally {
      late_runs--
      if (is_claimed) for (const job of jobs) running.delete(job.id)
    }
  }

  /** The job runs at the instant it was due, or at `from` when that was before the clock set out. */
  const runNextDue: JobContext['runNextDue'] = async (owner, until, from) => {
    const job = await claimNextDue(db.sql, id, owner, until, from)
    if (!job) return null
    const at = new Date(Math.max(job.due_at.getTime(), from.getTime()))
    await perform([job], { offset_ms: 0, frozen_at: at })
    return at
  }

  // How a job ended could not be written down: its lease runs out and another worker takes it up again.
  const unrecorded = (error: unknown) => log.error({ error: describeError(error) }, 'could not record a job')
  const poller: Poller | null = options.polling
    ? openPoller({
        ...{ sql: queue, worker: id, jobs: parts.jobs, log },
        perform: (jobs) => perform(jobs).catch(unrecorded),
        performLate: (jobs) =>
          performLate(jobs).catch((error: unknown) => {
            unrecorded(error)
            return false
          }),
      })
    : null

  const heartbeat = setInterval(
    () => {
      if (running.size > 0) void renewLeases(queue, id, [...running]).catch(unrecorded)
    },
    (LEASE_SECONDS * 1000) / 3,
  )
  heartbeat.unref()
  poller?.wake()

  return {
    id,
    wake: () => poller?.wake(),
    expect: (jobs) => poller?.expect(jobs) ?? false,
    perform,
    performLate,
    async stop() {
      await poller?.stop()
      const until = performance.now() + STOP_GRACE_MS
      while (running.size + late_runs > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20))
      clearInterval(heartbeat)
      stopped = true
      if (running.size > 0) await releaseJobs(queue, id, [...running])
    },
  }
}

const WORKER_LOST = new GiveUp('worker_lost', 'Its worker went away every time it ran.')
