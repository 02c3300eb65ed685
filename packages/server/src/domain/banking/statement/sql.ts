import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

/** The id of a cartola, for as long as it is there. */
export function statementWithId(
  { account_id, empresa_id }: Pick<EmpresaScope, 'account_id' | 'empresa_id'>,
  id: string,
): Fragment {
  return part`select s.id from statement s
    where s.account_id = ${account_id} and s.empresa_id = ${empresa_id} and s.id = ${id}`
}
