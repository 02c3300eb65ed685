import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'

/** Whether a document of a supplier arrived before: told once more it would be signed anew, and be another one. */
export async function hasArrived(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  document: { readonly rut: string; readonly folio: number; readonly tipo_dte: number },
): Promise<boolean> {
  const rows = await sql<object>`
    select 1 from received_document where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and emisor_rut = ${document.rut} and tipo_dte = ${document.tipo_dte} and folio = ${document.folio}`
  return rows.length > 0
}
