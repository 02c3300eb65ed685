import type { HandledJob } from '../domain/job.ts'
import { systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import type { Pool } from '../kernel/job.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { type ClaimedJob, claimJobs, takeBackSilent, unparkJobs } from '../kernel/queue.ts'

export interface Poller {
  wake(): void
  /** Looks again at an instant that is near, instead of at the next poll. What is far away is found in time by itself. */
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

/** How many lots of work a process has in hand at a time, by pool. A lot is one job, or those of a lane run together. */
const HANDS: Readonly<Record<Pool, number>> = { work: 16, delivery: 512 }
const IDLE_MS = 1_000
/** After something was queued there is usually more to come, some of it due in half a second. */
const BRISK_MS = 50
const BRISK_FOR_MS = 3_000
/** One look follows another no closer than this: what is queued meanwhile is found together, for the price of one. */
const APART_MS = 25
/** A job put off by less than this is looked for when it is due. */
const NEAR_MS = 60_000

/** One pool: looks for lanes with work, hands their jobs out, and knows how much of each lane is in hand. */
function openPool(parts: PollerParts, pool: Pool) {
  const mine = parts.jobs.filter((job) => job.pool === pool)
  const byName = new Map(mine.map((job) => [job.name, job]))
  const rooms = new Map(mine.map(({ name, batch, lane_concurrency }) => [name, batch > 1 ? batch : lane_concurrency]))
  const inHand = new Map<string, number>()
  let lots = 0
  let after = ''

  /** What may still be taken of lanes that are being worked on. Lots of a batch are taken whole or not at all. */
  function busyLanes() {
    return [...inHand].map(([lane, count]) => {
      const job = byName.get(lane.slice(0, lane.indexOf('|')))
      const free = (job?.lane_concurrency ?? 1) - count
      return { lane, room: Math.max(0, free) * (job && job.batch > 1 ? job.batch : 1) }
    })
  }

  function hand(lane: string, jobs: readonly ClaimedJob[], done: () => void): void {
    lots++
    inHand.set(lane, (inHand.get(lane) ?? 0) + 1)
    void parts.perform(jobs).finally(() => {
      lots--
      const left = (inHand.get(lane) ?? 1) - 1
      if (left === 0) inHand.delete(lane)
      else inHand.set(lane, left)
      done()
    })
  }

  /** Jobs of one lane in lots of the size their kind takes. */
  function share(claimed: readonly ClaimedJob[], done: () => void): void {
    const lanes = new Map<string, ClaimedJob[]>()
    for (const job of claimed) lanes.set(job.lane, [...(lanes.get(job.lane) ?? []), job])
    for (const [lane, jobs] of lanes) {
      const size = byName.get(jobs[0]?.name ?? '')?.batch ?? 1
      for (let i = 0; i < jobs.length; i += size) hand(lane, jobs.slice(i, i + size), done)
    }
  }

  /** Goes round the lanes once, or until the hands are full. */
  return async function look(done: () => void): Promise<void> {
    let turned = after === ''
    for (;;) {
      const free = HANDS[pool] - lots
      if (free <= 0) return
      const lanes = Math.max(1, Math.ceil(free / 8))
      const claim = { worker: parts.worker, pool, after, lanes, busy: busyLanes(), rooms }
      const claimed = await claimJobs(parts.sql, claim)
      share(claimed, done)
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

/** Looks at the queue when told, and by itself now and then: a lost message costs a moment, never a job. */
export function openPoller(parts: PollerParts): Poller {
  const pools = (Object.keys(HANDS) as Pool[]).map((pool) => openPool(parts, pool))
  let stopping = false
  let looking: Promise<void> | null = null
  let again = false
  let brisk_until = 0
  let tidied_at = 0
  let resting = false
  let timer: NodeJS.Timeout
  const appointments = new Set<number>()

  async function lookAll(): Promise<void> {
    if (performance.now() - tidied_at >= IDLE_MS) {
      tidied_at = performance.now()
      await takeBackSilent(parts.sql)
      await unparkJobs(parts.sql)
    }
    for (const look of pools) await look(glance)
  }

  function glance(): void {
    if (stopping) return
    if (looking || resting) {
      again = true
      return
    }
    again = false
    resting = true
    setTimeout(() => {
      resting = false
      if (again) glance()
    }, APART_MS).unref()
    looking = lookAll()
      .catch((error: unknown) => parts.log.error({ error: describeError(error) }, 'could not look at the queue'))
      .finally(() => {
        looking = null
        if (again) glance()
      })
  }

  function poll(): void {
    timer = setTimeout(
      () => {
        glance()
        poll()
      },
      performance.now() < brisk_until ? BRISK_MS : IDLE_MS,
    )
    timer.unref()
  }
  poll()

  return {
    wake() {
      const was_brisk = performance.now() < brisk_until
      brisk_until = performance.now() + BRISK_FOR_MS
      if (!was_brisk) {
        clearTimeout(timer)
        poll()
      }
      glance()
    },
    wakeAt(at) {
      const slot = Math.ceil(at.getTime() / BRISK_MS) * BRISK_MS
      const wait = slot - systemNow()
      if (wait <= 0 || wait > NEAR_MS || appointments.has(slot)) return
      appointments.add(slot)
      setTimeout(() => {
        appointments.delete(slot)
        glance()
      }, wait).unref()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await looking
    },
  }
}
