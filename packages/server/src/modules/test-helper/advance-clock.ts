import { type ClockSetting, systemNow } from '../../kernel/clock.ts'
import { defineJob, type JobContext } from '../../kernel/job.ts'
import { type ClockOwner, isRunningAny, retimeJobs } from '../../kernel/queue.ts'
import { arrive } from './store.ts'

interface Journey {
  readonly empresa_id: string | null
  readonly from: string
  readonly target: string
  /** Whether the clock stands still on arrival. */
  readonly freezes: boolean
}

const LOOK_MS = 10

/** What was already under way when the clock set out ends first: order would mean nothing otherwise. */
async function waitForRunning(ctx: JobContext, owner: ClockOwner): Promise<void> {
  while (await isRunningAny(ctx.sql, owner)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

/** Takes a test clock from where it stands to its target, stopping at every timer on the way and firing it there. */
export const advanceClock = defineJob<Journey>({
  name: 'test_clock.advance',
  max_attempts: 100,
  backoff_seconds: [1],
  async run(ctx, journey) {
    const owner: ClockOwner = { account_id: ctx.account_id ?? '', empresa_id: journey.empresa_id }
    const target = new Date(journey.target)
    await waitForRunning(ctx, owner)
    let at: Date | null = new Date(journey.from)
    while (at !== null) at = await ctx.runNextDue(owner, target, at)
    await ctx.transact(async (tx) => {
      const clock: ClockSetting = journey.freezes
        ? { offset_ms: 0, frozen_at: target }
        : { offset_ms: target.getTime() - systemNow(), frozen_at: null }
      await arrive(tx.sql, owner, clock)
      await retimeJobs(tx.sql, owner, clock)
      tx.invalidate(owner.account_id)
    })
    return 'done'
  },
})
