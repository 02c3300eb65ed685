import { defineJob } from '../../kernel/job.ts'

// What these run asks for these very jobs again, so it is loaded when it runs.

export interface SyncOrder {
  readonly period: string
}

export const SYNC_ATTEMPTS = 8

/**
 * Reads a period of the register. A line of an empresa is read one period at a time: the SII counts how fast it is
 * asked. One that does not answer is asked again for about a day.
 */
export const syncRcv = defineJob<SyncOrder>({
  name: 'rcv.sync',
  type: 'rcv_sync',
  max_attempts: SYNC_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  lane_concurrency: 1,
  run: async (ctx, order) => (await import('./sync.ts')).runSync(ctx, order),
})

/** Has the last three months read, every day. */
export const sweepRcv = defineJob<Record<string, never>>({
  name: 'rcv.sweep',
  max_attempts: 1_000,
  run: async (ctx) => (await import('./sweep.ts')).runSweep(ctx),
})

export interface TellOrder {
  readonly entry_ids: readonly string[]
}

/** Tells the SII what was decided here about purchases. */
export const tellRcv = defineJob<TellOrder>({
  name: 'rcv.tell',
  max_attempts: 20,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  lane_concurrency: 1,
  run: async (ctx, order) => (await import('./tell-sii.ts')).runTell(ctx, order),
})

export const rcvJobs = [syncRcv, sweepRcv, tellRcv]
