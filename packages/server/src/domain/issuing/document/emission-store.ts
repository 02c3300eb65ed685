import { listed, part, type Sql } from '../../../kernel/db.ts'
import { type AnswerMany, inStep } from '../../../kernel/in-step.ts'
import type { Hint } from '../../../kernel/job.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import type { DrawnFolio } from '../folio/draw.ts'
import { journalEntry, type ReadDocument } from './advance.ts'
import type { DocumentRow } from './show.ts'
import { insertJournal, insertJournalOf, type NewJournalEntry } from './store.ts'
import { insertDictionaries, packXml } from './stored-xml.ts'
import { insertXml, readEarlierXml } from './xml-store.ts'
import { documentsOf } from './year.ts'

export interface QueuedRow extends DocumentRow {
  /** Set when an earlier run signed the document and did not send it. */
  readonly xml: Buffer | null
  /** The transaction that wrote it last. */
  readonly version: string
}

/** Documents of one empresa that are worked on together. */
interface Batch {
  readonly scope: EmpresaScope
  readonly ids: readonly string[]
}

// Spelt so that documents are found by their ids, as jobs are: a plan made while nothing waits would take the index of what is
// not accepted, and each batch of a backlog would read all of it.
const IS_QUEUED = part`status || '' = 'queued'`
export const IS_SENT = part`status || '' = 'sent'`

// Spelt so that no index but that of ids serves: while a table is small, as each January, any that leads to the empresa looks as good, and
// the plan of that moment goes on reading all that the empresa has.
const OF_EACH = part`id = w.id and account_id = w.account_id and empresa_id || '' = w.empresa_id and mode = w.mode`

/** Of several batches, what is still to be sent of each, without an XML it may have. */
const listQueuedOf: AnswerMany<Batch, Omit<QueuedRow, 'xml'>[]> = async (sql, batches) => {
  const scopes = batches.flatMap(({ scope, ids }) => ids.map(() => scope))
  const wanted = batches.flatMap(({ ids }) => ids)
  const rows = await sql<Omit<QueuedRow, 'xml'>>`
    select d.* from (select ${tenantsOf(scopes)}, ${listed.text(wanted)} as id) w, lateral (
        select *, xmin::text as version from ${documentsOf(wanted)} where ${OF_EACH} and ${IS_QUEUED} limit 1) d
    order by d.created_at, d.id`
  return batches.map(({ scope, ids }) => {
    const own = new Set(ids)
    return rows.filter((row) => row.empresa_id === scope.empresa_id && own.has(row.id))
  })
}

/** The same of documents that were told along with the jobs that emit them: as they were created, and nobody touched them since, or nothing lands. */
export function toldQueued(hints: readonly Hint[]): QueuedRow[] {
  const rows = hints.map(({ told, version }) => Object.assign({}, told as DocumentRow, { xml: null, version }))
  return rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1))
}

/** The documents of a batch that are still to be sent, in the order of creation. */
export async function listQueued(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<QueuedRow[]> {
  const rows = await inStep(sql, listQueuedOf, { scope, ids })
  const xmls = await readEarlierXml(sql, scope, rows)
  return rows.map((row) => Object.assign(row, { xml: xmls.get(row.id) ?? null }))
}

export type QueuedKey = Pick<DocumentRow, 'id' | 'tipo_dte' | 'emission_channel' | 'folio'>

/** The same without what they hold. */
export async function listQueuedKeys(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<QueuedKey[]> {
  return sql<QueuedKey>`
    select id, tipo_dte, emission_channel, folio from ${documentsOf(ids)}
    where ${ownedBy(scope)} and id = any(${ids}::text[]) and ${IS_QUEUED}
    order by created_at, id`
}

/** Locks those that still need a folio: another worker waits, and then finds that they have one. */
export async function lockWithoutFolio(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id from ${documentsOf(ids)}
    where ${ownedBy(scope)} and id = any(${ids}::text[]) and ${IS_QUEUED} and folio is null
    order by created_at, id for update`
  return rows.map(({ id }) => id)
}

export interface AssignedFolio extends DrawnFolio {
  readonly id: string
}

/** Writes the folios of many documents and their journal in one statement. */
export async function saveFolios(
  sql: Sql,
  scope: EmpresaScope,
  assigned: readonly AssignedFolio[],
  at: Date,
): Promise<void> {
  const entries = assigned.map(({ id, folio, caf_id }) => journalEntry('folio_drawn', id, { folio, caf: caf_id }))
  const ids = assigned.map(({ id }) => id)
  await sql`
    with numbered as (
      update ${documentsOf(ids)} d set folio = f.folio, caf_id = f.caf_id
      from (select ${listed.text(ids)} as id, ${listed.bigint(assigned.map(({ folio }) => folio))} as folio,
        ${listed.text(assigned.map(({ caf_id }) => caf_id))} as caf_id) f
      where d.account_id = ${scope.account_id} and d.empresa_id = ${scope.empresa_id} and d.id = f.id
    )
    ${insertJournal(scope, entries, at)}`
}

/** A document that got its folio and its XML at once. */
export type NumberedDocument = AssignedFolio & SignedXml & Tenant

/** The folios of documents that were read without any. */
export const numberedDocuments: RowWriter<AssignedFolio & Tenant> = (documents, when) => [
  part`numbered as (
    update ${documentsOf(documents.map(({ id }) => id))} d set folio = f.folio, caf_id = f.caf_id
    from (select ${tenantsOf(documents)}, ${listed.text(documents.map(({ id }) => id))} as id,
      ${listed.bigint(documents.map(({ folio }) => folio))} as folio,
      ${listed.text(documents.map(({ caf_id }) => caf_id))} as caf_id) f, (select from (select) s ${when}) go
    where d.account_id = f.account_id and d.empresa_id = f.empresa_id and d.id = f.id)`,
]

/** The XML of documents that were read without any. */
export const keptXml: RowWriter<SignedXml & Tenant> = (documents, when) => {
  const packed = documents.map(({ account_id, empresa_id, mode, id, xml }) => {
    const { bytes, dictionary } = packXml(xml)
    return { account_id, empresa_id, mode, id, bytes, dictionary }
  })
  return [part`dictionaries as (${insertDictionaries(packed)})`, part`saved as (${insertXml(packed, when)})`]
}

/** What the journal tells of them. */
export function journalOfNumbered(documents: readonly AssignedFolio[]): NewJournalEntry[] {
  return documents.flatMap(({ id, folio, caf_id }) => [
    journalEntry('folio_drawn', id, { folio, caf: caf_id }),
    journalEntry('signed', id, {}),
  ])
}

/** Writes a folio that the SII gave, which no range of ours holds. */
export async function saveGivenFolio(
  sql: Sql,
  scope: EmpresaScope,
  { id, folio }: { readonly id: string; readonly folio: number },
  at: Date,
): Promise<void> {
  await sql`
    with numbered as (update ${documentsOf([id])} set folio = ${folio} where ${ownedBy(scope)} and id = ${id})
    ${insertJournal(scope, [journalEntry('folio_drawn', id, { folio, caf: null })], at)}`
}

export interface SignedXml {
  readonly id: string
  readonly xml: Uint8Array
}

/**
 * Stores the XML of the documents that are still queued and have none, with their journal. Returns the ids of those:
 * another worker may have signed one meanwhile, and the first signature counts.
 */
export async function saveXml(
  sql: Sql,
  scope: EmpresaScope,
  signed: readonly SignedXml[],
  at: Date,
): Promise<Set<string>> {
  if (signed.length === 0) return new Set()
  const packed = signed.map(({ id, xml }) => ({ ...scope, id, ...packXml(xml) }))
  const ids = signed.map(({ id }) => id)
  const rows = await sql<{ document_id: string }>`
    with locked as (
      select id from ${documentsOf(ids)}
      where ${ownedBy(scope)} and id = any(${ids}::text[]) and ${IS_QUEUED}
      order by id for update
    ), dictionaries as (${insertDictionaries(packed)}), saved as (
      ${insertXml(packed, part`join locked on locked.id = s.id`)}
      on conflict (document_id) do nothing
      returning document_id
    ), journaled as (${insertJournalOf(scope, part`saved`, journalEntry('signed', '', {}), at)})
    select document_id from saved`
  return new Set(rows.map(({ document_id }) => document_id))
}

/** Writes the XML of queued documents anew, which was signed and never sent. Returns the ids of those. */
export async function replaceXml(
  sql: Sql,
  scope: EmpresaScope,
  signed: readonly SignedXml[],
  at: Date,
): Promise<Set<string>> {
  const replaced = new Set<string>()
  for (const { id, xml } of signed) {
    const packed = { ...scope, ...packXml(xml) }
    const [row] = await sql`
      with locked as (
        select id from ${documentsOf([id])} where ${ownedBy(scope)} and id = ${id} and ${IS_QUEUED} for update
      ), dictionaries as (${insertDictionaries([packed])}), saved as (
        update document_xml x set xml = ${packed.bytes}, dictionary_id = ${packed.dictionary?.id ?? null}::bigint from locked
        where x.document_id = locked.id and x.account_id = ${scope.account_id} returning x.document_id
      ), journaled as (${insertJournal(scope, [journalEntry('signed', id, {})], at)})
      select document_id from saved`
    if (row) replaced.add(id)
  }
  return replaced
}

/** An envelope by its key, and the documents that went in it where that is known. */
export interface SentEnvelope {
  readonly envelope_key: string
  readonly document_ids?: readonly string[]
}

/** The same as they were told along with the job that polls: whoever sent them wrote them so. */
export function toldSent({ told, version }: Hint): ReadDocument[] {
  return (told as readonly DocumentRow[]).map((row) => Object.assign({}, row, { version }))
}

/** The documents of an envelope that wait for the SII's answer, in the order of their folios. */
export async function listSentUnder(sql: Sql, scope: EmpresaScope, sent: SentEnvelope): Promise<ReadDocument[]> {
  const { envelope_key, document_ids } = sent
  if (document_ids) return inStep(sql, listSentOf, { scope, envelope_key, document_ids })
  // No index leads to them: they are looked for in all that the empresa issued.
  return sql<ReadDocument>`
    select *, xmin::text as version from document
    where ${ownedBy(scope)} and envelope_key = ${envelope_key} and ${IS_SENT} order by tipo_dte, folio`
}

const listSentOf: AnswerMany<Required<SentEnvelope> & { scope: EmpresaScope }, ReadDocument[]> = async (
  sql,
  envelopes,
) => {
  const wanted = envelopes.flatMap(({ scope, document_ids, envelope_key }) =>
    document_ids.map((id) => ({ scope, id, envelope_key })),
  )
  const documents = documentsOf(wanted.map(({ id }) => id))
  const rows = await sql<ReadDocument>`
    select d.* from (select ${tenantsOf(wanted.map(({ scope }) => scope))},
      ${listed.text(wanted.map(({ id }) => id))} as id,
      ${listed.text(wanted.map(({ envelope_key }) => envelope_key))} as envelope_key) w, lateral (
        select *, xmin::text as version from ${documents}
        where ${OF_EACH} and envelope_key = w.envelope_key and ${IS_SENT} limit 1) d
    order by d.tipo_dte, d.folio`
  return envelopes.map(({ scope, envelope_key }) =>
    rows.filter((row) => row.empresa_id === scope.empresa_id && row.envelope_key === envelope_key),
  )
}

/** A document without an envelope that waits for the SII's answer. */
export async function listSentAlone(sql: Sql, scope: EmpresaScope, id: string): Promise<ReadDocument[]> {
  return sql<ReadDocument>`
    select *, xmin::text as version from ${documentsOf([id])} where ${ownedBy(scope)} and id = ${id} and ${IS_SENT}`
}

/** Those of a batch that correct a document which is still under way. */
export async function listHeldNotas(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    with notas as materialized (
      select id, corrects_id from ${documentsOf(ids)} where ${ownedBy(scope)} and id = any(${ids}::text[]) and ${IS_QUEUED}
    )
    select n.id from notas n join document o on o.id = n.corrects_id and o.account_id = ${scope.account_id}
    where o.status || '' in ('queued', 'sent')`
  return rows.map(({ id }) => id)
}

export type LockedForSettling = Pick<DocumentRow, 'id' | 'status' | 'annuls_id' | 'estado' | 'sii_answer' | 'failure'>

/**
 * Locks documents that are about to be settled, with those they annul and the notas that annul them, in the order of
 * their ids: two transactions that settle at once never deadlock.
 */
export async function lockForSettling(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[],
): Promise<LockedForSettling[]> {
  return sql<LockedForSettling>`
    select id, status, annuls_id, estado, sii_answer, failure from document where ${ownedBy(scope)} and id in (
      select ${listed.text(ids)}
      union select annuls_id from document where id = any(${ids}::text[])
      union select n.id from document_annulment a join document n on n.id = a.nota_id and n.account_id = a.account_id
        where a.annuls_id = any(${ids}::text[]) and n.status in ('accepted', 'reparo')
    ) order by id for update`
}
