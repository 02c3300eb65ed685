import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { EmpresaRow } from './row.ts'
import { findEmpresa } from './store.ts'

/** The empresa that issues, as it is now. Remembered between commits: every change of an empresa makes it stale. */
export async function readEmisor(ctx: Pick<EmpresaContext, 'sql' | 'cache' | 'empresa'>): Promise<EmpresaRow> {
  const { account_id, empresa_id } = ctx.empresa
  const load = () => findEmpresa(ctx.sql, ctx.empresa)
  const row = await ctx.cache.get(`emisor|${empresa_id}`, load, () => [account_id])
  if (!row) throw new Problem('empresa_not_found')
  return row
}
