import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { SuggestionPath, SuggestionQuery, TaxSuggestion } from './schema.ts'
import { showSuggestion } from './show.ts'
import { findSuggestion, listSuggestions } from './store.ts'

export async function readSuggestion(ctx: EmpresaContext, { suggestion_id }: SuggestionPath): Promise<TaxSuggestion> {
  const row = await findSuggestion(ctx.sql, ctx.empresa, suggestion_id)
  if (!row) throw new Problem('suggestion_not_found')
  return showSuggestion(row)
}

export function listTaxSuggestions(ctx: EmpresaContext, input: SuggestionQuery): Promise<ListPage<TaxSuggestion>> {
  const { limit, cursor, ...filter } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...filter }
  const fetch = (page: { before: string | null; take: number }) => listSuggestions(ctx.sql, ctx.empresa, filter, page)
  return pageById(ctx, 'tax.suggestions', filters, { limit, cursor }, fetch, showSuggestion)
}
