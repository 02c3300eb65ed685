import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { decidedOf, lockForUndo } from '../movement/ingest/undo.ts'
import { undoStatement } from './jobs.ts'
import type { StatementPath } from './schema.ts'
import { findStatement, markUndone } from './store.ts'
import { removeBatch } from './undo.ts'

const inUse = (details: Readonly<Record<string, unknown>>) => new Problem('statement_in_use', { details })

/** Locks out imports of the empresa; refuses a cartola that is missing or cannot be undone now. */
async function requireUndoable({ sql, empresa }: EmpresaContext, statement_id: string): Promise<void> {
  const missing = new Problem('statement_not_found')
  if (!(await findStatement(sql, empresa, statement_id))) throw missing
  if (!(await lockForUndo(sql, empresa))) throw inUse({ reason: 'busy' })
  const row = await findStatement(sql, empresa, statement_id)
  if (!row) throw missing
  if (row.status === 'importing') throw inUse({ reason: 'importing' })
}

/**
 * Undoes a cartola: whatever it alone brought goes. Refused where somebody decided about one of its movements since. The
 * mark hides all of it at once; a cartola of ordinary size is removed here, and what a large one leaves by a job.
 */
export async function deleteStatement(ctx: EmpresaContext, { statement_id }: StatementPath): Promise<null> {
  const { sql, empresa } = ctx
  await requireUndoable(ctx, statement_id)
  await markUndone(sql, empresa, statement_id, ctx.now())
  const decided = await decidedOf(sql, empresa, statement_id)
  if (decided.length > 0) throw inUse({ reason: 'matched', movement_ids: decided })
  const { empresa_id } = empresa
  if (!(await removeBatch(ctx, empresa, statement_id)))
    await ctx.enqueue(undoStatement, { payload: { statement_id }, key: statement_id, empresa_id, lane: empresa_id })
  return null
}
