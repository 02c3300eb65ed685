import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { BankFailure, type BankNotice } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { removeMovements } from '../movement/ingest/record.ts'
import { endReading, noteTrouble } from './end-reading.ts'
import type { HeedOrder } from './jobs.ts'
import { added, NOTHING_READ, type Reading, readAccount, requireStillLinked, type Tally } from './read-account.ts'
import type { ConnectedAccount } from './schema.ts'
import { readingOf } from './sync.ts'

/** Reads again what a notice is about. It counts since the last refresh and not since we last looked: so a window is read. */
async function readAgain(ctx: JobContext, reading: Reading, account_id: string | null, since: string | null) {
  const accounts: ConnectedAccount[] = []
  let tally: Tally = NOTHING_READ
  for (const one of reading.row.accounts) {
    const meant = account_id === null || one.id === account_id
    const read = meant ? await readAccount(ctx, reading, one, since) : { tally: NOTHING_READ, account: one }
    accounts.push(read.account)
    tally = added(tally, read.tally)
  }
  await endReading(ctx, reading, { accounts, tally, ends_refresh: false })
}

async function remove(ctx: JobContext, reading: Reading, movement_ids: readonly string[]): Promise<void> {
  const { scope, row } = reading
  const removed = await ctx.transact(async (tx) => {
    await requireStillLinked(tx, reading)
    return removeMovements(tx.sql, scope, { type: 'connection', id: row.id }, movement_ids, tx.now())
  })
  await endReading(ctx, reading, { accounts: row.accounts, tally: { ...NOTHING_READ, removed }, ends_refresh: false })
}

/** A person who came back since then is not sent away by an old notice. */
function isOutdated({ told_at }: BankNotice, { row }: Reading): boolean {
  return told_at !== null && row.linked_at !== null && new Date(told_at) < row.linked_at
}

async function heed(ctx: JobContext, reading: Reading, notice: BankNotice): Promise<void> {
  if (notice.kind === 'rejected' || notice.kind === 'refresh_failed') {
    if (isOutdated(notice, reading)) return
    const failure = new BankFailure(notice.kind, 'the provider said so by itself')
    await noteTrouble(ctx, reading, { failure, again: false })
  } else if (notice.kind === 'removed' && notice.movement_ids.length > 0) {
    await remove(ctx, reading, notice.movement_ids)
  } else if (notice.kind !== 'other') {
    await readAgain(ctx, reading, notice.account_id, notice.kind === 'modified' ? notice.since : null)
  }
}

/** Does what a notice asks for. Twice does no harm: what is known is kept once, what is gone is gone. */
export async function runHeed(ctx: JobContext, { connection_id, notice }: HeedOrder): Promise<JobOutcome> {
  const reading = await readingOf(ctx, connection_id)
  if (!reading) return 'done'
  try {
    await heed(ctx, reading, notice)
  } catch (error) {
    if (error instanceof GiveUp) return 'done'
    if (!(error instanceof BankFailure)) throw error
    await noteTrouble(ctx, reading, { failure: error, again: false })
    if (error.reason === 'unreachable' || error.reason === 'unreadable') throw error
  }
  return 'done'
}
