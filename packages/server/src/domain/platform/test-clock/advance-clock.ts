import { type ClockSetting, nowOf, systemNow } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import { type ClockOwner, hasRunningJobs, retimeJobs, shiftJobsBack } from '../../../kernel/queue-clock.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { shiftDeliveriesBack } from '../webhook/delivery.ts'
import type { ClockMove } from './jobs.ts'
import { readHomeClock } from './read-clock.ts'
import { deleteClock, isAdvancing, markReady } from './store.ts'

const POLL_MS = 10

/** Jobs that were running when the clock was moved end first: order would mean nothing otherwise. */
async function waitForRunning(ctx: JobContext, owner: ClockOwner): Promise<void> {
  while (await hasRunningJobs(ctx.sql, owner)) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}

async function stopAt(tx: JobTransaction, owner: ClockOwner, target: Date, freezes: boolean): Promise<void> {
  const clock: ClockSetting = freezes
    ? { offset_ms: 0, frozen_at: target }
    : { offset_ms: target.getTime() - systemNow(), frozen_at: null }
  await markReady(tx.sql, owner, clock)
  await retimeJobs(tx.sql, owner, clock)
}

/** Deletes the clock. A job that was due in an hour on it is due in an hour on the clock behind it, not a year from now. */
async function returnHome(tx: JobTransaction, owner: ClockOwner, target: Date): Promise<void> {
  const home = await readHomeClock(tx.sql, owner)
  const ahead_ms = target.getTime() - nowOf(home).getTime()
  if (ahead_ms > 0) {
    await shiftJobsBack(tx.sql, owner, ahead_ms)
    if (owner.empresa_id === null) await shiftDeliveriesBack(tx.sql, owner.account_id, ahead_ms)
  }
  await retimeJobs(tx.sql, owner, home)
  await deleteClock(tx.sql, owner)
}

/** Fires every timer up to the target, in order, and leaves the clock there. */
export async function moveClock(ctx: JobContext, move: ClockMove): Promise<JobOutcome> {
  const owner: ClockOwner = { account_id: ctx.account_id ?? '', empresa_id: move.empresa_id }
  const target = new Date(move.target)
  // A worker may die after the commit and before the job is done: run again, it would fire timers ahead of the clock.
  if (!(await isAdvancing(ctx.sql, owner, new Date(move.towards)))) return 'done'
  await waitForRunning(ctx, owner)
  let at: Date | null = new Date(move.from)
  while (at !== null) at = await ctx.runNextDue(owner, target, at)
  await ctx.transact(async (tx) => {
    if (move.returns) await returnHome(tx, owner, target)
    else await stopAt(tx, owner, target, move.freezes)
    tx.invalidate(owner.account_id)
  })
  return 'done'
}
