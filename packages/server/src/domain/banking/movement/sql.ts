import { type Fragment, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

/** Whether no movement pays a document, by the column of its id. */
export function isUnpaid(document_id: Fragment, { empresa_id }: Pick<EmpresaScope, 'empresa_id'>): Fragment {
  return part`not exists (
    select 1 from movement_match x where x.empresa_id = ${empresa_id} and x.target_id = ${document_id})`
}
