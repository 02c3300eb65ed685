import type { AnyDte } from '@timbre/dte'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, Heading, InspectedDocument, InspectedFile } from '../../../ports/inspection.ts'
import type { JobTransaction } from '../../job.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { isBetterProven, isNoBetter, type JudgedDocument } from './authenticity.ts'
import { aboutOf } from './balance.ts'
import { deadlineOf, firstCheck } from './deadline.ts'
import { watchDeadline } from './jobs.ts'
import { insertReception, insertXml } from './reception-store.ts'
import { replaceReceived } from './replace.ts'
import { recordAuthenticity } from './replaced-store.ts'
import type { ReceivedItem } from './schema.ts'
import { type Arrival, type ReceivedRow, type ReceptionRow, showReceived } from './show.ts'
import { findByKey, insertReceived } from './store.ts'

export type IngestContext = Pick<
  JobTransaction,
  'sql' | 'cache' | 'now' | 'emit' | 'enqueue' | 'addresses' | 'reactions'
>

/** When the SII received a document of this arrival. */
export type SiiClock = (document: InspectedDocument) => Date

type Sound = JudgedDocument & { readonly heading: Heading }

/** One document of a file, compared with those that are here already. */
export interface DocumentOutcome {
  readonly document: JudgedDocument
  readonly row: ReceivedRow | null
  readonly is_new: boolean
  /** Whether it is proven better than the one that is here, and is to take its place. */
  readonly replaces: boolean
  readonly fault: Fault | null
}

/**
 * Inserts the documents that are in order, each once, and compares them with those that are here already. No reception
 * where nothing of the file is new.
 */
export async function takeDocuments(
  tx: IngestContext,
  scope: EmpresaScope,
  arrival: Arrival,
  inspected: JudgedFile,
  siiClock: SiiClock,
): Promise<{ readonly reception: ReceptionRow | null; readonly outcomes: readonly DocumentOutcome[] }> {
  const before = await Promise.all(inspected.documents.map((document) => findExisting(tx, scope, document)))
  // The very same file again: its sender saw no answer, or a mail server repeated itself.
  if (before.every(({ row, replaces, fault }) => row !== null && !replaces && fault === null)) {
    return { reception: null, outcomes: before }
  }
  const reception = await insertReception(tx.sql, scope, arrival, inspected.emisor_rut)
  const outcomes: DocumentOutcome[] = []
  for (const one of before) outcomes.push(await settle(tx, scope, { reception, inspected, siiClock }, one))
  await recordNew(tx, scope, outcomes)
  return { reception, outcomes }
}

/** The documents that a file leaves here: of two under one folio, the one that stands. */
export function standingOf(outcomes: readonly DocumentOutcome[]): readonly ReceivedRow[] {
  const standing = new Map(outcomes.flatMap(({ row, fault }) => (row && !fault ? [[row.id, row] as const] : [])))
  return [...standing.values()]
}

/** Usage of the new documents, and what follows from them elsewhere. */
async function recordNew(tx: IngestContext, scope: EmpresaScope, outcomes: readonly DocumentOutcome[]): Promise<void> {
  const fresh = outcomes.flatMap(({ row, is_new }) => (row && is_new ? [row] : []))
  await tx.reactions.documentsArrived(tx, scope, fresh)
  const used = { empresa: scope, kind: 'document_received', quantity: 1, at: tx.now() } as const
  await recordUsage(
    tx.sql,
    fresh.map(({ id, tipo_dte }) => ({ ...used, tipo_dte, subject_id: id })),
  )
}

async function findExisting(
  tx: IngestContext,
  scope: EmpresaScope,
  document: JudgedDocument,
): Promise<DocumentOutcome> {
  const { heading, fault } = document
  if (fault || !heading) return { document, row: null, is_new: false, replaces: false, fault }
  return compare(document, await findByKey(tx.sql, scope, heading))
}

/** A better proven one takes the place; the same one is the same; any other is set aside. */
function compare(document: JudgedDocument, row: ReceivedRow | null): DocumentOutcome {
  const replaces = row !== null && isBetterProven(document.authenticity, row.authenticity)
  const fault = row && !replaces ? contentFault(row, document) : null
  return { document, row, is_new: false, replaces, fault }
}

function contentFault(row: ReceivedRow, { digest }: InspectedDocument): Fault | null {
  if (row.digest === digest) return null
  const { tipo_dte, folio, emisor_rut } = row
  const message = `Tipo ${tipo_dte}, folio ${folio} of ${emisor_rut} came before with other content, as ${row.id}.`
  return { reason: 'repeated_other_content', message }
}

export type JudgedFile = Omit<InspectedFile, 'documents'> & { readonly documents: readonly JudgedDocument[] }

interface FileContext {
  readonly reception: ReceptionRow
  readonly inspected: JudgedFile
  readonly siiClock: SiiClock
}

async function settle(
  tx: IngestContext,
  scope: EmpresaScope,
  file: FileContext,
  found: DocumentOutcome,
): Promise<DocumentOutcome> {
  const { document } = found
  if (document.fault || !document.heading) return found
  const sound: Sound = { ...document, heading: document.heading }
  const incoming = newRow(scope, file, sound)
  if (!found.row) {
    const row = await insertReceived(tx.sql, incoming)
    if (row) {
      await insertXml(tx.sql, scope, row.id, document, file.inspected)
      // At once: a later document of the same file may take its place, and tells so after this.
      await announceNew(tx, scope, row)
      return { ...found, row, is_new: true }
    }
  }
  // Another file may have brought it in the meantime, or this one holds it twice.
  const one = found.row ? found : await findExisting(tx, scope, document)
  if (one.row && one.replaces) return replace(tx, scope, { row: incoming, document, file: file.inspected }, one.row.id)
  if (one.row && one.fault && isNoBetter(document.authenticity, one.row.authenticity)) await dispute(tx, scope, one.row)
  return one
}

async function replace(
  tx: IngestContext,
  scope: EmpresaScope,
  incoming: Parameters<typeof replaceReceived>[2],
  id: string,
): Promise<DocumentOutcome> {
  const { document } = incoming
  const row = await replaceReceived(tx, scope, incoming, id)
  return row ? { document, row, is_new: false, replaces: true, fault: null } : findExisting(tx, scope, document)
}

/** Neither is proven, and they differ: the first that came stays, and says so. */
async function dispute(tx: IngestContext, scope: EmpresaScope, row: ReceivedRow): Promise<void> {
  const { status, reasons } = row.authenticity
  if (reasons.includes('other_content_set_aside')) return
  await recordAuthenticity(tx.sql, scope, row, { status, reasons: [...reasons, 'other_content_set_aside'] })
}

/** In whole pesos: the lines of an export in another currency are on its page alone. */
function itemsOf(dte: AnyDte | null): ReceivedItem[] {
  const items = dte?.items ?? []
  if (!items.every(({ amount }) => Number.isSafeInteger(amount)) || isForeign(dte)) return []
  return items.map((item) => ({
    description: item.description,
    quantity: item.quantity ?? null,
    unit: item.unit ?? null,
    unit_price: item.unit_price ?? null,
    exempt: item.exempt ?? false,
    amount: item.amount,
  }))
}

function isForeign(dte: AnyDte | null): boolean {
  return dte !== null && 'currency' in dte.totals && dte.totals.currency !== 'PESO CL'
}

function newRow(scope: EmpresaScope, { reception, siiClock }: FileContext, document: Sound): ReceivedRow {
  const { account_id, empresa_id, mode } = scope
  const { receptor_rut: _, ...heading } = document.heading
  const sii_received_at = siiClock(document)
  const deadline_at = deadlineOf(heading.tipo_dte, sii_received_at)
  return {
    account_id,
    empresa_id,
    mode,
    id: newId('received_document'),
    reception_id: reception.id,
    status: deadline_at ? 'pending' : 'received',
    receipt_status: deadline_at ? 'pending' : null,
    ...heading,
    items: itemsOf(document.dte),
    received_at: reception.received_at,
    sii_received_at,
    deadline_at,
    deadline_told: null,
    answered_at: null,
    acknowledged_at: null,
    claims: [],
    digest: document.digest,
    authenticity: document.authenticity,
    replaced_at: null,
    ...aboutOf(document.dte),
    credited_amount: 0,
    paid_amount: 0,
    paid_at: null,
  }
}

async function announceNew(tx: IngestContext, scope: EmpresaScope, row: ReceivedRow): Promise<void> {
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  tx.emit({ type: 'received_document.created', object: showReceived(row, tx.addresses), empresa })
  if (!row.deadline_at) return
  await tx.enqueue(watchDeadline, {
    payload: { received_document_id: row.id },
    empresa_id: scope.empresa_id,
    due_at: firstCheck(row.deadline_at, tx.now()),
  })
}
