import type { DteDraft } from '@timbre/dte/draft'
import { TIPO_NUMBERS, type TipoDte } from '@timbre/dte/values'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { invoicedIs } from './guia-invoices.ts'
import { isInFlight } from './in-flight.ts'
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

export interface DocumentFilter {
  readonly status?: string
  readonly tipo_dte?: number
  readonly folio?: number
  readonly receptor_rut?: string
  readonly external_id?: string
  readonly invoiced?: boolean
  readonly 'issue_date[gte]'?: string
  readonly 'issue_date[lte]'?: string
  readonly 'created_at[gte]'?: string
  readonly 'created_at[lte]'?: string
}

export type Place = readonly [created_at: string, id: string]

function matching(scope: EmpresaScope, filter: DocumentFilter): Fragment {
  const { status, tipo_dte, folio, receptor_rut, external_id, invoiced } = filter
  const bound = (column: Fragment, gte: string | undefined, lte: string | undefined) =>
    part`${gte === undefined ? nothing : part`and ${column} >= ${gte}`} ${lte === undefined ? nothing : part`and ${column} <= ${lte}`}`
  return part`
    ${status === undefined ? nothing : statusIs(scope, status)}
    ${tipo_dte === undefined ? nothing : part`and tipo_dte = ${tipo_dte}`}
    ${folio === undefined ? nothing : folioIs(folio, tipo_dte)}
    ${receptor_rut === undefined ? nothing : part`and receptor_rut = ${receptor_rut}`}
    ${external_id === undefined ? nothing : externalIdIs(scope, external_id)}
    ${invoiced === undefined ? nothing : invoicedIs(invoiced)}
    ${bound(part`issue_date`, filter['issue_date[gte]'], filter['issue_date[lte]'])}
    ${bound(part`created_at`, filter['created_at[gte]'], filter['created_at[lte]'])}`
}

// A folio alone is looked for in each tipo, which the index of folios leads to; without them it would be in all of the list.
function folioIs(folio: number, tipo_dte: number | undefined): Fragment {
  return part`and folio = ${folio} ${tipo_dte === undefined ? part`and tipo_dte = any(${TIPO_NUMBERS}::smallint[])` : nothing}`
}

// What names it is one row, whatever year the document is of.
function externalIdIs(scope: EmpresaScope, external_id: string): Fragment {
  return part`and id = (select document_id from document_external where ${ownedBy(scope)} and external_id = ${external_id})`
}

// Nearly everything is accepted. What is not is found by what names it: no index names the status itself.
function statusIs(scope: EmpresaScope, status: string): Fragment {
  const is = part`and status = ${status}`
  if (status === 'accepted') return is
  return status === 'queued' || status === 'sent'
    ? part`${is} ${isInFlight(scope)}`
    : part`${is} and uncommon_status = ${status}`
}

/** Newest first, strictly older than the cursor's place. */
export async function listDocuments(
  sql: Sql,
  scope: EmpresaScope,
  filter: DocumentFilter,
  page: { place: Place | null; take: number },
): Promise<DocumentRow[]> {
  const { place, take } = page
  return sql<DocumentRow>`
    select * from document where ${ownedBy(scope)} ${matching(scope, filter)}
      ${place === null ? nothing : part`and (created_at, id) < (${place[0]}::timestamptz, ${place[1]})`}
    order by created_at desc, id desc limit ${take}`
}
