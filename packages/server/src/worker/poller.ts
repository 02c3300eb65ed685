import type { HandledJob } from '../domain/job.ts'
import { systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import type { Pool } from '../kernel/job.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { type ClaimedJob, claimJobs, requeueExpiredLeases, unparkJobs } from '../kernel/queue.ts'

export interface Poller {
  wake(): void
  /** Polls at an instant that is near, instead of at the next interval. What is far away is found in time by itself. */
  wakeAt(at: Date): void
  stop(): Promise<void>
}

interface PollerParts {
  readonly sql: Sql
  readonly worker: string
  readonly jobs: readonly HandledJob[]
  readonly log: Log
  /** Never fails: how a job ends is its own matter. */
  readonly perform: (jobs: readonly ClaimedJob[]) => Promise<void>
}

/** How many batches a process runs at a time, by pool. A batch is one job, or those of a lane that run together. */
const SLOTS: Readonly<Record<Pool, number>> = { work: 16, delivery: 512, reading: 2 }
const IDLE_MS = 1_000
/** After something was queued there is usually more to come, some of it due in half a second. */
const BUSY_MS = 50
const BUSY_FOR_MS = 3_000
/** Polls keep this distance: what is queued meanwhile is claimed together, for the price of one. */
const MIN_DISTANCE_MS = 25
/** A job put off by less than this is polled for when it is due. */
const NEAR_MS = 60_000

/** One pool: claims jobs from lanes that have work, runs them in its slots, and knows how busy each lane is. */
function openPool(parts: PollerParts, pool: Pool) {
  const own = parts.jobs.filter((job) => job.pool === pool)
  const byName = new Map(own.map((job) => [job.name, job]))
  const capacities = new Map(
    own.map(({ name, batch, lane_concurrency }) => [name, batch > 1 ? batch : lane_concurrency]),
  )
  const runningByLane = new Map<string, number>()
  let running = 0
  let after = ''

  /** How many more jobs may be claimed from lanes that are being worked on. Batches are claimed whole or not at all. */
  function busyLanes() {
    return [...runningByLane].map(([lane, count]) => {
      const job = byName.get(lane.slice(0, lane.indexOf('|')))
      const free = (job?.lane_concurrency ?? 1) - count
      return { lane, capacity: Math.max(0, free) * (job && job.batch > 1 ? job.batch : 1) }
    })
  }

  function runBatch(lane: string, jobs: readonly ClaimedJob[], done: () => void): void {
    running++
    runningByLane.set(lane, (runningByLane.get(lane) ?? 0) + 1)
    void parts.perform(jobs).finally(() => {
      running--
      const left = (runningByLane.get(lane) ?? 1) - 1
      if (left === 0) runningByLane.delete(lane)
      else runningByLane.set(lane, left)
      done()
    })
  }

  /** Cuts the jobs of each lane into batches of the size their kind takes. */
  function runInBatches(claimed: readonly ClaimedJob[], done: () => void): void {
    const lanes = new Map<string, ClaimedJob[]>()
    for (const job of claimed) lanes.set(job.lane, [...(lanes.get(job.lane) ?? []), job])
    for (const [lane, jobs] of lanes) {
      const size = byName.get(jobs[0]?.name ?? '')?.batch ?? 1
      for (let i = 0; i < jobs.length; i += size) runBatch(lane, jobs.slice(i, i + size), done)
    }
  }

  /** Goes round the lanes once, or until every slot is taken. */
  return async function pollPool(done: () => void): Promise<void> {
    let turned = after === ''
    for (;;) {
      const free = SLOTS[pool] - running
      if (free <= 0) return
      const lanes = Math.max(1, Math.ceil(free / 8))
      const claim = { worker: parts.worker, pool, after, lanes, busy: busyLanes(), capacities }
      const claimed = await claimJobs(parts.sql, claim)
      runInBatches(claimed, done)
      const last =
        claimed
          .map(({ lane }) => lane)
          .sort()
          .at(-1) ?? after
      if (claimed.length > 0 && last > after) {
        after = last
      } else {
        after = ''
        if (turned) return
        turned = true
      }
    }
  }
}

/** Polls the queue when woken, and by itself now and then: a lost NOTIFY costs a moment, never a job. */
export function openPoller(parts: PollerParts): Poller {
  const pools = (Object.keys(SLOTS) as Pool[]).map((pool) => openPool(parts, pool))
  let stopping = false
  let polling: Promise<void> | null = null
  let again = false
  let busy_until = 0
  let recovered_at = 0
  let resting = false
  let timer: NodeJS.Timeout
  const appointments = new Set<number>()

  async function pollPools(): Promise<void> {
    if (performance.now() - recovered_at >= IDLE_MS) {
      recovered_at = performance.now()
      await requeueExpiredLeases(parts.sql)
      await unparkJobs(parts.sql)
    }
    for (const pollPool of pools) await pollPool(poll)
  }

  /** Polls now, or once more as soon as the poll under way and its pause are over. */
  function poll(): void {
    if (stopping) return
    if (polling || resting) {
      again = true
      return
    }
    again = false
    resting = true
    setTimeout(() => {
      resting = false
      if (again) poll()
    }, MIN_DISTANCE_MS).unref()
    polling = pollPools()
      .catch((error: unknown) => parts.log.error({ error: describeError(error) }, 'could not look at the queue'))
      .finally(() => {
        polling = null
        if (again) poll()
      })
  }

  function scheduleNext(): void {
    timer = setTimeout(
      () => {
        poll()
        scheduleNext()
      },
      performance.now() < busy_until ? BUSY_MS : IDLE_MS,
    )
    timer.unref()
  }
  scheduleNext()

  return {
    wake() {
      const was_busy = performance.now() < busy_until
      busy_until = performance.now() + BUSY_FOR_MS
      if (!was_busy) {
        clearTimeout(timer)
        scheduleNext()
      }
      poll()
    },
    wakeAt(at) {
      const due = Math.ceil(at.getTime() / BUSY_MS) * BUSY_MS
      const wait = due - systemNow()
      if (wait <= 0 || wait > NEAR_MS || appointments.has(due)) return
      appointments.add(due)
      setTimeout(() => {
        appointments.delete(due)
        poll()
      }, wait).unref()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await polling
    },
  }
}
