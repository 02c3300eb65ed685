import type { EmpresaContext } from '../../context.ts'
import { holdOpen } from './lock.ts'
import { settleSuggestions } from './move.ts'
import type { DismissSuggestion, SuggestionPath, TaxSuggestion } from './schema.ts'
import { showSuggestion } from './show.ts'
import { openAbout } from './store.ts'

/** Says no, and remembers it: the same amount to the same provider, or anything to it, is not suggested again. */
export async function dismissSuggestion(
  ctx: EmpresaContext,
  { suggestion_id, reason = null, scope = 'once' }: SuggestionPath & NullableReason,
): Promise<TaxSuggestion> {
  const row = await holdOpen(ctx, suggestion_id)
  const others = scope === 'provider' ? await openAbout(ctx.sql, ctx.empresa, { provider: row.provider }) : []
  const ids = [...new Set([row.id, ...others])]
  const settled = await settleSuggestions(ctx, ctx.empresa, ids, 'dismissed', { dismissal: { reason, scope } })
  return showSuggestion(settled.find(({ id }) => id === row.id) ?? row)
}

type NullableReason = Omit<DismissSuggestion, 'reason'> & { readonly reason?: string | null }
