import type { Pool } from '../kernel/job.ts'
import type { WaitingJob } from '../kernel/late-claim.ts'
import type { QueuedJob } from '../kernel/unit-of-work.ts'

/** A lane in which this process queued jobs. */
export interface AgendaLane {
  readonly pool: Pool
  readonly account: string
  readonly lane: string
}

/** The same when its moment has come, and the jobs it is about; null where only the queue knows them. */
export interface DueLane extends AgendaLane {
  readonly jobs: readonly WaitingJob[] | null
}

interface Entry extends AgendaLane {
  ids: string[] | null
}

/** Appointments that are as close as this are one. */
const APPOINTMENT_MS = 50
/** More than a process queues for within a minute. What is beyond is found by looking at the queue. */
const MOST_ENTRIES = 20_000
/** Of one lane, and in all: what is beyond is claimed, which costs a batch little. */
const MOST_OF_A_LANE = 25
const MOST_JOBS = 1_000
/** Where more than this are in memory, a look at the queue finds them too: many that are claimed together cost each little. */
const FEW_JOBS = 100

/** The moment at which what is due at an instant is polled for. */
export function appointmentFor(at: number): number {
  return Math.ceil(at / APPOINTMENT_MS) * APPOINTMENT_MS
}

const inTurn = (a: WaitingJob, b: WaitingJob) => a.run_at.getTime() - b.run_at.getTime() || (a.id < b.id ? -1 : 1)

/**
 * Lanes in which this process queued jobs itself, by the moment these are due: it need not look for what it knows. A hint
 * and no more: jobs wait in the queue, and whatever is forgotten here is found there.
 */
export class Agenda {
  readonly #moments = new Map<number, Map<string, Entry>>()
  readonly #jobs = new Map<string, WaitingJob>()
  #size = 0

  /** False where there is no room for it. Without its jobs, the queue is asked for them. */
  add(lane: AgendaLane, at: number, jobs: readonly WaitingJob[] | null): boolean {
    const moment = appointmentFor(at)
    const lanes = this.#moments.get(moment) ?? new Map<string, Entry>()
    const known = lanes.get(lane.lane)
    if (!known && this.#size >= MOST_ENTRIES) return false
    const { pool, account } = lane
    const entry: Entry = known ?? { pool, account, lane: lane.lane, ids: [] }
    if (!known) {
      this.#moments.set(moment, lanes.set(lane.lane, entry))
      this.#size++
    }
    if (entry.ids === null) return true
    if (jobs === null || entry.ids.length + jobs.length > MOST_OF_A_LANE || this.#jobs.size + jobs.length > MOST_JOBS) {
      this.forget(entry.ids)
      entry.ids = null
      return true
    }
    for (const job of jobs) {
      entry.ids.push(job.id)
      this.#jobs.set(job.id, job)
    }
    return true
  }

  /** Jobs that were claimed are the business of whoever claimed them. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#jobs.delete(id)
  }

  /**
   * The jobs that it will hand out itself, so that nobody has to look for them: those that gather are due in the queue already.
   * None where they are many.
   */
  held(): readonly string[] {
    if (this.#jobs.size > FEW_JOBS) return []
    const lanes = [...this.#moments.values()].flatMap((moment) => [...moment.values()])
    return lanes.flatMap(({ ids }) => ids ?? []).filter((id) => this.#jobs.has(id))
  }

  /** Whether it holds anything for the moment of an instant. */
  knows(at: number): boolean {
    return this.#moments.has(appointmentFor(at))
  }

  /** Takes off the lanes whose moment has come. */
  takeDue(now: number): DueLane[] {
    const due = new Map<string, Entry>()
    for (const [moment, lanes] of this.#moments) {
      if (moment > now) continue
      for (const entry of lanes.values()) {
        const other = due.get(entry.lane)
        const ids = !other ? entry.ids : other.ids && entry.ids ? [...other.ids, ...entry.ids] : null
        // Only the queue knows all that waits in it now.
        if (ids === null) this.forget([...(other?.ids ?? []), ...(entry.ids ?? [])])
        due.set(entry.lane, { pool: entry.pool, account: entry.account, lane: entry.lane, ids })
      }
      this.#moments.delete(moment)
      this.#size -= lanes.size
    }
    return [...due.values()].flatMap(({ ids, ...lane }): DueLane[] => {
      if (ids === null) return [{ ...lane, jobs: null }]
      const jobs = ids.flatMap((id) => this.#jobs.get(id) ?? []).sort(inTurn)
      this.forget(ids)
      return jobs.length > 0 ? [{ ...lane, jobs }] : []
    })
  }
}

/** The lane of a job that was queued. */
export function laneOfJob({ pool, account_id, lane }: QueuedJob): AgendaLane {
  return { pool, account: account_id ?? '-', lane }
}
