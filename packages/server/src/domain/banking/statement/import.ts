import { advance } from '../../../kernel/advance.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { recordProgress } from '../../../kernel/job-progress.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { mergeDuplicates } from '../movement/duplicate/merge.ts'
import { countImported, recordBatch } from '../movement/ingest/record.ts'
import { requestReview } from '../movement/review/request.ts'
import { IMPORT_ATTEMPTS, type ImportOrder } from './jobs.ts'
import { statementMachine } from './machine.ts'
import { type StatementRow, showStatement } from './show.ts'
import { findFile, findStatement, recordEnd, type StoredFile } from './store.ts'
import { removeUndone } from './undo.ts'

/**
 * Writes each batch in a transaction of its own. No two batches of a file write the same row. Batches that a dead run
 * left behind are known, so nothing counts twice.
 */
async function writeBatches(
  ctx: JobContext,
  scope: EmpresaScope,
  statement_id: string,
  { bytes, options }: StoredFile,
): Promise<void> {
  const source = { type: 'statement', id: statement_id } as const
  let rows_done = 0
  for (const batch of await ctx.ports.statements.read(scope.account_id, bytes, options)) {
    await ctx.transact((tx) => recordBatch(tx.sql, scope, source, { ...batch, may_change: false }, tx.now()))
    rows_done += batch.rows
    await recordProgress(ctx.sql, ctx.job_id, { statement_id, rows_done })
  }
}

async function finish(tx: JobTransaction, scope: EmpresaScope, statement: StatementRow): Promise<object> {
  const { id: statement_id, rows, first_date: from, last_date: to } = statement
  await mergeDuplicates(tx.sql, scope, { type: 'statement', id: statement_id }, { from, to }, tx.now())
  const imported = await countImported(tx.sql, scope, statement_id)
  const duplicates = rows - imported
  const { transition } = await advance(tx.sql, statementMachine, scope, statement_id, 'imported')
  const row = await recordEnd(tx.sql, scope, statement_id, { imported, duplicates, imported_at: tx.now() })
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  await requestReview(tx, scope)
  if (transition.event) tx.emit({ type: transition.event, object: showStatement(row), empresa })
  return { statement_id, rows, imported, duplicates, skipped: row.skipped }
}

async function fail(ctx: JobContext, scope: EmpresaScope, statement_id: string, message: string): Promise<never> {
  const failure = { code: 'statement_unreadable', message } as const
  await ctx.transact(async (tx) => {
    await advance(tx.sql, statementMachine, scope, statement_id, 'failed')
    await recordEnd(tx.sql, scope, statement_id, {
      failure,
      imported: await countImported(tx.sql, scope, statement_id),
    })
  })
  throw new GiveUp(failure.code, failure.message)
}

/** Imports the movements of a cartola from the file that was saved with it. */
export async function importMovements(ctx: JobContext, { statement_id }: ImportOrder): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const statement = empresa && (await findStatement(ctx.sql, empresa.scope, statement_id))
  if (!statement) return 'done'
  const { scope } = empresa
  if (statement.status !== 'importing') {
    const { rows, imported, duplicates, skipped } = statement
    return { done: { statement_id, rows, imported, duplicates, skipped } }
  }
  try {
    const file = await findFile(ctx.sql, scope, statement_id)
    if (!file) throw new Error('the file of a cartola that waits to be imported is gone')
    // Lines of a cartola that was just undone are new again, not duplicates.
    await removeUndone(ctx, scope)
    await writeBatches(ctx, scope, statement_id, file)
    return { done: await ctx.transact((tx) => finish(tx, scope, statement)) }
  } catch (error) {
    if (error instanceof Problem) return fail(ctx, scope, statement_id, error.message)
    if (ctx.attempt < IMPORT_ATTEMPTS) throw error
    return fail(ctx, scope, statement_id, 'The cartola could not be brought in; upload it again.')
  }
}
