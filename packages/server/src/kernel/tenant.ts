import { type Fragment, name, part } from './db.ts'
import type { EmpresaScope } from './scope.ts'

/** The tenant condition of a statement: rows of one empresa in its mode. `alias` where the statement joins. */
export function ownedBy(
  { account_id, empresa_id, mode }: Pick<EmpresaScope, 'account_id' | 'empresa_id' | 'mode'>,
  alias?: string,
): Fragment {
  if (alias === undefined) return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
  const table = name(alias)
  return part`${table}.account_id = ${account_id} and ${table}.empresa_id = ${empresa_id} and ${table}.mode = ${mode}`
}
