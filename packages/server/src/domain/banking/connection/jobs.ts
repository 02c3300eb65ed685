import { declareJob } from '../../../kernel/job.ts'
import type { BankNotice } from '../../../ports/bank.ts'

export interface SyncOrder {
  readonly connection_id: string
  /** Whether the bank itself is asked anew first. The reading that follows a linking finds the bank just read. */
  readonly refresh: boolean
}

export const SYNC_ATTEMPTS = 5

/** Reads the movements of a connection. One that waits for the bank looks again soon; one that fails, some times more. */
export const syncConnection = declareJob<SyncOrder>({
  name: 'connection.sync',
  type: 'connection_sync',
  max_attempts: SYNC_ATTEMPTS,
  backoff_seconds: [5, 60, 300, 900],
  every_seconds: [2, 5, 10, 20, 30],
  lane_concurrency: 1,
})

export interface SweepOrder {
  readonly connection_id: string
}

/** Has a connection read every day. */
export const sweepConnection = declareJob<SweepOrder>({
  name: 'connection.sweep',
  max_attempts: 1_000,
})

export interface ForgetOrder {
  readonly connection_id: string
  /** The token of the link, still sealed. Its row goes with the job. */
  readonly sealed: string
}

/** Has the provider forget a link. Asked for days: a link that stays would go on reading somebody's bank. */
export const forgetLink = declareJob<ForgetOrder>({
  name: 'connection.forget',
  max_attempts: 30,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400],
  delete_on_success: true,
})

export interface HeedOrder {
  readonly connection_id: string
  readonly notice: BankNotice
}

/** Does what a notice of the provider asks for. */
export const heedNotice = declareJob<HeedOrder>({
  name: 'connection.heed',
  max_attempts: 6,
  backoff_seconds: [5, 60, 300, 900, 3_600],
  lane_concurrency: 1,
  delete_on_success: true,
})
