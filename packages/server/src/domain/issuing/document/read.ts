import { CEILINGS } from '../../../catalog/limits.ts'
import { decodeCursor, encodeCursor, type ListPage } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { type JournalRow, journalOf } from './journal-store.ts'
import type { DocumentQuery, JournalEntry, JournalQuery } from './list-schema.ts'
import type { Document, DocumentPath } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { findDocument, listDocuments, type Place } from './store.ts'

export async function requireDocument(ctx: EmpresaContext, { document_id }: DocumentPath): Promise<DocumentRow> {
  const row = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  return row
}

export async function readDocument(ctx: EmpresaContext, input: DocumentPath): Promise<Document> {
  return showDocument(await requireDocument(ctx, input), ctx.addresses)
}

/** A page of rows that were asked for one more than fits: the extra one only tells that there is more. */
function page<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  next: (last: Row) => string,
): ListPage<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  return { object: 'list', data: shown.map(show), has_more, next_cursor: has_more ? next(last) : null }
}

export async function listIssued(ctx: EmpresaContext, input: DocumentQuery): Promise<ListPage<Document>> {
  const { limit = CEILINGS.list_default, cursor, ...filter } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...filter }
  const place = cursor === undefined ? null : (decodeCursor('documents', filters, cursor) as unknown as Place)
  const rows = await listDocuments(ctx.sql, ctx.empresa, filter, { place, take: limit + 1 })
  const next = ({ created_at, id }: DocumentRow) => encodeCursor('documents', filters, [created_at.toISOString(), id])
  return page(rows, limit, (row) => showDocument(row, ctx.addresses), next)
}

/** Oldest first: it is read as a story. It starts at the folio, because before it nothing happened to the document. */
export async function listJournal(ctx: EmpresaContext, input: JournalQuery): Promise<ListPage<JournalEntry>> {
  const { limit = CEILINGS.list_default, cursor, document_id } = input
  await requireDocument(ctx, { document_id })
  const filters = { document_id }
  const after = cursor === undefined ? 0 : Number(decodeCursor('documents.events', filters, cursor)[0])
  const rows = await journalOf(ctx.sql, ctx.empresa, document_id, { after, take: limit + 1 })
  const show = ({ type, at, detail }: JournalRow) => ({ type, at: at.toISOString(), detail })
  return page(rows, limit, show, ({ seq }) => encodeCursor('documents.events', filters, [seq]))
}
