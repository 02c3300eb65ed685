import { declareJob } from '../../../kernel/job.ts'

export const SYNC_ATTEMPTS = 8

/**
 * Reads a period of the register. A lane of an empresa is read one period at a time: the SII limits how fast it may be
 * asked. One that does not answer is asked again for about a day.
 */
export const syncRcv = declareJob<{ readonly period: string }>({
  name: 'rcv.sync',
  type: 'rcv_sync',
  max_attempts: SYNC_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  lane_concurrency: 1,
})

/** Requests the last three months, every day. */
export const syncRcvDaily = declareJob<Record<string, never>>({
  name: 'rcv.sweep',
  max_attempts: 1_000,
})

/** Sends the SII what was decided here about purchases. */
export const sendRcvDecisions = declareJob<{ readonly entry_ids: readonly string[] }>({
  name: 'rcv.tell',
  max_attempts: 20,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  lane_concurrency: 1,
})
