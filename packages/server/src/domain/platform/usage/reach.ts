import type { AccountContext } from '../../context.ts'

/** The empresas a call may look at and asks about: all of the account (null), or these. */
export function rutsFor({ caller }: AccountContext, empresa_rut: string | undefined): readonly string[] | null {
  const reach = caller.kind === 'session' || caller.empresas.includes('*') ? null : caller.empresas
  if (empresa_rut === undefined) return reach
  return reach === null || reach.includes(empresa_rut) ? [empresa_rut] : []
}
