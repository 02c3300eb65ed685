import { setImmediate as turn } from 'node:timers/promises'
import { advance } from '../../../kernel/advance.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { recordProgress } from '../../../kernel/job-progress.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { mergeDuplicates } from '../movement/duplicate/merge.ts'
import type { Occurrences } from '../movement/ingest/line-key.ts'
import { countImported, recordMovements } from '../movement/ingest/record.ts'
import { requestReview } from '../movement/review/request.ts'
import type { MovementLine } from '../movement/row.ts'
import { IMPORT_ATTEMPTS, type ImportOrder } from './jobs.ts'
import { statementMachine } from './machine.ts'
import { openStatement } from './parse/open-statement.ts'
import { type StatementRow, showStatement } from './show.ts'
import { findFile, findStatement, recordEnd, type StoredFile } from './store.ts'
import { removeUndone } from './undo.ts'

const BATCH_ROWS = 4_000
const WRITERS = 2

/** Batches of the size that one statement writes well, whatever size the parser gives them in. */
async function* batchesOf({ bytes, options }: StoredFile): AsyncGenerator<MovementLine[]> {
  let batch: MovementLine[] = []
  for await (const { lines } of (await openStatement(bytes, options)).batches()) {
    batch.push(...lines)
    // Parsing waits for nothing: without this nobody would be answered until a large file is at its end.
    await turn()
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Writes each batch in a transaction of its own while the next ones are parsed. No two batches of a file write the same
 * row. Batches that a dead run left behind are known, so nothing counts twice.
 */
async function writeBatches(
  ctx: JobContext,
  scope: EmpresaScope,
  statement_id: string,
  file: StoredFile,
): Promise<void> {
  const seen: Occurrences = new Map()
  let rows_done = 0
  const write = async (batch: readonly MovementLine[]) => {
    const source = { type: 'statement', id: statement_id } as const
    await ctx.transact((tx) => recordMovements(tx.sql, scope, source, batch, tx.now(), seen))
    rows_done += batch.length
    await recordProgress(ctx.sql, ctx.job_id, { statement_id, rows_done })
  }
  const writing: Promise<void>[] = []
  try {
    for await (const batch of batchesOf(file)) {
      if (writing.length >= WRITERS) await writing.shift()
      const one = write(batch)
      // A failure is thrown where the batch is awaited; until then it must not count as unhandled.
      one.catch(() => undefined)
      writing.push(one)
    }
    await Promise.all(writing)
  } finally {
    await Promise.allSettled(writing)
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
