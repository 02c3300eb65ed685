import { MODES } from '../../catalog/modes.ts'
import type { EmpresaContext } from '../../kernel/context.ts'
import { nothing } from '../../kernel/db.ts'
import { Problem } from '../../kernel/problem.ts'
import { composeDocument, newDocument } from './compose.ts'
import { emitDocuments } from './emit.ts'
import type { CreateDocument, Document } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { findByExternalId, insertDocument } from './store.ts'

/** What every new document leaves beside its row: the event of its birth and the work of emitting it. */
async function announce(ctx: EmpresaContext, row: DocumentRow): Promise<Document> {
  const document = showDocument(row, ctx.addresses)
  ctx.emit({ type: 'document.created', object: document })
  await ctx.enqueue(emitDocuments, {
    payload: { document_id: row.id },
    // One line for each empresa and tipo: folios are drawn in order there, and nobody else waits in it.
    lane: `${row.empresa_id}:${row.tipo_dte}`,
    due_at: new Date(row.created_at.getTime() + MODES[row.mode].emits_after_ms),
  })
  return document
}

async function externalIdTaken(ctx: EmpresaContext, row: DocumentRow): Promise<Problem> {
  const taken = await findByExternalId(ctx.sql, ctx.empresa, row.external_id ?? '')
  return new Problem('external_id_exists', { param: 'external_id', ...(taken && { existing_id: taken.id }) })
}

/** `POST /documents`: the row, its event, its job and the idempotent answer land in one statement, or none of them. */
export async function createDocument(ctx: EmpresaContext, input: CreateDocument): Promise<Document> {
  const row = newDocument(ctx, input, await composeDocument(ctx, input))
  ctx.write((when) => insertDocument(row, when), { document_external_id: () => externalIdTaken(ctx, row) })
  return announce(ctx, row)
}

/** The same inside a transaction that decides more than this: a nota of another document, a suggestion confirmed. */
export async function issueDocument(
  ctx: EmpresaContext,
  input: CreateDocument,
  more: Partial<Pick<DocumentRow, 'annuls_id'>> = {},
): Promise<Document> {
  const row = { ...newDocument(ctx, input, await composeDocument(ctx, input)), ...more }
  if (row.external_id !== null && (await findByExternalId(ctx.sql, ctx.empresa, row.external_id))) {
    throw await externalIdTaken(ctx, row)
  }
  await ctx.sql`${insertDocument(row, nothing)}`
  return announce(ctx, row)
}
