import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { BankFailure, type BankNotice } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { removeMovements } from '../movement/ingest/record.ts'
import { finishSync, recordFailure } from './finish-sync.ts'
import {
  addCounts,
  importAccount,
  type LinkedConnection,
  NO_COUNTS,
  requireStillLinked,
  type SyncCounts,
} from './import-account.ts'
import type { ApplyNoticeOrder } from './jobs.ts'
import type { ConnectedAccount } from './schema.ts'
import { openLinked } from './sync.ts'

/** Imports again what a notice is about. The provider counts changes since its refresh, not since our sync: a window is read. */
async function importAgain(ctx: JobContext, linked: LinkedConnection, account_id: string | null, since: string | null) {
  const accounts: ConnectedAccount[] = []
  let counts: SyncCounts = NO_COUNTS
  for (const one of linked.row.accounts) {
    const meant = account_id === null || one.id === account_id
    const read = meant ? await importAccount(ctx, linked, one, since) : { counts: NO_COUNTS, account: one }
    accounts.push(read.account)
    counts = addCounts(counts, read.counts)
  }
  await finishSync(ctx, linked, { accounts, counts, ends_refresh: false })
}

async function remove(ctx: JobContext, linked: LinkedConnection, movement_ids: readonly string[]): Promise<void> {
  const { scope, row } = linked
  const removed = await ctx.transact(async (tx) => {
    await requireStillLinked(tx, linked)
    return removeMovements(tx.sql, scope, { type: 'connection', id: row.id }, movement_ids, tx.now())
  })
  await finishSync(ctx, linked, { accounts: row.accounts, counts: { ...NO_COUNTS, removed }, ends_refresh: false })
}

/** A notice from before the person linked the bank again must not disconnect it. */
function isOutdated({ told_at }: BankNotice, { row }: LinkedConnection): boolean {
  return told_at !== null && row.linked_at !== null && new Date(told_at) < row.linked_at
}

async function applyTo(ctx: JobContext, linked: LinkedConnection, notice: BankNotice): Promise<void> {
  if (notice.kind === 'rejected' || notice.kind === 'refresh_failed') {
    if (isOutdated(notice, linked)) return
    const failure = new BankFailure(notice.kind, 'the provider said so by itself')
    await recordFailure(ctx, linked, { failure, again: false })
  } else if (notice.kind === 'removed' && notice.movement_ids.length > 0) {
    await remove(ctx, linked, notice.movement_ids)
  } else if (notice.kind !== 'other') {
    await importAgain(ctx, linked, notice.account_id, notice.kind === 'modified' ? notice.since : null)
  }
}

/** Handles the job. Twice does no harm: known movements are kept once, removed ones stay removed. */
export async function applyBankNotice(
  ctx: JobContext,
  { connection_id, notice }: ApplyNoticeOrder,
): Promise<JobOutcome> {
  const linked = await openLinked(ctx, connection_id)
  if (!linked) return 'done'
  try {
    await applyTo(ctx, linked, notice)
  } catch (error) {
    if (error instanceof GiveUp) return 'done'
    if (!(error instanceof BankFailure)) throw error
    await recordFailure(ctx, linked, { failure: error, again: false })
    if (error.reason === 'unreachable' || error.reason === 'unreadable') throw error
  }
  return 'done'
}
