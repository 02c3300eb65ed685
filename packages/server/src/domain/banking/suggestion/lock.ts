import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { SuggestionRow } from './row.ts'
import { lockSuggestion } from './store.ts'

/** A suggestion to decide about, held until the transaction ends: of two decisions at once one comes second. */
export async function holdOpen(ctx: EmpresaContext, id: string): Promise<SuggestionRow> {
  const row = await lockSuggestion(ctx.sql, ctx.empresa, id)
  if (!row) throw new Problem('suggestion_not_found')
  if (row.status !== 'open') {
    const { status, document_id } = row
    throw new Problem('suggestion_settled', { details: { status }, ...(document_id && { existing_id: document_id }) })
  }
  return row
}
