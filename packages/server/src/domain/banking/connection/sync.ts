import { BANK } from '../../../catalog/bank.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { Problem } from '../../../kernel/problem.ts'
import { BankFailure } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { keptAccounts } from './accounts.ts'
import { endReading, noteTrouble } from './end-reading.ts'
import { SYNC_ATTEMPTS, type SyncOrder } from './jobs.ts'
import { isLinked } from './machine.ts'
import { moveConnection } from './move.ts'
import { FAILURE_CODES, FAILURE_SENTENCES } from './problems.ts'
import { added, NOTHING_READ, type Reading, readAccount, requireStillLinked, type Tally } from './read-account.ts'
import type { ConnectedAccount } from './schema.ts'
import { findConnection } from './store.ts'
import { noteRefresh } from './sync-store.ts'
import { openToken } from './token.ts'

/** What is read, or null where nothing is: the empresa is gone or archived, or its bank is not linked. */
export async function readingOf(ctx: JobContext, connection_id: string): Promise<Reading | null> {
  const empresa = await empresaOfJob(ctx)
  const row = empresa && (await findConnection(ctx.sql, empresa.scope, connection_id))
  if (!empresa || !row || !isLinked(row.status) || row.link_token === null) return null
  const { scope } = empresa
  if (empresa.row.status !== 'active') return null
  const link_token = openToken(ctx.ports.vault, row.id, row.link_token)
  return { scope, row, question: { empresa: scope, connection_id, link_token, at: ctx.now() } }
}

/** Has the bank itself asked anew, where it may be. Whether what the provider holds can be read now. */
async function isFresh(ctx: JobContext, reading: Reading, { refresh }: SyncOrder): Promise<boolean> {
  const { scope, row, question } = reading
  const bank = ctx.ports.bank[scope.mode]
  const now = ctx.now()
  // A bank that was just linked is read by the provider unasked; before that it may not even know the accounts.
  const since = row.status === 'refreshing' ? row.refresh_asked_at : refresh ? null : row.linked_at
  if (since !== null) {
    return now >= secondsFrom(since, BANK.patience_seconds) || !(await bank.isRefreshing(question))
  }
  const next = row.next_refresh_allowed_at
  if (next !== null && next > now) return true
  // Written before it is asked: a refresh that nobody remembers would be asked for again too soon.
  await ctx.transact(async (tx) => {
    await requireStillLinked(tx, reading)
    const next_at = secondsFrom(now, BANK.refresh_seconds)
    await noteRefresh(tx.sql, scope, row.id, { asked_at: now, next_at })
    await moveConnection(tx, scope, row.id, 'refresh_began')
  })
  return (await bank.refresh(question)) !== 'started'
}

async function readAll(ctx: JobContext, reading: Reading): Promise<Tally> {
  const { scope, row, question } = reading
  const found = keptAccounts(await ctx.ports.bank[scope.mode].accounts(question), row.accounts)
  const accounts: ConnectedAccount[] = []
  let tally = NOTHING_READ
  for (const one of found) {
    const read = await readAccount(ctx, reading, one)
    accounts.push(read.account)
    tally = added(tally, read.tally)
  }
  await endReading(ctx, reading, { accounts, tally, ends_refresh: true })
  return tally
}

/** What no other try can mend. */
const FINAL = new Set(['refused', 'rejected', 'gone'])

/** Reads a bank with no transaction open, and keeps what it finds page by page. */
export async function runSync(ctx: JobContext, order: SyncOrder): Promise<JobOutcome> {
  const reading = await readingOf(ctx, order.connection_id)
  if (!reading) throw new GiveUp('connection_status_conflict', 'The connection is not linked any more.')
  try {
    return (await isFresh(ctx, reading, order)) ? { done: await readAll(ctx, reading) } : 'not_yet'
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error
    await noteTrouble(ctx, reading, { failure: error, again: true })
    const message = FAILURE_SENTENCES[error.reason]
    if (FINAL.has(error.reason) || ctx.attempt >= SYNC_ATTEMPTS) throw new GiveUp(FAILURE_CODES[error.reason], message)
    throw new Problem('bank_unreachable', { message })
  }
}
