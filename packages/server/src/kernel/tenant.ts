import { type Fragment, listed, name, part } from './db.ts'
import type { EmpresaScope } from './scope.ts'

/** Whose a row is. */
export type Tenant = Pick<EmpresaScope, 'account_id' | 'empresa_id' | 'mode'>

/** The tenant condition of a statement: rows of one empresa in its mode. `alias` where the statement joins. */
export function ownedBy({ account_id, empresa_id, mode }: Tenant | typeof EACH, alias?: string): Fragment {
  if (alias === undefined) return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
  const table = name(alias)
  return part`${table}.account_id = ${account_id} and ${table}.empresa_id = ${empresa_id} and ${table}.mode = ${mode}`
}

/** The tenants of rows, one of each row, as columns of a select: account_id, empresa_id, mode. */
export function tenantsOf(rows: readonly Tenant[]): Fragment {
  return part`${listed.text(rows.map(({ account_id }) => account_id))} as account_id,
    ${listed.text(rows.map(({ empresa_id }) => empresa_id))} as empresa_id,
    ${listed.text(rows.map(({ mode }) => mode))} as mode`
}

/** In place of one tenant, in a statement about several: each that `w` names as (account_id, empresa_id, mode). */
export const EACH = {
  account_id: part`w.account_id`,
  empresa_id: part`w.empresa_id`,
  mode: part`w.mode`,
} as const
