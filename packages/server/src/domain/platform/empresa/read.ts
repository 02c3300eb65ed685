import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Empresa } from './schema.ts'
import { showEmpresa } from './show.ts'
import { findEmpresa } from './store.ts'

export async function readEmpresa(ctx: EmpresaContext): Promise<Empresa> {
  const row = await findEmpresa(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  return showEmpresa(row)
}
