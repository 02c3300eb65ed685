import { addDays, santiagoDate } from '@timbre/dte/values'
import { BANK } from '../../../catalog/bank.ts'
import { GiveUp } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BankMovement, LinkedQuestion } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { mergeDuplicates } from '../movement/duplicate/merge.ts'
import { bankIn } from '../movement/ingest/account.ts'
import { knownIds, recordMovements, removeMovements } from '../movement/ingest/record.ts'
import { labelOf } from './accounts.ts'
import { isLinked } from './machine.ts'
import type { ConnectedAccount } from './schema.ts'
import type { ConnectionRow } from './show.ts'
import { findConnection } from './store.ts'

/** The counts of a sync, as the job and the event report them. */
export interface SyncCounts {
  readonly imported: number
  readonly duplicates: number
  readonly changed: number
  readonly removed: number
}

export const NO_COUNTS: SyncCounts = { imported: 0, duplicates: 0, changed: 0, removed: 0 }

export function addCounts(one: SyncCounts, other: SyncCounts): SyncCounts {
  return {
    imported: one.imported + other.imported,
    duplicates: one.duplicates + other.duplicates,
    changed: one.changed + other.changed,
    removed: one.removed + other.removed,
  }
}

/** Movements that another source had brought count as duplicates and not as imported. */
function without({ imported, duplicates }: SyncCounts, merged: number): Pick<SyncCounts, 'imported' | 'duplicates'> {
  const known = Math.min(imported, merged)
  return { imported: imported - known, duplicates: duplicates + known }
}

/** Banks date an evening's movements on the next working day. */
const AHEAD_DAYS = 8

export interface LinkedConnection {
  readonly scope: EmpresaScope
  readonly row: ConnectionRow
  readonly question: LinkedQuestion
}

interface Days {
  readonly since: string
  readonly until: string
}

function daysOf(account: ConnectedAccount, today: string, since: string | null): Days {
  const { last_post_date } = account
  const usual = last_post_date ? addDays(last_post_date, -BANK.overlap_days) : addDays(today, -BANK.first_days)
  return { since: since !== null && since < usual ? since : usual, until: addDays(today, AHEAD_DAYS) }
}

const pagesOf = (ctx: JobContext, { scope, question }: LinkedConnection, account: ConnectedAccount, days: Days) =>
  ctx.ports.bank[scope.mode].movements({ ...question, account, ...days })

/** Somebody may delete the connection, or link it anew, while its bank is being read: nothing may be saved after that. */
export async function requireStillLinked(tx: Pick<JobContext, 'sql'>, { scope, row }: LinkedConnection): Promise<void> {
  const now = await findConnection(tx.sql, scope, row.id, { lock: true })
  if (!now || !isLinked(now.status) || now.link_id !== row.link_id)
    throw new GiveUp('connection_status_conflict', 'The connection is not linked any more.')
}

async function savePage(
  ctx: JobContext,
  linked: LinkedConnection,
  bank_account: string,
  page: readonly BankMovement[],
): Promise<SyncCounts> {
  const { institution } = linked.row
  const bank = bankIn(`${institution?.id} ${institution?.name}`)
  const lines = page.map(({ id, ...line }) => ({ ...line, external_id: id, bank_account, bank }))
  return ctx.transact(async (tx) => {
    await requireStillLinked(tx, linked)
    const source = { type: 'connection', id: linked.row.id } as const
    const { imported, duplicates, changed } = await recordMovements(tx.sql, linked.scope, source, lines, tx.now())
    return { imported, duplicates, changed, removed: 0 }
  })
}

/**
 * Removes movements that the bank listed before and lists no more: it took them back. Pages shift while they are read,
 * so a movement can slip through between two of them: the list is read once more before anything is removed.
 */
async function removeMissing(
  ctx: JobContext,
  linked: LinkedConnection,
  account: ConnectedAccount,
  days: Days,
  listed: ReadonlySet<string>,
): Promise<number> {
  const { scope, row } = linked
  const source = { type: 'connection', id: row.id } as const
  const before = await knownIds(ctx.sql, scope, source, labelOf(row, account), days)
  const missing = new Set(before.filter((id) => !listed.has(id)))
  if (missing.size === 0) return 0
  for await (const page of pagesOf(ctx, linked, account, days)) for (const { id } of page) missing.delete(id)
  return ctx.transact(async (tx) => {
    await requireStillLinked(tx, linked)
    return removeMovements(tx.sql, scope, source, [...missing], tx.now())
  })
}

/** Merges movements that a cartola, or an earlier link to the same account, had brought; gives how many there were. */
function mergeWithOthers(
  ctx: JobContext,
  linked: LinkedConnection,
  days: { readonly from: string; readonly to: string },
) {
  const { scope, row } = linked
  return ctx.transact((tx) => mergeDuplicates(tx.sql, scope, { type: 'connection', id: row.id }, days, tx.now()))
}

/** Imports the movements of one account: each page is saved before the next is fetched. */
export async function importAccount(
  ctx: JobContext,
  linked: LinkedConnection,
  account: ConnectedAccount,
  since: string | null = null,
): Promise<{ counts: SyncCounts; account: ConnectedAccount }> {
  if (account.not_read !== null) return { counts: NO_COUNTS, account }
  const today = santiagoDate(ctx.now())
  const days = daysOf(account, today, since)
  const listed = new Set<string>()
  let counts = NO_COUNTS
  let last = account.last_post_date ?? ''
  for await (const page of pagesOf(ctx, linked, account, days)) {
    counts = addCounts(counts, await savePage(ctx, linked, labelOf(linked.row, account), page))
    for (const { id, post_date } of page) {
      listed.add(id)
      if (post_date > last && post_date <= today) last = post_date
    }
  }
  const removed = await removeMissing(ctx, linked, account, days, listed)
  // A former attempt that was cut off saved its pages, and may not have merged them.
  const has_news = counts.imported + counts.changed + removed > 0 || ctx.attempt > 1
  const merged = has_news ? await mergeWithOthers(ctx, linked, { from: days.since, to: days.until }) : 0
  return {
    counts: { ...counts, removed, ...without(counts, merged) },
    account: { ...account, last_post_date: last === '' ? null : last },
  }
}
