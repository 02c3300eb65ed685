import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

/** The id of a cartola, until it is undone. */
export function statementWithId(
  { account_id, empresa_id }: Pick<EmpresaScope, 'account_id' | 'empresa_id'>,
  id: string,
): Fragment {
  return part`select s.id from statement s
    where s.account_id = ${account_id} and s.empresa_id = ${empresa_id} and s.id = ${id} and s.undone_at is null`
}

/** Locks a cartola, by an expression for its id, against being undone; many may hold it at once. */
export function lockStatementOf(
  { account_id, empresa_id }: Pick<EmpresaScope, 'account_id' | 'empresa_id'>,
  id: Fragment,
): Fragment {
  return part`select s.id from statement s
    where s.account_id = ${account_id} and s.empresa_id = ${empresa_id} and s.id = ${id} for share`
}
