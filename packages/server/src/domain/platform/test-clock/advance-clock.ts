import { type ClockSetting, nowOf, systemNow } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import { type ClockOwner, hasRunningJobs, retimeJobs, shiftJobsBack } from '../../../kernel/queue.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { putBackDeliveries } from '../webhook/put-back.ts'
import type { Journey } from './jobs.ts'
import { readHomeClock } from './read-clock.ts'
import { arrive, dropClock, isUnderWay } from './store.ts'

const LOOK_MS = 10

/** What was already under way when the clock set out ends first: order would mean nothing otherwise. */
async function waitForRunning(ctx: JobContext, owner: ClockOwner): Promise<void> {
  while (await hasRunningJobs(ctx.sql, owner)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

async function arriveAt(tx: JobTransaction, owner: ClockOwner, target: Date, freezes: boolean): Promise<void> {
  const clock: ClockSetting = freezes
    ? { offset_ms: 0, frozen_at: target }
    : { offset_ms: target.getTime() - systemNow(), frozen_at: null }
  await arrive(tx.sql, owner, clock)
  await retimeJobs(tx.sql, owner, clock)
}

/** Back to the clock behind this one. What would have come in an hour there comes in an hour here, not a year from now. */
async function goHome(tx: JobTransaction, owner: ClockOwner, target: Date): Promise<void> {
  const home = await readHomeClock(tx.sql, owner)
  const ahead_ms = target.getTime() - nowOf(home).getTime()
  if (ahead_ms > 0) {
    await shiftJobsBack(tx.sql, owner, ahead_ms)
    if (owner.empresa_id === null) await putBackDeliveries(tx.sql, owner.account_id, ahead_ms)
  }
  await retimeJobs(tx.sql, owner, home)
  await dropClock(tx.sql, owner)
}

export async function runJourney(ctx: JobContext, journey: Journey): Promise<JobOutcome> {
  const owner: ClockOwner = { account_id: ctx.account_id ?? '', empresa_id: journey.empresa_id }
  const target = new Date(journey.target)
  // A worker may die between arriving and saying so: run again, it would fire what lies ahead of the clock by then.
  if (!(await isUnderWay(ctx.sql, owner, new Date(journey.towards)))) return 'done'
  await waitForRunning(ctx, owner)
  let at: Date | null = new Date(journey.from)
  while (at !== null) at = await ctx.runNextDue(owner, target, at)
  await ctx.transact(async (tx) => {
    if (journey.returns) await goHome(tx, owner, target)
    else await arriveAt(tx, owner, target, journey.freezes)
    tx.invalidate(owner.account_id)
  })
  return 'done'
}
