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

/** What a reading found, as the job and the event tell it. */
export interface Tally {
  readonly imported: number
  readonly duplicates: number
  readonly changed: number
  readonly removed: number
}

export const NOTHING_READ: Tally = { imported: 0, duplicates: 0, changed: 0, removed: 0 }

export function added(one: Tally, other: Tally): Tally {
  return {
    imported: one.imported + other.imported,
    duplicates: one.duplicates + other.duplicates,
    changed: one.changed + other.changed,
    removed: one.removed + other.removed,
  }
}

/** What turned out to be known from elsewhere was not imported. */
function without({ imported, duplicates }: Tally, merged: number): Pick<Tally, 'imported' | 'duplicates'> {
  const known = Math.min(imported, merged)
  return { imported: imported - known, duplicates: duplicates + known }
}

/** Banks count on the next working day what comes in the evening. */
const AHEAD_DAYS = 8

export interface Reading {
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

const pagesOf = (ctx: JobContext, { scope, question }: Reading, account: ConnectedAccount, days: Days) =>
  ctx.ports.bank[scope.mode].movements({ ...question, account, ...days })

/** Somebody may delete the connection, or link it anew, while a bank is being read: what comes after that is not kept. */
export async function requireStillLinked(tx: Pick<JobContext, 'sql'>, { scope, row }: Reading): Promise<void> {
  const now = await findConnection(tx.sql, scope, row.id, { hold: true })
  if (!now || !isLinked(now.status) || now.link_id !== row.link_id)
    throw new GiveUp('connection_status_conflict', 'The connection is not linked any more.')
}

async function keepPage(
  ctx: JobContext,
  reading: Reading,
  bank_account: string,
  page: readonly BankMovement[],
): Promise<Tally> {
  const { institution } = reading.row
  const bank = bankIn(`${institution?.id} ${institution?.name}`)
  const lines = page.map(({ id, ...line }) => ({ ...line, external_id: id, bank_account, bank }))
  return ctx.transact(async (tx) => {
    await requireStillLinked(tx, reading)
    const source = { type: 'connection', id: reading.row.id } as const
    const { imported, duplicates, changed } = await recordMovements(tx.sql, reading.scope, source, lines, tx.now())
    return { imported, duplicates, changed, removed: 0 }
  })
}

/**
 * What the bank told before and tells no more was taken back. Pages shift while they are read, so one movement can
 * slip through between two of them: what is missing is looked for once more before it is believed.
 */
async function removeUntold(
  ctx: JobContext,
  reading: Reading,
  account: ConnectedAccount,
  days: Days,
  told: ReadonlySet<string>,
): Promise<number> {
  const { scope, row } = reading
  const source = { type: 'connection', id: row.id } as const
  const before = await knownIds(ctx.sql, scope, source, labelOf(row, account), days)
  const missing = new Set(before.filter((id) => !told.has(id)))
  if (missing.size === 0) return 0
  for await (const page of pagesOf(ctx, reading, account, days)) for (const { id } of page) missing.delete(id)
  return ctx.transact(async (tx) => {
    await requireStillLinked(tx, reading)
    return removeMovements(tx.sql, scope, source, [...missing], tx.now())
  })
}

/** What a cartola, or an earlier link to the same account, told before is not there twice. Gives how many there were. */
function mergeTold(ctx: JobContext, reading: Reading, days: { readonly from: string; readonly to: string }) {
  const { scope, row } = reading
  return ctx.transact((tx) => mergeDuplicates(tx.sql, scope, { type: 'connection', id: row.id }, days, tx.now()))
}

/** Reads the movements of one account, page by page: each is kept before the next is asked for. */
export async function readAccount(
  ctx: JobContext,
  reading: Reading,
  account: ConnectedAccount,
  since: string | null = null,
): Promise<{ tally: Tally; account: ConnectedAccount }> {
  if (account.not_read !== null) return { tally: NOTHING_READ, account }
  const today = santiagoDate(ctx.now())
  const days = daysOf(account, today, since)
  const told = new Set<string>()
  let tally = NOTHING_READ
  let last = account.last_post_date ?? ''
  for await (const page of pagesOf(ctx, reading, account, days)) {
    tally = added(tally, await keepPage(ctx, reading, labelOf(reading.row, account), page))
    for (const { id, post_date } of page) {
      told.add(id)
      if (post_date > last && post_date <= today) last = post_date
    }
  }
  const removed = await removeUntold(ctx, reading, account, days, told)
  // A reading that was cut off kept its pages, and may not have come so far.
  const news = tally.imported + tally.changed + removed > 0 || ctx.attempt > 1
  const merged = news ? await mergeTold(ctx, reading, { from: days.since, to: days.until }) : 0
  return {
    tally: { ...tally, removed, ...without(tally, merged) },
    account: { ...account, last_post_date: last === '' ? null : last },
  }
}
