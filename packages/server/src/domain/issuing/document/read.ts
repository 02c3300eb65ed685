import { DOCUMENT_POLL_SECONDS } from '../../../catalog/limits.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Document, DocumentPath, DocumentQuery, JournalEntry, JournalQuery } from './schema.ts'
import { type DocumentRow, showDocument, showWholeDocument } from './show.ts'
import {
  findByFolioForUpdate,
  findDocument,
  findDocumentForUpdate,
  findSignedXml,
  type JournalRow,
  listDocuments,
  listJournalRows,
  type Place,
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

/** Seconds until the caller should poll a document again; null once it is terminal. */
export function pollAfterDocument({ status, created_at }: Document, mode: string): number | null {
  if (TERMINAL.includes(status)) return null
  const { young, old } = DOCUMENT_POLL_SECONDS[mode as Mode]
  return systemNow() - Date.parse(created_at) < YOUNG_MS ? young : old
}
