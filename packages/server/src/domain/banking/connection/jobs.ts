import { declareJob } from '../../../kernel/job.ts'
import type { BankNotice } from '../../../ports/bank.ts'

export interface SyncOrder {
  readonly connection_id: string
  /** Whether the provider reads the bank anew first. Right after linking it has just done so. */
  readonly refresh: boolean
}

export const SYNC_ATTEMPTS = 5

/** Imports the movements of a connection. It polls soon while the bank is being read, and backs off after a failure. */
export const syncConnection = declareJob<SyncOrder>({
  name: 'connection.sync',
  type: 'connection_sync',
  max_attempts: SYNC_ATTEMPTS,
  backoff_seconds: [5, 60, 300, 900],
  every_seconds: [2, 5, 10, 20, 30],
  lane_concurrency: 1,
})

export interface SyncDailyOrder {
  readonly connection_id: string
}

/** Enqueues a sync of a connection every day. */
export const syncDaily = declareJob<SyncDailyOrder>({
  name: 'connection.sweep',
  max_attempts: 1_000,
})

export interface RevokeLinkOrder {
  readonly connection_id: string
  /** The token of the link, still sealed: the row of the connection no longer has it. */
  readonly sealed: string
}

/** Revokes a link at the provider. Retried for days: a link that stays would go on reading somebody's bank. */
export const revokeLink = declareJob<RevokeLinkOrder>({
  name: 'connection.forget',
  max_attempts: 30,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400],
  delete_on_success: true,
})

export interface ApplyNoticeOrder {
  readonly connection_id: string
  readonly notice: BankNotice
}

/** Applies a notice of the provider. */
export const applyNotice = declareJob<ApplyNoticeOrder>({
  name: 'connection.heed',
  max_attempts: 6,
  backoff_seconds: [5, 60, 300, 900, 3_600],
  lane_concurrency: 1,
  delete_on_success: true,
})
