import type { DteDraft } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import { type Fragment, listed, part, type Sql } from '../../../kernel/db.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy, tenantsOf } from '../../../kernel/tenant.ts'
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
export function insertDocuments(rows: readonly DocumentRow[], when: Fragment): Fragment {
  const json = (of: (row: DocumentRow) => object) => rows.map((row) => JSON.stringify(of(row)))
  return part`
    insert into ${documentsOf(rows.map(({ id }) => id))} (account_id, empresa_id, mode, id, status, tipo_dte, issue_date, net, iva,
      exempt, total, receptor_rut, draft, receptor_sources, external_id, metadata, pdf_format, pdf_cedible, corrects_id,
      annuls_id, emission_channel, due_date, owed_amount, created_at)
    select d.account_id, d.empresa_id, d.mode, d.id, d.status, d.tipo_dte, d.issue_date, d.net, d.iva, d.exempt, d.total,
      d.receptor_rut, d.draft::json, d.receptor_sources::json, d.external_id, d.metadata::json, d.pdf_format, d.pdf_cedible,
      d.corrects_id, d.annuls_id, d.emission_channel, d.due_date, d.owed_amount, d.created_at
    from (select ${tenantsOf(rows)}, ${listed.text(rows.map(({ id }) => id))} as id,
      ${listed.text(rows.map(({ status }) => status))} as status,
      ${listed.smallint(rows.map(({ tipo_dte }) => tipo_dte))} as tipo_dte,
      ${listed.date(rows.map(({ issue_date }) => issue_date))} as issue_date,
      ${listed.bigint(rows.map(({ net }) => net))} as net, ${listed.bigint(rows.map(({ iva }) => iva))} as iva,
      ${listed.bigint(rows.map(({ exempt }) => exempt))} as exempt,
      ${listed.bigint(rows.map(({ total }) => total))} as total,
      ${listed.text(rows.map(({ receptor_rut }) => receptor_rut))} as receptor_rut,
      ${listed.text(json(({ draft }) => draft))} as draft,
      ${listed.text(json(({ receptor_sources }) => receptor_sources))} as receptor_sources,
      ${listed.text(rows.map(({ external_id }) => external_id))} as external_id,
      ${listed.text(json(({ metadata }) => metadata))} as metadata,
      ${listed.text(rows.map(({ pdf_format }) => pdf_format))} as pdf_format,
      ${listed.boolean(rows.map(({ pdf_cedible }) => pdf_cedible))} as pdf_cedible,
      ${listed.text(rows.map(({ corrects_id }) => corrects_id))} as corrects_id,
      ${listed.text(rows.map(({ annuls_id }) => annuls_id))} as annuls_id,
      ${listed.text(rows.map(({ emission_channel }) => emission_channel))} as emission_channel,
      ${listed.date(rows.map(({ due_date }) => due_date))} as due_date,
      ${listed.bigint(rows.map(({ owed_amount }) => owed_amount))} as owed_amount,
      ${listed.timestamptz(rows.map(({ created_at }) => created_at))} as created_at) d
    ${when}`
}

/** What only one document may claim. */
const claimOf = ({ annuls_id, external_id }: DocumentRow) => `${annuls_id ?? ''}|${external_id ?? ''}`

/** The same in a statement that lands. By what they claim, so that two that claim the same never wait for each other in a circle. */
export const newDocuments: RowWriter<DocumentRow> = (rows, when) => {
  const sorted = rows.toSorted((a, b) => (claimOf(a) < claimOf(b) ? -1 : 1))
  return [part`created as (${insertDocuments(sorted, when)})`]
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
