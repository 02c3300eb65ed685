import type { Pool } from '../kernel/job.ts'
import type { QueuedJob } from '../kernel/unit-of-work.ts'

/** A lane in which this process queued jobs. */
export interface AgendaLane {
  readonly pool: Pool
  readonly account: string
  readonly lane: string
}

/** Appointments that are as close as this are one. */
const APPOINTMENT_MS = 50
/** More than a process queues for within a minute. What is beyond is found by looking at the queue. */
const MOST_ENTRIES = 20_000

/** The moment at which what is due at an instant is polled for. */
export function appointmentFor(at: number): number {
  return Math.ceil(at / APPOINTMENT_MS) * APPOINTMENT_MS
}

/**
 * Lanes in which this process queued jobs itself, by the moment these are due: it need not look for what it knows. A hint
 * and no more: jobs are claimed from the queue, and whatever is forgotten here is found there.
 */
export class Agenda {
  readonly #moments = new Map<number, Map<string, AgendaLane>>()
  #size = 0

  /** False where there is no room for it. */
  add(lane: AgendaLane, at: number): boolean {
    const moment = appointmentFor(at)
    const lanes = this.#moments.get(moment) ?? new Map<string, AgendaLane>()
    if (lanes.has(lane.lane)) return true
    if (this.#size >= MOST_ENTRIES) return false
    this.#moments.set(moment, lanes.set(lane.lane, lane))
    this.#size++
    return true
  }

  /** Whether it holds anything for the moment of an instant. */
  knows(at: number): boolean {
    return this.#moments.has(appointmentFor(at))
  }

  /** Takes off the lanes whose moment has come. */
  takeDue(now: number): AgendaLane[] {
    const due = new Map<string, AgendaLane>()
    for (const [moment, lanes] of this.#moments) {
      if (moment > now) continue
      for (const lane of lanes.values()) due.set(lane.lane, lane)
      this.#moments.delete(moment)
      this.#size -= lanes.size
    }
    return [...due.values()]
  }
}

/** The lane of a job that was queued. */
export function laneOfJob({ pool, account_id, lane }: QueuedJob): AgendaLane {
  return { pool, account: account_id ?? '-', lane }
}
