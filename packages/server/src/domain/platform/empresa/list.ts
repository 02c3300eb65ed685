import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import type { AccountContext } from '../../context.ts'
import type { Empresa } from './schema.ts'
import { showEmpresa } from './show.ts'
import { listEmpresas } from './store.ts'

/** Every empresa of the mode that the credential reaches, newest first. */
export async function listOwnEmpresas(
  ctx: AccountContext,
  { status, ...page }: PageInput & { status?: Empresa['status'] },
): Promise<ListPage<Empresa>> {
  const { caller, account } = ctx
  const filters = status === undefined ? {} : { status }
  const reach = caller.kind === 'session' || caller.empresas.includes('*') ? null : caller.empresas
  const fetch = (place: { before: string | null; take: number }) =>
    listEmpresas(ctx.sql, account, { reach, ...filters, ...place })
  return pageById('empresas', { ...account, ...filters }, page, fetch, showEmpresa)
}
