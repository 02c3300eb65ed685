import { declareJob } from '../../../kernel/job.ts'

export interface SyncOrder {
  readonly period: string
}

export const SYNC_ATTEMPTS = 8

/**
 * Reads a period of the register. A line of an empresa is read one period at a time: the SII counts how fast it is
 * asked. One that does not answer is asked again for about a day.
 */
export const syncRcv = declareJob<SyncOrder>({
  name: 'rcv.sync',
  type: 'rcv_sync',
  max_attempts: SYNC_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  lane_concurrency: 1,
})

/** Has the last three months read, every day. */
export const sweepRcv = declareJob<Record<string, never>>({
  name: 'rcv.sweep',
  max_attempts: 1_000,
})

export interface TellOrder {
  readonly entry_ids: readonly string[]
}

/** Tells the SII what was decided here about purchases. */
export const tellRcv = declareJob<TellOrder>({
  name: 'rcv.tell',
  max_attempts: 20,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  lane_concurrency: 1,
})
