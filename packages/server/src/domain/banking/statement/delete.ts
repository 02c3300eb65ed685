import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { mayUndo, undoStatement } from '../movement/undo.ts'
import { askForReview } from '../review/ask.ts'
import type { StatementPath } from './schema.ts'
import { dropStatement, findStatement, inherit } from './store.ts'

const inUse = (details: Readonly<Record<string, unknown>>) => new Problem('statement_in_use', { details })

/** Refuses what is not there or cannot be undone now, and keeps other cartolas of the empresa out meanwhile. */
async function hold({ sql, empresa }: EmpresaContext, statement_id: string): Promise<void> {
  const missing = new Problem('statement_not_found')
  if (!(await findStatement(sql, empresa, statement_id))) throw missing
  if (!(await mayUndo(sql, empresa))) throw inUse({ reason: 'busy' })
  const row = await findStatement(sql, empresa, statement_id)
  if (!row) throw missing
  if (row.status === 'importing') throw inUse({ reason: 'importing' })
}

/** Undoes a cartola: whatever it alone brought goes. Nothing is undone that somebody decided about since. */
export async function deleteStatement(ctx: EmpresaContext, { statement_id }: StatementPath): Promise<null> {
  const { sql, empresa } = ctx
  await hold(ctx, statement_id)
  const { decided, handed_over } = await undoStatement(sql, empresa, statement_id, ctx.now())
  if (decided.length > 0) throw inUse({ reason: 'matched', movement_ids: decided })
  for (const [heir, count] of handed_over) await inherit(sql, empresa, heir, count)
  await dropStatement(sql, empresa, statement_id)
  await askForReview(ctx, empresa)
  return null
}
