// Jobs that do what a test tells them, and the rows of the queue.

import { expect } from 'vitest'

import { REAL_TIME, systemNow } from '../../src/kernel/clock.ts'
import type { Job, JobOutcome } from '../../src/kernel/job.ts'
import type { NewJob } from '../../src/kernel/outbox.ts'
import { UnitOfWork } from '../../src/kernel/unit-of-work.ts'
import { defineJob } from './define-job.ts'
import type { World } from './world.ts'

export interface Task {
  readonly mark: string
}

/** What a task does when it runs, by its mark; and how often it ran. */
export const acts = new Map<string, () => Promise<JobOutcome>>()
export const runs = new Map<string, number>()

async function run(_ctx: unknown, { mark }: Task): Promise<JobOutcome> {
  runs.set(mark, (runs.get(mark) ?? 0) + 1)
  return (await acts.get(mark)?.()) ?? 'done'
}

export const task = defineJob<Task>({
  name: 'queue.task',
  type: 'probe',
  backoff_seconds: [10, 70],
  max_attempts: 3,
  run,
})
export const look = defineJob<Task>({ name: 'queue.look', every_seconds: [10, 30, 300], run })
export const hold = defineJob<Task>({ name: 'queue.hold', type: 'probe', run })
export const taskJobs = [task, look, hold]

/** Makes a task wait until it is let go. */
export function holding(mark: string, outcome: JobOutcome = 'done'): () => void {
  let release = () => {}
  const released = new Promise<JobOutcome>((resolve) => {
    release = () => resolve(outcome)
  })
  acts.set(mark, () => released)
  return release
}

export interface TaskRow {
  readonly status: string
  readonly attempts: number
  readonly worker: string | null
  readonly lease_until: Date | null
  readonly run_at: Date
  readonly error: { code: string; message: string } | null
}

/** The queue of one world as its tests drive it. */
export function tasksOf(world: World, account_id: string) {
  async function row(id: string): Promise<TaskRow> {
    const [found] = await world.db.sql<TaskRow>`
      select status, attempts, worker, lease_until, run_at, error from job where id = ${id}`
    return found as TaskRow
  }
  return {
    row,
    async enqueue(job: Job<Task>, mark: string, more: Partial<NewJob<Task>> = {}): Promise<string> {
      const unit = new UnitOfWork({ account_id, mode: 'test', empresa_id: null, clock: REAL_TIME })
      return world.db.transact(async (sql) => {
        const made = await unit.enqueue(sql, job, { payload: { mark }, ...more })
        await unit.flush(sql)
        return made
      })
    },
    becomes: (id: string, status: string) => expect.poll(async () => (await row(id)).status).toBe(status),
    /** Whether it was put off by so many seconds at some moment between then and now. */
    async wasPutOff(id: string, seconds: number, since: number): Promise<boolean> {
      const at = (await row(id)).run_at.getTime() - seconds * 1000
      return at >= since - 1_000 && at <= systemNow() + 1_000
    },
    /** Brings a postponed job forward, as time would. */
    async bringForward(id: string): Promise<void> {
      await world.db.sql`update job set run_at = now() - interval '1 second', parked = false where id = ${id}`
      world.app.worker.wake()
    },
    /** Lets the lease of a job run out, as time would. */
    async expire(id: string): Promise<void> {
      await world.db.sql`update job set lease_until = now() - interval '1 second' where id = ${id}`
    },
  }
}
