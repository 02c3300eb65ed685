import type { BankFailure } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { requestReview } from '../movement/review/request.ts'
import { isLinked } from './machine.ts'
import { moveConnection } from './move.ts'
import { FAILURE_CODES } from './problems.ts'
import type { Reading, Tally } from './read-account.ts'
import type { ConnectedAccount } from './schema.ts'
import { type ConnectionRow, showConnection } from './show.ts'
import { findConnection } from './store.ts'
import { allowRefresh, noteFailure, noteSynced } from './sync-store.ts'

/** The very link that was read: somebody may have deleted it meanwhile, or linked the bank anew. */
function isStillIt(held: ConnectionRow, read: ConnectionRow): boolean {
  return isLinked(held.status) && held.link_id === read.link_id
}

function latest(one: string | null, other: string | null | undefined): string | null {
  return (one ?? '') > (other ?? '') ? one : (other ?? null)
}

/** Another reading may have ended meanwhile: the later day of both is what is known. */
function merged(read: readonly ConnectedAccount[], known: readonly ConnectedAccount[]): ConnectedAccount[] {
  return read.map((account) => {
    const other = known.find(({ id }) => id === account.id)
    return { ...account, last_post_date: latest(account.last_post_date, other?.last_post_date) }
  })
}

export interface Ending {
  readonly accounts: readonly ConnectedAccount[]
  readonly tally: Tally
  /** Whether this reading is what the refresh was for. */
  readonly ends_refresh: boolean
}

/** What was read is shown, told, and counts as the last good reading. */
export async function endReading(ctx: JobContext, { scope, row }: Reading, ending: Ending): Promise<void> {
  const { tally } = ending
  await ctx.transact(async (tx) => {
    const held = await findConnection(tx.sql, scope, row.id, { hold: true })
    if (!held || !isStillIt(held, row)) return
    const synced = await noteSynced(tx.sql, scope, row.id, merged(ending.accounts, held.accounts), tx.now())
    const ends = ending.ends_refresh && held.status === 'refreshing'
    const shown = ends ? await moveConnection(tx, scope, row.id, 'refresh_ended') : synced
    // A reading that was cut off kept its pages: whoever takes it up finds nothing new, and still it was news.
    const news = tally.imported + tally.changed + tally.removed > 0 || ctx.attempt > 1
    if (!news) return
    await requestReview(tx, scope)
    const empresa = { id: scope.empresa_id, rut: scope.rut }
    tx.emit({ type: 'connection.synced', object: showConnection(shown), empresa, detail: { ...tally } })
  })
}

export interface Trouble {
  readonly failure: BankFailure
  /** Whether a refresh may be asked for at once. Not where a reading still waits for one: it would ask on and on. */
  readonly again: boolean
}

/** Counts a failure. When the bank wants the person again nothing more is asked of it until somebody reconnects. */
export async function noteTrouble(ctx: JobContext, { scope, row }: Reading, trouble: Trouble): Promise<void> {
  const { reason } = trouble.failure
  await ctx.transact(async (tx) => {
    const held = await findConnection(tx.sql, scope, row.id, { hold: true })
    if (!held || !isStillIt(held, row)) return
    await noteFailure(tx.sql, scope, row.id, { code: FAILURE_CODES[reason], at: tx.now().toISOString() })
    if (trouble.again) await allowRefresh(tx.sql, scope, row.id)
    if (reason === 'rejected' || reason === 'gone') await moveConnection(tx, scope, row.id, 'credentials_refused')
    else if (held.status === 'refreshing') await moveConnection(tx, scope, row.id, 'refresh_ended')
  })
}
