import { type TipoDte, tipo } from '@timbre/dte/values'
import { DOCUMENT_POLL_SECONDS } from '../../../catalog/limits.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { SiiWeather } from '../../../ports/sii-weather.ts'
import type { EmpresaContext } from '../../context.ts'
import { listDocuments, type Place } from './list-store.ts'
import type { Document, DocumentPath, DocumentQuery, JournalEntry, JournalQuery } from './schema.ts'
import { type DocumentRow, showDocument, showWholeDocument } from './show.ts'
import {
  findByFolioForUpdate,
  findDocument,
  findDocumentForUpdate,
  findSignedXml,
  type JournalRow,
  listJournalRows,
} from './store.ts'

export { findByFolioForUpdate, findDocument, findDocumentForUpdate, findSignedXml }

export async function requireDocument(ctx: EmpresaContext, { document_id }: DocumentPath): Promise<DocumentRow> {
  const row = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  return row
}

/** Locks a document until the transaction ends: what is decided on it stays true. */
export async function lockDocument(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
  { document_id }: DocumentPath,
): Promise<DocumentRow> {
  const row = await findDocumentForUpdate(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  return row
}

export async function readDocument(ctx: EmpresaContext, input: DocumentPath): Promise<Document> {
  return showWholeDocument(await requireDocument(ctx, input), ctx.addresses)
}

export function listIssuedDocuments(ctx: EmpresaContext, input: DocumentQuery): Promise<ListPage<Document>> {
  const { limit, cursor, expand, ...filter } = input
  const show = expand === 'items' ? showWholeDocument : showDocument
  return paginate<DocumentRow, Document, Place>(
    ctx,
    { limit, cursor },
    {
      list: 'documents',
      filters: { empresa_id: ctx.empresa.empresa_id, ...filter },
      fetch: (page) => listDocuments(ctx.sql, ctx.empresa, filter, page),
      placeOf: ({ created_at, id }) => [created_at.toISOString(), id],
      show: (rows) => rows.map((row) => show(row, ctx.addresses)),
    },
  )
}

/** Oldest first. The journal starts at the folio: before it nothing happens to a document. */
export async function listJournal(ctx: EmpresaContext, input: JournalQuery): Promise<ListPage<JournalEntry>> {
  const { limit, cursor, document_id } = input
  await requireDocument(ctx, { document_id })
  return paginate<JournalRow, JournalEntry, readonly [number]>(
    ctx,
    { limit, cursor },
    {
      list: 'documents.events',
      filters: { document_id },
      fetch: ({ place, take }) => listJournalRows(ctx.sql, ctx.empresa, document_id, { after: place?.[0] ?? 0, take }),
      placeOf: ({ seq }) => [seq],
      show: (rows) => rows.map(({ type, at, detail }) => ({ type, at: at.toISOString(), detail })),
    },
  )
}

const YOUNG_MS = 120_000

/** The contract's "terminal for polling purposes". A failed document is not: a retry moves it on. */
const TERMINAL: readonly string[] = ['accepted', 'reparo', 'rejected', 'annulled']

/**
 * Seconds until the caller should poll a document again; null once it is terminal. Where the SII is slow these days,
 * looking before half of the documents have their answer is of no use.
 */
export function pollAfterDocument(
  { status, created_at, tipo_dte }: Document,
  mode: string,
  weather: Pick<SiiWeather, 'pace'>,
): number | null {
  if (TERMINAL.includes(status)) return null
  const { young, old, most, follows_weather } = DOCUMENT_POLL_SECONDS[mode as Mode]
  const age = (systemNow() - Date.parse(created_at)) / 1000
  const usual = age * 1000 < YOUNG_MS ? young : old
  const road = tipo(tipo_dte as TipoDte).family === 'boleta' ? 'boleta' : 'dte'
  const pace = follows_weather ? weather.pace(road) : null
  if (pace === null || pace <= age) return usual
  return Math.min(most, Math.max(usual, Math.ceil(pace - age)))
}
