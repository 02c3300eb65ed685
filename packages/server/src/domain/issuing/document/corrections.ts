import { TIPO } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { DocumentRow } from './show.ts'

/** A nota de crédito that counts: on its way to the SII, or accepted by it. */
export type NoteInForce = Pick<DocumentRow, 'id' | 'status' | 'annuls_id' | 'exempt' | 'total'>

/** The notas de crédito over a document, oldest first. One that was rejected, annulled or failed credits nothing. */
export async function listNotesInForce(sql: Sql, scope: EmpresaScope, document_id: string): Promise<NoteInForce[]> {
  return sql<NoteInForce>`
    select id, status, annuls_id, exempt, total from document
    where ${ownedBy(scope)} and corrects_id = ${document_id} and tipo_dte = ${TIPO.nota_de_credito}
      and status in ('queued', 'sent', 'accepted', 'reparo')
    order by created_at, id`
}

/** The nota that annuls a document, or will once the SII accepts it. */
export async function findAnnulment(sql: Sql, scope: EmpresaScope, document_id: string) {
  const [row] = await sql<Pick<DocumentRow, 'id' | 'status'>>`
    select id, status from document
    where ${ownedBy(scope)} and id = (select nota_id from document_annulment where ${ownedBy(scope)} and annuls_id = ${document_id})`
  return row ?? null
}
