import { lookAtQueue, type QueueHead, SOON_SECONDS } from '../kernel/claim.ts'
import { systemNow } from '../kernel/clock.ts'
import { everySecond } from '../kernel/every-second.ts'
import type { Pool } from '../kernel/job.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { requeueExpiredLeases, unparkJobs } from '../kernel/queue.ts'
import type { QueuedJob } from '../kernel/unit-of-work.ts'
import { Agenda, type AgendaLane, appointmentFor, type DueLane, laneOfJob } from './agenda.ts'
import { openPool, type PoolParts, SLOTS } from './slots.ts'

export interface Poller {
  /** Looks at the whole queue. */
  wake(): void
  /** Jobs that this process queued: their lanes are polled when they are due. False where it does not take them on itself. */
  expect(jobs: readonly QueuedJob[]): boolean
  /** Polls at an instant that is near, instead of at the next interval. What is far away is found in time by itself. */
  wakeAt(at: Date): void
  stop(): Promise<void>
}

interface PollerParts extends PoolParts {
  readonly log: Log
  /** The timer of the process, unless told otherwise. */
  readonly everySecond?: typeof everySecond
}

/** Asked for with the look of every second, which may come a little early. */
const RECOVERY_MS = 900
/** After something was queued there is usually more to come, from processes whose NOTIFY may be late. */
const BUSY_MS = 250
const BUSY_FOR_MS = 3_000
/** Where nothing came for so long, every other look of a second is left out: what it would find is what a NOTIFY did not tell. */
const QUIET_AFTER_MS = 30_000
/** A timer may ring this much before its time, and what is not due then would wait for the next look. */
const EARLY_MS = 2
/** Polls keep this distance: what is queued meanwhile is claimed together, for the price of one. */
const MIN_DISTANCE_MS = 25

/**
 * Polls the queue when woken, when the next job that it saw is due, and by itself now and then: a lost NOTIFY costs a
 * moment, never a job. What this process queued itself it polls for by lane, at the moment it is due, and looks at
 * nothing else.
 */
export function openPoller(parts: PollerParts): Poller {
  const names = Object.keys(SLOTS) as Pool[]
  const agenda = new Agenda()
  const onClaim = (ids: readonly string[]) => agenda.forget(ids)
  const held = () => agenda.held()
  /** What this process runs or will run from memory, though it waits in the queue. */
  const inMemory = () => [...held(), ...names.flatMap((pool) => [...(pools.get(pool)?.unclaimed ?? [])])]
  const pools = new Map(names.map((pool) => [pool, openPool({ ...parts, onClaim, held }, pool)]))
  /** Pools in which somebody may wait for a slot: the end of any batch is news to them. */
  const short = new Set<Pool>()
  /** Lanes that were busy while the queue was looked at: more may wait in them. */
  const passed_over = new Set<string>()
  let stopping = false
  let polling: Promise<void> | null = null
  let again: 'queue' | 'agenda' | null = null
  let busy_until = 0
  let recovered_at = 0
  /** When something last came, or was found. */
  let stirred_at = performance.now()
  let left_out = false
  let rests_until = 0
  let rest: NodeJS.Timeout | null = null
  let busy: NodeJS.Timeout | null = null
  const appointments = new Set<number>()

  /** What waits. Once a second it is asked in the same breath whether jobs are to be recovered: an idle process asks one thing. */
  async function look(): Promise<QueueHead> {
    const asks_recovery = performance.now() - recovered_at >= RECOVERY_MS
    if (asks_recovery) recovered_at = performance.now()
    const head = await lookAtQueue(parts.sql, names, { asks_recovery, except: inMemory() })
    if (!head.needs_recovery) return head
    await requeueExpiredLeases(parts.sql)
    await unparkJobs(parts.sql)
    return lookAtQueue(parts.sql, names, { except: inMemory() })
  }

  async function pollQueue(): Promise<void> {
    const head = await look()
    if (head.pools.length > 0) stirred_at = performance.now()
    if (head.next && !agenda.knows(head.next.getTime())) wakeAt(head.next)
    for (const pool of names) {
      const waits = head.pools.includes(pool) && (await pools.get(pool)?.pollAccounts(ended))
      if (waits) short.add(pool)
      else short.delete(pool)
    }
    if (head.pools.length > 0)
      for (const pool of pools.values()) for (const lane of pool.running()) passed_over.add(lane)
  }

  /** False where slots are short, so that the whole queue has to be looked at. */
  async function pollAgenda(due: readonly DueLane[]): Promise<boolean> {
    for (const pool of new Set(due.map((one) => one.pool))) {
      // Where others wait in a lane, they come first.
      const known = due
        .filter((one) => one.pool === pool)
        .map((one) => (passed_over.has(one.lane) ? { ...one, jobs: null } : one))
      const more = await pools.get(pool)?.pollLanes(known, ended)
      if (!more) return false
      for (const { lane } of more) passed_over.add(lane)
    }
    return true
  }

  function ended(lane: AgendaLane, undone: boolean): void {
    if (undone) passed_over.add(lane.lane)
    if (short.has(lane.pool)) poll('queue')
    // A poll under way may have found it busy just before.
    else if (passed_over.delete(lane.lane) || polling) pollLane(lane, null)
  }

  /** Polls a lane that has something due, at once or when what gathers in it may go. False where the agenda is full. */
  function pollLane(lane: AgendaLane, jobs: DueLane['jobs']): boolean {
    const at = pools.get(lane.pool)?.nextClaimOf(lane.lane) ?? 0
    if (!agenda.add(lane, at, jobs)) return false
    if (at === 0) poll('agenda')
    else wakeAt(new Date(at), 'agenda')
    return true
  }

  function wakeAt(at: Date, what: 'queue' | 'agenda' = 'queue'): void {
    const due = appointmentFor(at.getTime())
    const wait = due - systemNow()
    const name = what === 'queue' ? due : -due
    // Its moment came while it was written down.
    if (wait <= 0 && what === 'agenda') poll(what)
    if (wait <= 0 || wait > SOON_SECONDS * 1000 || appointments.has(name)) return
    appointments.add(name)
    setTimeout(() => {
      appointments.delete(name)
      poll(what)
    }, wait + EARLY_MS).unref()
  }

  /** The lanes whose time has come. In some of them more gathers: those are written down for the moment at which it may go. */
  function takeDue() {
    const gathering = new Set<number>()
    const due = agenda.takeDue(systemNow()).filter((lane) => {
      const at = pools.get(lane.pool)?.nextClaimOf(lane.lane) ?? 0
      if (at === 0 || !agenda.add(lane, at, lane.jobs)) return true
      gathering.add(at)
      return false
    })
    return { due, gathering }
  }

  function rested(): void {
    rest = null
    if (again) poll(again)
  }

  /** Polls now, or once more as soon as the poll under way and its pause are over. */
  function poll(what: 'queue' | 'agenda'): void {
    if (stopping) return
    const rests_ms = rests_until - performance.now()
    if (polling || rests_ms > 0) {
      again = what === 'queue' ? what : (again ?? what)
      if (!polling) rest ??= setTimeout(rested, rests_ms).unref()
      return
    }
    again = null
    rests_until = performance.now() + MIN_DISTANCE_MS
    const { due, gathering } = takeDue()
    const work = async () => {
      // What only the queue knows is found by looking at it.
      const known = what === 'queue' ? due.filter(({ jobs }) => jobs !== null) : due
      if (!(await pollAgenda(known)) || what === 'queue') await pollQueue()
    }
    polling = work()
      .catch((error: unknown) => parts.log.error({ error: describeError(error) }, 'could not look at the queue'))
      .finally(() => {
        polling = null
        if (again) poll(again)
      })
    for (const at of gathering) wakeAt(new Date(at), 'agenda')
  }

  function takeOn(job: QueuedJob, now: number): boolean {
    const at = job.run_at.getTime()
    if (at > now + SOON_SECONDS * 1000) return true
    const lane = laneOfJob(job)
    const waiting = job.waiting ? [job.waiting] : null
    if (at > now) {
      if (!agenda.add(lane, at, waiting)) return false
      wakeAt(job.run_at, 'agenda')
      return true
    }
    if (pools.get(job.pool)?.hasRoomFor(lane.account)) return pollLane(lane, waiting)
    // Something of its pool is running, and the end of it looks at the queue: to look before would find no slot.
    short.add(job.pool)
    return false
  }

  function expect(jobs: readonly QueuedJob[]): boolean {
    if (stopping) return false
    stirred_at = performance.now()
    const now = systemNow()
    const left = jobs.filter((job) => !takeOn(job, now))
    // A poll under way may have passed them already, and what the agenda has no room for nobody else looks for.
    if (left.some(({ pool }) => polling || !short.has(pool))) poll('queue')
    return left.length === 0
  }

  function pollWhileBusy(): void {
    busy = null
    if (performance.now() >= busy_until) return
    poll('queue')
    busy = setTimeout(pollWhileBusy, BUSY_MS).unref()
  }
  // Together with all that is done once a second: a process at rest wakes up once for it.
  const stopLooking = (parts.everySecond ?? everySecond)(() => {
    if (busy !== null) return
    left_out = !left_out && performance.now() - stirred_at >= QUIET_AFTER_MS
    if (!left_out) poll('queue')
  })

  return {
    wake() {
      stirred_at = performance.now()
      busy_until = performance.now() + BUSY_FOR_MS
      busy ??= setTimeout(pollWhileBusy, BUSY_MS).unref()
      poll('queue')
    },
    expect,
    wakeAt,
    async stop() {
      stopping = true
      stopLooking()
      if (busy) clearTimeout(busy)
      if (rest) clearTimeout(rest)
      await polling
    },
  }
}
