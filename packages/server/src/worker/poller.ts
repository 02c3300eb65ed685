import { lookAtQueue, SOON_SECONDS } from '../kernel/claim.ts'
import { systemNow } from '../kernel/clock.ts'
import type { Pool } from '../kernel/job.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { requeueExpiredLeases, unparkJobs } from '../kernel/queue.ts'
import { openPool, type PoolParts, SLOTS } from './slots.ts'

export interface Poller {
  wake(): void
  /** Polls at an instant that is near, instead of at the next interval. What is far away is found in time by itself. */
  wakeAt(at: Date): void
  stop(): Promise<void>
}

interface PollerParts extends PoolParts {
  readonly log: Log
}

const IDLE_MS = 1_000
/** After something was queued there is usually more to come, from processes whose NOTIFY may be late. */
const BUSY_MS = 250
const BUSY_FOR_MS = 3_000
/** Appointments that are as close as this are one. */
const APPOINTMENT_MS = 50
/** Polls keep this distance: what is queued meanwhile is claimed together, for the price of one. */
const MIN_DISTANCE_MS = 25

/**
 * Polls the queue when woken, when the next job that it saw is due, and by itself now and then: a lost NOTIFY costs a
 * moment, never a job.
 */
export function openPoller(parts: PollerParts): Poller {
  const names = Object.keys(SLOTS) as Pool[]
  const pools = new Map(names.map((pool) => [pool, openPool(parts, pool)]))
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
    const head = await lookAtQueue(parts.sql, names)
    if (head.next) wakeAt(head.next)
    for (const pool of head.pools) await pools.get(pool)?.(poll)
  }

  function wakeAt(at: Date): void {
    const due = Math.ceil(at.getTime() / APPOINTMENT_MS) * APPOINTMENT_MS
    const wait = due - systemNow()
    if (wait <= 0 || wait > SOON_SECONDS * 1000 || appointments.has(due)) return
    appointments.add(due)
    setTimeout(() => {
      appointments.delete(due)
      poll()
    }, wait).unref()
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
    wakeAt,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await polling
    },
  }
}
