import { type ListPage, paginate } from '../../../kernel/cursor.ts'
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

export function listIssued(ctx: EmpresaContext, input: DocumentQuery): Promise<ListPage<Document>> {
  const { limit, cursor, ...filter } = input
  return paginate<DocumentRow, Document, Place>(
    { limit, cursor },
    {
      list: 'documents',
      filters: { empresa_id: ctx.empresa.empresa_id, ...filter },
      fetch: (page) => listDocuments(ctx.sql, ctx.empresa, filter, page),
      placeOf: ({ created_at, id }) => [created_at.toISOString(), id],
      show: (rows) => rows.map((row) => showDocument(row, ctx.addresses)),
    },
  )
}

/** Oldest first: it is read as a story. It starts at the folio, because before it nothing happened to the document. */
export async function listJournal(ctx: EmpresaContext, input: JournalQuery): Promise<ListPage<JournalEntry>> {
  const { limit, cursor, document_id } = input
  await requireDocument(ctx, { document_id })
  return paginate<JournalRow, JournalEntry, readonly [number]>(
    { limit, cursor },
    {
      list: 'documents.events',
      filters: { document_id },
      fetch: ({ place, take }) => journalOf(ctx.sql, ctx.empresa, document_id, { after: place?.[0] ?? 0, take }),
      placeOf: ({ seq }) => [seq],
      show: (rows) => rows.map(({ type, at, detail }) => ({ type, at: at.toISOString(), detail })),
    },
  )
}
