import { type Fragment, name, part } from '../../../kernel/db.ts'

/** Joins the empresa `e` of the rows of an alias. */
export function joinEmpresa(alias: string): Fragment {
  const row = name(alias)
  return part`join empresa e on e.account_id = ${row}.account_id and e.id = ${row}.empresa_id`
}
