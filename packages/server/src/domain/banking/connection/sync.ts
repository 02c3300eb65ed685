import { BANK } from '../../../catalog/bank.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { Problem } from '../../../kernel/problem.ts'
import { BankFailure } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { mergeAccounts } from './accounts.ts'
import { advanceConnection } from './advance.ts'
import { finishSync, recordFailure } from './finish-sync.ts'
import {
  addCounts,
  importAccount,
  type LinkedConnection,
  NO_COUNTS,
  requireStillLinked,
  type SyncCounts,
} from './import-account.ts'
import { SYNC_ATTEMPTS, type SyncOrder } from './jobs.ts'
import { isLinked } from './machine.ts'
import { FAILURE_CODES, FAILURE_SENTENCES } from './problems.ts'
import type { ConnectedAccount } from './schema.ts'
import { findConnection, recordRefresh } from './store.ts'
import { openToken } from './token.ts'

/** The connection with its token open; null where the empresa is gone or archived, or the bank is not linked. */
export async function openLinked(ctx: JobContext, connection_id: string): Promise<LinkedConnection | null> {
  const empresa = await jobEmpresa(ctx)
  const row = empresa && (await findConnection(ctx.sql, empresa.scope, connection_id))
  if (!empresa || !row || !isLinked(row.status) || row.link_token === null) return null
  const { scope } = empresa
  if (empresa.row.status !== 'active') return null
  const link_token = openToken(ctx.ports.vault, row.id, row.link_token)
  return { scope, row, question: { empresa: scope, connection_id, link_token, at: ctx.now() } }
}

/** Refreshes the provider's copy of the bank where that is allowed; false while the refresh runs. */
async function isFresh(ctx: JobContext, linked: LinkedConnection, { refresh }: SyncOrder): Promise<boolean> {
  const { scope, row, question } = linked
  const bank = ctx.ports.bank[scope.mode]
  const now = ctx.now()
  // The provider reads a bank that was just linked by itself; until then it may not even know the accounts.
  const since = row.status === 'refreshing' ? row.refresh_asked_at : refresh ? null : row.linked_at
  if (since !== null) {
    return now >= secondsFrom(since, BANK.patience_seconds) || !(await bank.isRefreshing(question))
  }
  const next = row.next_refresh_allowed_at
  if (next !== null && next > now) return true
  // Recorded before the request: a refresh that nobody remembers would be requested again too soon.
  await ctx.transact(async (tx) => {
    await requireStillLinked(tx, linked)
    const next_at = secondsFrom(now, BANK.refresh_seconds)
    await recordRefresh(tx.sql, scope, row.id, { asked_at: now, next_at })
    await advanceConnection(tx, scope, row, 'refresh_began')
  })
  return (await bank.refresh(question)) !== 'started'
}

async function importAll(ctx: JobContext, linked: LinkedConnection): Promise<SyncCounts> {
  const { scope, row, question } = linked
  const found = mergeAccounts(await ctx.ports.bank[scope.mode].accounts(question), row.accounts)
  const accounts: ConnectedAccount[] = []
  let counts = NO_COUNTS
  for (const one of found) {
    const read = await importAccount(ctx, linked, one)
    accounts.push(read.account)
    counts = addCounts(counts, read.counts)
  }
  await finishSync(ctx, linked, { accounts, counts, ends_refresh: true })
  return counts
}

/** Failures that no retry can mend. */
const FINAL = new Set(['refused', 'rejected', 'gone'])

/** Handles the job: reads the bank with no transaction open, and saves what it finds page by page. */
export async function syncMovements(ctx: JobContext, order: SyncOrder): Promise<JobOutcome> {
  const linked = await openLinked(ctx, order.connection_id)
  if (!linked) throw new GiveUp('connection_status_conflict', 'The connection is not linked any more.')
  try {
    return (await isFresh(ctx, linked, order)) ? { done: await importAll(ctx, linked) } : 'not_yet'
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error
    await recordFailure(ctx, linked, { failure: error, again: true })
    const message = FAILURE_SENTENCES[error.reason]
    if (FINAL.has(error.reason) || ctx.attempt >= SYNC_ATTEMPTS) throw new GiveUp(FAILURE_CODES[error.reason], message)
    throw new Problem('bank_unreachable', { message })
  }
}
