import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { lockForUndo, undoStatement } from '../movement/ingest/undo.ts'
import { requestReview } from '../movement/review/request.ts'
import type { StatementPath } from './schema.ts'
import { deleteStatementRow, findStatement, inheritCounts } from './store.ts'

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

/** Undoes a cartola: whatever it alone brought goes. Refused where somebody decided about one of its movements since. */
export async function deleteStatement(ctx: EmpresaContext, { statement_id }: StatementPath): Promise<null> {
  const { sql, empresa } = ctx
  await requireUndoable(ctx, statement_id)
  const { decided, handed_over } = await undoStatement(sql, empresa, statement_id, ctx.now())
  if (decided.length > 0) throw inUse({ reason: 'matched', movement_ids: decided })
  for (const [heir, count] of handed_over) await inheritCounts(sql, empresa, heir, count)
  await deleteStatementRow(sql, empresa, statement_id)
  await requestReview(ctx, empresa)
  return null
}
