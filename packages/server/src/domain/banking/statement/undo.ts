import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { lockForUndoBatch, undoBatch } from '../movement/ingest/undo.ts'
import { requestReview } from '../movement/review/request.ts'
import type { UndoOrder } from './jobs.ts'
import { deleteStatementRow, inheritCounts, listUndone } from './store.ts'

/** Removes a batch of what an undone cartola left; true once nothing is left, not even the cartola. */
export async function removeBatch(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  statement_id: string,
): Promise<boolean> {
  const { handed_over, is_last } = await undoBatch(tx.sql, scope, statement_id, tx.now())
  for (const { id, count } of handed_over) await inheritCounts(tx.sql, scope, id, count)
  if (!is_last) return false
  await deleteStatementRow(tx.sql, scope, statement_id)
  await requestReview(tx, scope)
  return true
}

/** Removes what all undone cartolas of an empresa left, each batch in a transaction of its own: a kill loses nothing. */
export async function removeUndone(ctx: Pick<JobContext, 'sql' | 'transact'>, scope: EmpresaScope): Promise<void> {
  for (const statement_id of await listUndone(ctx.sql, scope)) {
    let is_done = false
    while (!is_done) {
      is_done = await ctx.transact(async (tx) => {
        await lockForUndoBatch(tx.sql, scope)
        return removeBatch(tx, scope, statement_id)
      })
    }
  }
}

/** Handles the undo job. Another one, or an import that came meanwhile, may have done the work. */
export async function removeQueued(ctx: JobContext, _: UndoOrder): Promise<'done'> {
  const empresa = await jobEmpresa(ctx)
  if (empresa) await removeUndone(ctx, empresa.scope)
  return 'done'
}
