import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Fault, InspectedDocument, InspectedFile } from '../../../ports/inspection.ts'
import type { Arrival, ReceptionRow } from './show.ts'

export async function insertReception(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  arrival: Arrival,
  emisor_rut: string | null,
): Promise<ReceptionRow> {
  const [row] = await sql<ReceptionRow>`
    insert into reception (account_id, empresa_id, mode, id, source, sender, file_name, emisor_rut, received_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${newId('reception')}, ${arrival.source}, ${arrival.sender},
      ${arrival.file_name}, ${emisor_rut}, ${arrival.received_at})
    returning *`
  return row as ReceptionRow
}

export async function findReception(sql: Sql, scope: EmpresaScope, id: string): Promise<ReceptionRow | null> {
  const [row] = await sql<ReceptionRow>`select * from reception where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

export async function insertQuarantine(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  arrival: Arrival,
  emisor_rut: string | null,
  { reason, message }: Fault,
): Promise<string> {
  const id = newId('reception')
  await sql`
    insert into reception_quarantine (account_id, empresa_id, mode, id, source, sender, file_name, emisor_rut, reason,
      message, raw, received_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${id}, ${arrival.source}, ${arrival.sender}, ${arrival.file_name},
      ${emisor_rut}, ${reason}, ${message}, ${Buffer.from(arrival.bytes)}, ${arrival.received_at})`
  return id
}

/**
 * Forgets the bytes of what was set aside before an id. Real time is in the id: a test clock neither shortens nor
 * lengthens it. The answers of other taxpayers stay: they may be what proves that goods were received (Ley 19.983).
 */
export async function deleteQuarantinedBytes(sql: Sql, before_id: string): Promise<void> {
  await sql`
    update reception_quarantine set raw = null
    where id < ${before_id} and raw is not null and reason <> 'exchange_answer'`
}

export async function insertXml(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  id: string,
  { xml, dte }: InspectedDocument,
  { resolucion }: Pick<InspectedFile, 'resolucion'>,
): Promise<void> {
  await sql`
    insert into received_document_xml (account_id, empresa_id, mode, received_document_id, xml, dte, resolucion)
    values (${account_id}, ${empresa_id}, ${mode}, ${id}, ${xml}, ${dte && JSON.stringify(dte)}::json,
      ${resolucion && JSON.stringify(resolucion)}::json)`
}

export interface StoredXml {
  readonly xml: Buffer
  readonly dte: InspectedDocument['dte']
  readonly resolucion: InspectedFile['resolucion']
}

export async function findXml(sql: Sql, scope: EmpresaScope, id: string): Promise<StoredXml | null> {
  const [row] = await sql<StoredXml>`
    select xml, dte, resolucion from received_document_xml where ${ownedBy(scope)} and received_document_id = ${id}`
  return row ?? null
}
