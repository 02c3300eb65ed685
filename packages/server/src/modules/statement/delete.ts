import type { EmpresaContext } from '../../kernel/context.ts'
import { Problem } from '../../kernel/problem.ts'
import { undoStatement } from '../movement/undo.ts'
import { askForReview } from '../movement-review/ask.ts'
import type { StatementPath } from './schema.ts'
import { dropStatement, inherit, lockStatement } from './store.ts'

/** Undoes a cartola: whatever it alone brought goes. Nothing is undone that somebody decided about since. */
export async function deleteStatement(ctx: EmpresaContext, { statement_id }: StatementPath): Promise<null> {
  const { sql, empresa } = ctx
  const row = await lockStatement(sql, empresa, statement_id)
  if (!row) throw new Problem('statement_not_found')
  if (row.status === 'importing') throw new Problem('statement_in_use', { details: { reason: 'importing' } })
  const { decided, handed_over } = await undoStatement(sql, empresa, statement_id, ctx.now())
  if (decided.length > 0) {
    throw new Problem('statement_in_use', { details: { reason: 'matched', movement_ids: decided } })
  }
  for (const [heir, count] of handed_over) await inherit(sql, empresa, heir, count)
  await dropStatement(sql, empresa, statement_id)
  await askForReview(ctx, empresa)
  return null
}
