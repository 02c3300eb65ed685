import type { HandledJob } from '../domain/job.ts'
import { claimJobs, claimLanes, type LaneClaim, lookAtQueue, turnOf } from '../kernel/claim.ts'
import { systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import type { Pool } from '../kernel/job.ts'
import type { WaitingJob } from '../kernel/late-claim.ts'
import type { ClaimedJob } from '../kernel/queue.ts'
import type { AgendaLane, DueLane } from './agenda.ts'
import { Gathering } from './gathering.ts'

export interface PoolParts {
  readonly sql: Sql
  readonly worker: string
  readonly jobs: readonly HandledJob[]
  /** Never fails: how a job ends is its own matter. */
  readonly perform: (jobs: readonly ClaimedJob[]) => Promise<void>
  /** The same of jobs that nobody has claimed. False where they are as they were: then they have to be claimed. */
  readonly performLate: (jobs: readonly WaitingJob[]) => Promise<boolean>
  /** Told of jobs that were claimed from the queue. */
  readonly onClaim?: (ids: readonly string[]) => void
  /** Jobs that wait in the memory of this process for their moment: a walk over accounts leaves them to it. */
  readonly held?: () => readonly string[]
}

/**
 * How many batches a process runs at a time, by pool. A batch is one job, or those of a lane that run together. Of two
 * slots an account has one: it runs its heavy jobs one after the other.
 */
export const SLOTS: Readonly<Record<Pool, number>> = {
  work: 16,
  delivery: 512,
  calls: 512,
  reading: 4,
  heavy: 2,
}
/** Accounts whose last lane is remembered; one that is forgotten begins with its first lane again. */
const REMEMBERED = 128

/**
 * How many slots more an account may have: it takes one while it holds fewer than are free. One alone has half of them,
 * two have a third each, and a newcomer finds a free one, however much the others have waiting.
 */
export function roomFor(held: number, free: number): number {
  return Math.max(0, Math.ceil((free - held) / 2))
}

/** Told each time a batch of a lane ended, and whether it is still to be done. */
export type Done = (lane: AgendaLane, undone: boolean) => void

/** Counts what runs under each name, and forgets the names of which nothing does. */
class Running extends Map<string, number> {
  add(name: string, more: number): void {
    if (more === 0) return
    const count = (this.get(name) ?? 0) + more
    if (count === 0) this.delete(name)
    else this.set(name, count)
  }
}

/** One pool: claims jobs from accounts in turn, runs them in its slots, and knows how busy each account and lane is. */
export function openPool({ sql, worker, jobs, perform, performLate, onClaim, held }: PoolParts, pool: Pool) {
  const own = jobs.filter((job) => job.pool === pool)
  const byName = new Map(own.map((job) => [job.name, job]))
  const capacities = new Map(
    own.map(({ name, batch, lane_concurrency }) => [name, batch > 1 ? batch : lane_concurrency]),
  )
  const batches = new Map(own.map(({ name, batch }) => [name, batch]))
  const jobOf = (lane: string) => byName.get(lane.slice(0, lane.indexOf('|')))
  const gathering = new Gathering()
  const lanes = new Running()
  const accounts = new Running()
  /** Jobs that run and wait in the queue still: to claim them there would be to run them twice. */
  const unclaimed = new Set<string>()
  /** The lane of the last turn of each account, the latest turn last. */
  const lastLanes = new Map<string, string>()
  let running = 0
  let after = ''

  /** How many more jobs may be claimed from lanes that are being worked on. Batches are claimed whole or not at all. */
  function busyLanes() {
    return [...lanes].map(([lane, count]) => {
      const job = jobOf(lane)
      const free = (job?.lane_concurrency ?? 1) - count
      return { lane, capacity: Math.max(0, free) * (job && job.batch > 1 ? job.batch : 1) }
    })
  }

  function turns(free: number) {
    return [...new Set([...accounts.keys(), ...lastLanes.keys()])].map((account) => ({
      account,
      room: roomFor(accounts.get(account) ?? 0, free),
      after: lastLanes.get(account) ?? '',
    }))
  }

  function remember(account: string, lane: string): void {
    lastLanes.delete(account)
    lastLanes.set(account, lane)
    const [oldest] = lastLanes.keys()
    if (lastLanes.size > REMEMBERED && oldest !== undefined) lastLanes.delete(oldest)
  }

  function count(account: string, lane: string, more: 1 | -1): void {
    running += more
    lanes.add(lane, more)
    accounts.add(account, more)
  }

  function runBatch(account: string, lane: string, batch: readonly ClaimedJob[], done: Done): void {
    count(account, lane, 1)
    void perform(batch).finally(() => {
      count(account, lane, -1)
      done({ pool, account, lane }, false)
    })
  }

  /** Runs jobs before they are claimed, in batches of the size their kind takes. */
  function runLate({ account, lane }: AgendaLane, waiting: readonly WaitingJob[], done: Done): void {
    const { batch: size = 1, gather_ms = 0 } = jobOf(lane) ?? {}
    remember(account, lane)
    if (gather_ms > 0) gathering.claimed(lane, gather_ms, systemNow())
    for (let i = 0; i < waiting.length; i += size) {
      const batch = waiting.slice(i, i + size)
      count(account, lane, 1)
      for (const { id } of batch) unclaimed.add(id)
      void performLate(batch).then((did) => {
        count(account, lane, -1)
        for (const { id } of batch) unclaimed.delete(id)
        if (!did) gathering.undone(lane)
        done({ pool, account, lane }, !did)
      })
    }
  }

  /** Cuts the jobs of each lane into batches of the size their kind takes. */
  function runInBatches(claimed: readonly ClaimedJob[], done: Done): void {
    onClaim?.(claimed.map(({ id }) => id))
    const queued = new Map<string, ClaimedJob[]>()
    for (const job of claimed) queued.set(job.lane, [...(queued.get(job.lane) ?? []), job])
    for (const [lane, line] of queued) {
      const [{ name, account_id }] = line as [ClaimedJob]
      const account = turnOf({ account_id })
      const { batch: size = 1, gather_ms = 0 } = byName.get(name) ?? {}
      remember(account, lane)
      // One that filled its batch has more waiting, and goes on as soon as it may.
      if (gather_ms > 0 && line.length < size) gathering.claimed(lane, gather_ms, systemNow())
      for (let i = 0; i < line.length; i += size) runBatch(account, lane, line.slice(i, i + size), done)
    }
  }

  /**
   * How many jobs of each lane may be claimed now, none where it is busy. Null where not every lane finds a slot within the room
   * of its account: then accounts have to take turns.
   */
  function grant(known: readonly AgendaLane[]): readonly LaneClaim[] | null {
    const held = new Running(accounts)
    let free = SLOTS[pool] - running
    const take = (account: string, most: number): number => {
      const slots = Math.max(0, Math.min(most, roomFor(held.get(account) ?? 0, free)))
      held.add(account, slots)
      free -= slots
      return slots
    }
    const wanted = known.map(({ account, lane }) => ({ account, lane, job: jobOf(lane) }))
    const idleIn = ({ lane, job }: (typeof wanted)[0]) => (job?.lane_concurrency ?? 1) - (lanes.get(lane) ?? 0)
    // One for each before anybody has more.
    const firsts = wanted.map((one) => (idleIn(one) > 0 ? take(one.account, 1) : null))
    if (firsts.includes(0)) return null
    return wanted.map((one, i) => {
      const slots = firsts[i] === null ? 0 : 1 + take(one.account, idleIn(one) - 1)
      return {
        account: one.account,
        lane: one.lane,
        capacity: slots * (one.job && one.job.batch > 1 ? one.job.batch : 1),
      }
    })
  }

  /**
   * Runs what is known to be due, and claims from lanes of which no more is known than that something is, where everybody finds a slot, whoever is served first. Gives the
   * lanes that may have more; null where slots are short.
   */
  async function pollLanes(known: readonly DueLane[], done: Done): Promise<readonly LaneClaim[] | null> {
    const claims = grant(known)
    if (!claims) return null
    const counts = new Running()
    // All that this process queued in a lane is in its memory: what another queued there is found by the look of every second.
    const whole = new Set<string>()
    const open = claims.filter(({ account, lane, capacity }, i) => {
      if (capacity === 0) return false
      const waiting = known[i]?.jobs
      if (!waiting || waiting.length > capacity || !jobOf(lane)?.claims_late) return true
      whole.add(lane)
      runLate({ pool, account, lane }, waiting, done)
      return false
    })
    if (open.length > 0) {
      const claimed = await claimLanes(sql, { worker, pool, lanes: open, except: [...unclaimed] })
      for (const { lane } of claimed) counts.add(lane, 1)
      runInBatches(claimed, done)
    }
    return claims.filter(({ lane, capacity }) => !whole.has(lane) && (counts.get(lane) ?? 0) >= capacity)
  }

  /**
   * Goes round the accounts until every slot is taken, or none of them has anything left that may run. True where somebody
   * may wait for a slot.
   */
  async function pollAccounts(done: Done): Promise<boolean> {
    for (;;) {
      const free = SLOTS[pool] - running
      if (free <= 0) return true
      const most = Math.ceil(free / 8)
      const except = [...unclaimed, ...(held?.() ?? [])]
      const claimed = await claimJobs(sql, {
        ...{ worker, pool, after, accounts: most, places: Math.ceil(free / most), room: roomFor(0, free) },
        ...{ turns: turns(free), busy: busyLanes(), capacities, batches, except },
      })
      runInBatches(claimed, done)
      // What is due may not run yet: its lane is busy, which its end tells, or its account has its share of the slots.
      if (claimed.length === 0 && after === '') return [...accounts.values()].some((held) => roomFor(held, free) === 0)
      const served = [...new Set(claimed.map(turnOf))].sort()
      // Fewer than could have been: there is nobody behind them.
      after = served.length < most ? '' : (served.at(-1) ?? '')
      // Most often they took all there was: to look is a fifth of a claim in vain. Other lanes of theirs may wait.
      if (after === '' && (await lookAtQueue(sql, [pool], { except })).pools.length === 0) return false
    }
  }

  return {
    pollLanes,
    pollAccounts,
    running: () => lanes.keys(),
    unclaimed: unclaimed as ReadonlySet<string>,
    hasRoomFor: (account: string) => roomFor(accounts.get(account) ?? 0, SLOTS[pool] - running) > 0,
    /** When a lane that has something due may be claimed from: at once, `0`, or once what gathers in it may go. */
    nextClaimOf: (lane: string) => gathering.next(lane, jobOf(lane)?.gather_ms ?? 0, systemNow()),
  }
}
