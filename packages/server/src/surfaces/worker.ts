import { randomUUID } from 'node:crypto'
import { type ClockSetting, nowOf, REAL_TIME, realTimeOf, secondsFrom } from '../kernel/clock.ts'
import { GiveUp, type JobContext, type JobOutcome } from '../kernel/job.ts'
import { describeError, scrub } from '../kernel/log.ts'
import { Problem } from '../kernel/problem.ts'
import {
  buryJob,
  type ClaimedJob,
  claimJobs,
  claimNextDue,
  finishJob,
  keepLeases,
  LEASE_SECONDS,
  postponeJob,
  releaseJobs,
} from '../kernel/queue.ts'
import { type JobFact, jobContext, type WorkerParts } from './job-context.ts'

export interface Worker {
  /** Looks at the queue now instead of at the next poll. */
  wake(): void
  /** Runs one claimed job to its end and records how it ended. */
  perform(job: ClaimedJob, clock?: ClockSetting): Promise<void>
  readonly id: string
  stop(): Promise<void>
}

const CONCURRENCY = 16
const POLL_MS = 1_000
const STOP_GRACE_MS = 5_000

function nth(list: readonly number[], n: number): number {
  return list[Math.min(n, list.length - 1)] ?? 60
}

/** What a dead letter may tell the caller: a refusal in full, anything else only as our own failure. */
function lastError(error: unknown): { code: string; message: string } {
  if (error instanceof Problem || error instanceof GiveUp) return { code: error.code, message: scrub(error.message) }
  return { code: 'internal_error', message: 'Something failed on our side.' }
}

export function openWorker(parts: WorkerParts, options: { polling: boolean }): Worker {
  const { db, log } = parts
  const id = `w_${randomUUID()}`
  const known = new Map(parts.jobs.map((job) => [job.name, job]))
  const running = new Set<string>()
  let stopping = false
  let looking: Promise<void> | null = null
  let again = false

  type Ended = JobFact['outcome']

  async function settle(job: ClaimedJob, clock: ClockSetting, outcome: JobOutcome): Promise<Ended> {
    if (outcome !== 'not_yet') {
      await finishJob(db.sql, id, job.id, outcome === 'done' ? undefined : outcome.done)
      return 'succeeded'
    }
    const wait = nth(known.get(job.name)?.every_seconds ?? [10], job.looks)
    const due_at = secondsFrom(nowOf(clock), wait)
    const run_at = realTimeOf(clock, due_at)
    await postponeJob(db.sql, id, job.id, { due_at, run_at, counts: false, error: null })
    return 'postponed'
  }

  async function fail(job: ClaimedJob, clock: ClockSetting, error: unknown): Promise<Ended> {
    const definition = known.get(job.name)
    log.warn({ job: job.id, name: job.name, attempt: job.attempts, error: describeError(error) }, 'job failed')
    if (error instanceof GiveUp || !definition || job.attempts >= job.max_attempts) {
      await buryJob(db.sql, id, job.id, lastError(error))
      return 'failed'
    }
    const due_at = secondsFrom(nowOf(clock), nth(definition.backoff_seconds, job.attempts - 1))
    const run_at = realTimeOf(clock, due_at)
    await postponeJob(db.sql, id, job.id, { due_at, run_at, counts: true, error: lastError(error) })
    return 'retried'
  }

  async function runJob(job: ClaimedJob, clock: ClockSetting): Promise<Ended> {
    const definition = known.get(job.name)
    if (!definition) throw new GiveUp('unknown_job', `nothing here runs ${job.name}`)
    // Only a worker that dies on it lets a job begin more often than it may: it must not take down the next one too.
    if (job.attempts > job.max_attempts) throw new GiveUp('worker_lost', 'Its worker went away every time it ran.')
    return settle(job, clock, await definition.run(jobContext(parts, job, clock, runNextDue), job.payload as never))
  }

  async function perform(job: ClaimedJob, given?: ClockSetting): Promise<void> {
    const clock = given ?? (job.offset_ms === null ? REAL_TIME : { offset_ms: job.offset_ms, frozen_at: job.frozen_at })
    running.add(job.id)
    const started = performance.now()
    try {
      const outcome = await runJob(job, clock).catch((error: unknown) => fail(job, clock, error))
      parts.onRun?.({ job: job.name, outcome, seconds: (performance.now() - started) / 1000 })
    } finally {
      running.delete(job.id)
    }
  }

  /** The job runs at the instant it was due, or at `from` when that was before the clock set out. */
  const runNextDue: JobContext['runNextDue'] = async (owner, until, from) => {
    const job = await claimNextDue(db.sql, id, owner, until)
    if (!job) return null
    const at = new Date(Math.max(job.due_at.getTime(), from.getTime()))
    await perform(job, { offset_ms: 0, frozen_at: at })
    return at
  }

  async function look(): Promise<void> {
    while (!stopping) {
      const room = CONCURRENCY - running.size
      if (room <= 0) return
      const claimed = await claimJobs(db.sql, id, room)
      for (const job of claimed) void perform(job).catch(unrecorded).finally(wake)
      if (claimed.length < room) return
    }
  }

  // How a job ended could not be written down: its lease runs out and another worker takes it up again.
  const unrecorded = (error: unknown) => log.error({ error: describeError(error) }, 'could not record a job')

  function wake(): void {
    if (stopping || !options.polling) return
    if (looking) {
      again = true
      return
    }
    looking = look()
      .catch((error: unknown) => log.error({ error: describeError(error) }, 'could not look at the queue'))
      .finally(() => {
        looking = null
        if (again) {
          again = false
          wake()
        }
      })
  }

  const poll = setInterval(wake, POLL_MS)
  const beat = setInterval(
    () => {
      if (running.size > 0) void keepLeases(db.sql, id, [...running]).catch(unrecorded)
    },
    (LEASE_SECONDS * 1000) / 3,
  )
  poll.unref()
  beat.unref()
  wake()

  return {
    id,
    wake,
    perform,
    async stop() {
      stopping = true
      clearInterval(poll)
      await looking
      const until = performance.now() + STOP_GRACE_MS
      while (running.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
      clearInterval(beat)
      if (running.size > 0) await releaseJobs(db.sql, id, [...running])
    },
  }
}
