import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { EmpresaContext } from '../../context.ts'
import type { EmpresaRow } from './row.ts'
import { findEmpresa, lockEmpresa } from './store.ts'

/** The empresa that issues, as it is now. Cached between commits: every change of an empresa invalidates its account. */
export async function readEmisor(ctx: Pick<EmpresaContext, 'sql' | 'cache' | 'empresa'>): Promise<EmpresaRow> {
  const row = await knownEmisor(ctx, ctx.empresa, () => findEmpresa(ctx.sql, ctx.empresa))
  if (!row) throw new Problem('empresa_not_found')
  return row
}

/** The same for whoever reads it in another way; null when the empresa was deleted. */
export function knownEmisor(
  { cache }: Pick<EmpresaContext, 'cache'>,
  { account_id, empresa_id }: Tenant,
  load: () => Promise<EmpresaRow | null>,
): Promise<EmpresaRow | null> {
  return cache.get(`emisor|${empresa_id}`, load, () => [account_id])
}

/** The same, uncached, for a decision taken at this moment; null when the empresa was deleted. */
export function findEmisor(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow | null> {
  return findEmpresa(sql, scope)
}

/**
 * The same, locked until the transaction ends: one caller at a time adds a range of folios. `no key update`, so that
 * rows that refer to the empresa, its documents first of all, do not wait.
 */
export function lockEmisor(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow | null> {
  return lockEmpresa(sql, scope)
}
