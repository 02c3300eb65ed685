import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { InspectedDocument, InspectedFile } from '../../../ports/inspection.ts'
import type { Authenticity, ReceivedDocument } from './schema.ts'
import type { ReceivedRow } from './show.ts'

/** A document that a better proven one took the place of. */
export interface ReplacedRow {
  readonly shown: ReceivedDocument
  readonly xml: Buffer
  readonly replaced_at: Date
}

/**
 * Writes another document over a row that is locked, and stores what stood there. Its id and its answers stand, so
 * whatever was done about it, there and elsewhere, is about the new one.
 */
export async function writeOver(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  row: ReceivedRow,
  about: {
    readonly shown: ReceivedDocument
    readonly former_reception_id: string
    readonly document: InspectedDocument
    readonly file: Pick<InspectedFile, 'resolucion'>
  },
): Promise<ReceivedRow> {
  const { shown, former_reception_id, document, file } = about
  const { dte, xml } = document
  const { resolucion } = file
  const [written] = await sql<ReceivedRow>`
    with stored as (
      insert into received_document_replaced (account_id, empresa_id, mode, received_document_id, reception_id, shown,
        xml, replaced_at)
      select ${account_id}, ${empresa_id}, ${mode}, ${row.id}, ${former_reception_id}, ${JSON.stringify(shown)}::json,
        xml, ${row.replaced_at}
      from received_document_xml where account_id = ${account_id} and empresa_id = ${empresa_id}
        and received_document_id = ${row.id}
    ), xml_written as (
      update received_document_xml set xml = ${xml}, dte = ${dte && JSON.stringify(dte)}::json,
        resolucion = ${resolucion && JSON.stringify(resolucion)}::json
      where account_id = ${account_id} and empresa_id = ${empresa_id} and received_document_id = ${row.id}
    )
    update received_document set reception_id = ${row.reception_id}, emisor_name = ${row.emisor_name},
      emisor_giro = ${row.emisor_giro}, issue_date = ${row.issue_date}, net = ${row.net}, exempt = ${row.exempt},
      iva = ${row.iva}, total = ${row.total}, payment_form = ${row.payment_form}, due_date = ${row.due_date},
      items = ${JSON.stringify(row.items)}::json, sii_received_at = ${row.sii_received_at},
      deadline_at = ${row.deadline_at}, deadline_told = ${row.deadline_told}, digest = ${row.digest},
      authenticity = ${JSON.stringify(row.authenticity)}::json, replaced_at = ${row.replaced_at},
      about_tipo = ${row.about_tipo}, about_folio = ${row.about_folio}
    where account_id = ${account_id} and empresa_id = ${empresa_id} and id = ${row.id}
    returning *`
  return written as ReceivedRow
}

/** Changes what is said of a document, unless another took its place since the row was read. */
export async function recordAuthenticity(
  sql: Sql,
  scope: EmpresaScope,
  { id, replaced_at }: Pick<ReceivedRow, 'id' | 'replaced_at'>,
  authenticity: Authenticity,
): Promise<void> {
  await sql`
    update received_document set authenticity = ${JSON.stringify(authenticity)}::json
    where ${ownedBy(scope)} and id = ${id} and replaced_at is not distinct from ${replaced_at}::timestamptz`
}

export async function listReplaced(sql: Sql, scope: EmpresaScope, id: string): Promise<ReplacedRow[]> {
  return sql<ReplacedRow>`
    select shown, xml, replaced_at from received_document_replaced
    where ${ownedBy(scope)} and received_document_id = ${id} order by number desc`
}
