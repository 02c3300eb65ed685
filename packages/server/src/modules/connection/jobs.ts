import { defineJob } from '../../kernel/job.ts'
import type { BankNotice } from '../../ports/bank.ts'

// What these run asks for these very jobs again, so it is loaded when it runs.

export interface SyncOrder {
  readonly connection_id: string
  /** Whether the bank itself is asked anew first. The reading that follows a linking finds the bank just read. */
  readonly refresh: boolean
}

export const SYNC_ATTEMPTS = 5

/** Reads the movements of a connection. One that waits for the bank looks again soon; one that fails, some times more. */
export const syncConnection = defineJob<SyncOrder>({
  name: 'connection.sync',
  type: 'connection_sync',
  max_attempts: SYNC_ATTEMPTS,
  backoff_seconds: [5, 60, 300, 900],
  every_seconds: [2, 5, 10, 20, 30],
  lane_concurrency: 1,
  run: async (ctx, order) => (await import('./sync.ts')).runSync(ctx, order),
})

export interface SweepOrder {
  readonly connection_id: string
}

/** Has a connection read every day. */
export const sweepConnection = defineJob<SweepOrder>({
  name: 'connection.sweep',
  max_attempts: 1_000,
  run: async (ctx, order) => (await import('./sweep.ts')).runSweep(ctx, order),
})

export interface ForgetOrder {
  readonly connection_id: string
  /** The token of the link, still sealed. Its row goes with the job. */
  readonly sealed: string
}

/** Has the provider forget a link. Asked for days: a link that stays would go on reading somebody's bank. */
export const forgetLink = defineJob<ForgetOrder>({
  name: 'connection.forget',
  max_attempts: 30,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400],
  leaves_no_trace: true,
  run: async (ctx, order) => (await import('./forget.ts')).runForget(ctx, order),
})

export interface HeedOrder {
  readonly connection_id: string
  readonly notice: BankNotice
}

/** Does what a notice of the provider asks for. */
export const heedNotice = defineJob<HeedOrder>({
  name: 'connection.heed',
  max_attempts: 6,
  backoff_seconds: [5, 60, 300, 900, 3_600],
  lane_concurrency: 1,
  leaves_no_trace: true,
  run: async (ctx, order) => (await import('./heed.ts')).runHeed(ctx, order),
})

export const connectionJobs = [syncConnection, sweepConnection, forgetLink, heedNotice]
