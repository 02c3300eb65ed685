import type { BankFailure } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { requestReview } from '../movement/review/request.ts'
import { advanceConnection } from './advance.ts'
import type { LinkedConnection, SyncCounts } from './import-account.ts'
import { isLinked } from './machine.ts'
import { FAILURE_CODES } from './problems.ts'
import type { ConnectedAccount } from './schema.ts'
import { type ConnectionRow, showConnection } from './show.ts'
import { allowRefresh, countFailure, findConnection, recordSync } from './store.ts'

/** Whether it is still the link that was read: somebody may have deleted it meanwhile, or linked the bank anew. */
function isSameLink(locked: ConnectionRow, read: ConnectionRow): boolean {
  return isLinked(locked.status) && locked.link_id === read.link_id
}

function latest(one: string | null, other: string | null | undefined): string | null {
  return (one ?? '') > (other ?? '') ? one : (other ?? null)
}

/** Another sync may have ended meanwhile: the later day of both counts. */
function merged(read: readonly ConnectedAccount[], known: readonly ConnectedAccount[]): ConnectedAccount[] {
  return read.map((account) => {
    const other = known.find(({ id }) => id === account.id)
    return { ...account, last_post_date: latest(account.last_post_date, other?.last_post_date) }
  })
}

export interface SyncResult {
  readonly accounts: readonly ConnectedAccount[]
  readonly counts: SyncCounts
  /** Whether the refresh was made for this sync. */
  readonly ends_refresh: boolean
}

/** Records a successful sync, and emits it where it brought anything. */
export async function finishSync(ctx: JobContext, { scope, row }: LinkedConnection, result: SyncResult): Promise<void> {
  const { counts } = result
  await ctx.transact(async (tx) => {
    const locked = await findConnection(tx.sql, scope, row.id, { lock: true })
    if (!locked || !isSameLink(locked, row)) return
    const synced = await recordSync(tx.sql, scope, row.id, merged(result.accounts, locked.accounts), tx.now())
    const ends = result.ends_refresh && locked.status === 'refreshing'
    const shown = ends ? await advanceConnection(tx, scope, locked, 'refresh_ended') : synced
    // A retry finds nothing new because the attempt before it already saved its pages: it counts as news all the same.
    const has_news = counts.imported + counts.changed + counts.removed > 0 || ctx.attempt > 1
    if (!has_news) return
    await requestReview(tx, scope)
    const empresa = { id: scope.empresa_id, rut: scope.rut }
    const object = showConnection(shown)
    const previous_attributes = previousAttributes(showConnection(locked), object) ?? {}
    tx.emit({ type: 'connection.synced', object, empresa, previous_attributes, detail: { ...counts } })
  })
}

export interface SyncFailure {
  readonly failure: BankFailure
  /** Whether a refresh may be requested at once. Not where a sync still waits for one: it would never end. */
  readonly again: boolean
}

/** Counts a failure. When the bank wants the person again, syncs rest until somebody reconnects. */
export async function recordFailure(
  ctx: JobContext,
  { scope, row }: LinkedConnection,
  failed: SyncFailure,
): Promise<void> {
  const { reason } = failed.failure
  await ctx.transact(async (tx) => {
    const locked = await findConnection(tx.sql, scope, row.id, { lock: true })
    if (!locked || !isSameLink(locked, row)) return
    await countFailure(tx.sql, scope, row.id, { code: FAILURE_CODES[reason], at: tx.now().toISOString() })
    if (failed.again) await allowRefresh(tx.sql, scope, row.id)
    if (reason === 'rejected' || reason === 'gone') await advanceConnection(tx, scope, locked, 'credentials_refused')
    else if (locked.status === 'refreshing') await advanceConnection(tx, scope, locked, 'refresh_ended')
  })
}
