import { type Fragment, part } from '../../../kernel/db.ts'
import { joinNameOfEmpresa } from '../empresa/sql.ts'

/** A select of what one credential left behind: `subject_id`, `object`, `label`, `act`, `fields`, `written_at`. */
export function changesBy(credential_id: Fragment): Fragment {
  return part`
    select c.subject_id, c.object, coalesce(c.label, e.legal_name, c.subject_id) as label, c.act, c.fields, c.written_at
    from lasting_change c ${joinNameOfEmpresa('c')} where c.written_by = ${credential_id}`
}
