import type { DteDraft } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { DocumentRow } from './show.ts'
import { joinDictionary, openXml, STORED_XML, type StoredXml } from './stored-xml.ts'
import { documentsOf } from './year.ts'

export {
  appendedJournal,
  insertJournal,
  insertJournalOf,
  type JournalRow,
  listJournalRows,
  type NewJournalEntry,
  packJournal,
} from './journal-store.ts'

/** `when` ends the select: nothing, or the condition under which anything is written. */
export function insertDocument(row: DocumentRow, when: Fragment): Fragment {
  return part`
    insert into ${documentsOf([row.id])} (account_id, empresa_id, mode, id, status, tipo_dte, issue_date, net, iva, exempt, total,
      receptor_rut, draft, receptor_sources, external_id, metadata, pdf_format, pdf_cedible, corrects_id, annuls_id,
      emission_channel, due_date, owed_amount, created_at)
    select ${row.account_id}::text, ${row.empresa_id}::text, ${row.mode}::text, ${row.id}::text, ${row.status}::text,
      ${row.tipo_dte}::smallint, ${row.issue_date}::date, ${row.net}::bigint, ${row.iva}::bigint, ${row.exempt}::bigint,
      ${row.total}::bigint, ${row.receptor_rut}::text, ${JSON.stringify(row.draft)}::json,
      ${JSON.stringify(row.receptor_sources)}::json, ${row.external_id}::text, ${JSON.stringify(row.metadata)}::json,
      ${row.pdf_format}::text, ${row.pdf_cedible}::boolean, ${row.corrects_id}::text, ${row.annuls_id}::text,
      ${row.emission_channel}::text, ${row.due_date}::date, ${row.owed_amount}::bigint, ${row.created_at}::timestamptz
    ${when}`
}

export async function findDocument(sql: Sql, scope: EmpresaScope, id: string): Promise<DocumentRow | null> {
  const [row] = await sql<DocumentRow>`select * from ${documentsOf([id])} where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

export async function findDocumentForUpdate(sql: Sql, scope: EmpresaScope, id: string): Promise<DocumentRow | null> {
  const [row] =
    await sql<DocumentRow>`select * from ${documentsOf([id])} where ${ownedBy(scope)} and id = ${id} for update`
  return row ?? null
}

export async function findByExternalId(sql: Sql, scope: EmpresaScope, external_id: string) {
  const [row] = await sql<{ id: string }>`
    select document_id as id from document_external where ${ownedBy(scope)} and external_id = ${external_id}`
  return row ?? null
}

export async function findByFolio(sql: Sql, scope: EmpresaScope, tipo_dte: number, folio: number) {
  const [row] = await sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and tipo_dte = ${tipo_dte} and folio = ${folio}`
  return row ?? null
}

/** The same, locked until the transaction ends. */
export async function findByFolioForUpdate(sql: Sql, scope: EmpresaScope, tipo_dte: number, folio: number) {
  const [row] = await sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and tipo_dte = ${tipo_dte} and folio = ${folio} for update`
  return row ?? null
}

/** Those of some documents that the SII took and that have a folio. */
export async function listTaken(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<DocumentRow[]> {
  return sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and id = any(${ids}::text[])
      and status in ('accepted', 'reparo', 'annulled') and folio is not null order by id`
}

/** Folios of one tipo that were settled within a day. */
export interface SettledStretch {
  readonly tipo_dte: TipoDte
  readonly from_folio: number
  readonly folios: number
  readonly from: Date
  readonly until: Date
}

/** What the SII took of a stretch of folios, on a day. */
export async function listTakenOf(sql: Sql, scope: EmpresaScope, stretch: SettledStretch): Promise<DocumentRow[]> {
  const { tipo_dte, from_folio, folios, from, until } = stretch
  return sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} and tipo_dte = ${tipo_dte}
      and folio >= ${from_folio} and folio < ${from_folio + folios}
      and settled_at >= ${from} and settled_at < ${until} and status in ('accepted', 'reparo', 'annulled') order by id`
}

/** The receptor of the last document to a RUT that carried an address. */
export async function lastReceptor(sql: Sql, scope: EmpresaScope, rut: string): Promise<DteDraft['receptor'] | null> {
  const [row] = await sql<{ receptor: DteDraft['receptor'] }>`
    select draft -> 'receptor' as receptor from document
    where ${ownedBy(scope)} and receptor_rut = ${rut} and draft #> '{receptor,address,street}' is not null
    order by created_at desc, id desc limit 1`
  return row?.receptor ?? null
}

/** The XML of a document as it was signed. */
export async function findSignedXml(sql: Sql, scope: EmpresaScope, document_id: string): Promise<Buffer | null> {
  const [row] = await sql<StoredXml>`
    select ${STORED_XML} from document_xml x ${joinDictionary}
    where x.document_id = ${document_id} and x.account_id = ${scope.account_id} and x.empresa_id = ${scope.empresa_id}`
  return row ? openXml(row) : null
}
