import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import type { EmpresaRow } from './row.ts'
import { showEmpresa } from './show.ts'
import { type CustodyColumns, lockEmpresa, saveCustody } from './store.ts'

export type CustodyContext = Pick<
  EmpresaContext,
  'sql' | 'now' | 'ports' | 'addresses' | 'emit' | 'enqueue' | 'invalidate' | 'reactions' | 'empresa'
>

/** Locks the empresa for a change of what stands in its custody: the empresa before anything under it. */
export async function lockForCustody(ctx: Pick<CustodyContext, 'sql' | 'empresa'>): Promise<EmpresaRow> {
  const row = await lockEmpresa(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  return row
}

/** Records with the empresa what stands in its custody now, with an event where that changes what it can do. */
export async function changeCustody(
  ctx: CustodyContext,
  before: EmpresaRow,
  change: Partial<CustodyColumns>,
): Promise<void> {
  const after = showEmpresa(await saveCustody(ctx.sql, ctx.empresa, { ...before, ...change }), ctx)
  const previous_attributes = previousAttributes(showEmpresa(before, ctx), after)
  if (previous_attributes) ctx.emit({ type: 'empresa.updated', object: after, previous_attributes })
  ctx.invalidate(ctx.empresa.account_id)
  await ctx.reactions.onboardingFactsChanged(ctx, ctx.empresa)
}
