import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext, EmpresaContext } from '../../context.ts'
import type { Empresa } from './schema.ts'
import { reachedRuts } from './scope.ts'
import { showEmpresa } from './show.ts'
import { findEmpresa, listEmpresas } from './store.ts'

/** For whoever was admitted to the empresa, the operator too. */
export async function readEmpresa(
  ctx: Pick<EmpresaContext, 'sql' | 'now' | 'addresses' | 'empresa'>,
): Promise<Empresa> {
  const row = await findEmpresa(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  return showEmpresa(row, ctx)
}

/** Every empresa of the mode that the credential reaches, newest first. */
export async function listOwnEmpresas(
  ctx: AccountContext,
  { status, ...page }: PageInput & { status?: Empresa['status'] },
): Promise<ListPage<Empresa>> {
  const { caller, account } = ctx
  const filters = status === undefined ? {} : { status }
  const reach = reachedRuts(caller)
  const fetch = (place: { before: string | null; take: number }) =>
    listEmpresas(ctx.sql, account, { reach, ...filters, ...place })
  return pageById(ctx, 'empresas', { ...account, ...filters }, page, fetch, (row) => showEmpresa(row, ctx))
}
