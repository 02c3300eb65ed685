import { type Fragment, name, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

/** Joins the empresa `e` of the rows of an alias. */
export function joinEmpresa(alias: string): Fragment {
  const row = name(alias)
  return part`join empresa e on e.account_id = ${row}.account_id and e.id = ${row}.empresa_id`
}

/** A select of the tipos an empresa declares, or of one tipo, each with the channel: to be joined in one statement. */
export function selectTipos(scope: EmpresaScope, tipo_dte: number | null): Fragment {
  return part`
    select e.emission_channel, t.tipo_dte from empresa e
    cross join unnest(${tipo_dte === null ? part`e.doc_types` : part`array[${tipo_dte}::integer]`}) as t (tipo_dte)
    where e.account_id = ${scope.account_id} and e.mode = ${scope.mode} and e.id = ${scope.empresa_id}`
}
