import { MODES } from '../../../catalog/modes.ts'
import { type Fragment, nothing, violatedConstraint } from '../../../kernel/db.ts'
import type { Refusals } from '../../../kernel/outbox.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { chargeAgent } from '../../platform/agent-grant/charge.ts'
import { annulledBy, notCreditable } from '../credit-note/rules.ts'
import { notInvoiceable } from '../guia/rules.ts'
import { committedBy } from './committed.ts'
import { composeDocument, newDocument } from './compose.ts'
import { findAnnulment } from './corrections.ts'
import type { CreateDocument } from './create-schema.ts'
import { insertGuiaInvoices, invoicesOf, newGuiaInvoices } from './guia-invoices.ts'
import { insertInFlight, newFlights } from './in-flight.ts'
import { emitDocuments } from './jobs.ts'
import type { Document, ReceptorSource } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { findByExternalId, insertDocuments, newDocuments } from './store.ts'

/** `hint` is the row where the same statement creates it: it need not be read again. */
export async function requestEmission(
  ctx: Pick<EmpresaContext, 'enqueue'>,
  row: DocumentRow,
  at: Date,
  hint?: DocumentRow,
): Promise<void> {
  await ctx.enqueue(emitDocuments, {
    payload: { document_id: row.id },
    // One lane for each empresa and tipo: folios are drawn in order within it, and no other empresa waits in it.
    lane: `${row.empresa_id}:${row.tipo_dte}`,
    due_at: new Date(at.getTime() + MODES[row.mode].emits_after_ms),
    hint,
  })
}

/** Emits the event of a new document and requests its emission. */
async function announce(ctx: EmpresaContext, row: DocumentRow): Promise<Document> {
  const document = showDocument(row, ctx.addresses)
  ctx.emit({ type: 'document.created', object: document })
  await requestEmission(ctx, row, row.created_at, row)
  return document
}

async function externalIdTaken(ctx: EmpresaContext, row: DocumentRow): Promise<Problem> {
  const existing = await findByExternalId(ctx.sql, ctx.empresa, row.external_id ?? '')
  return new Problem('external_id_exists', { param: 'external_id', ...(existing && { existing_id: existing.id }) })
}

async function alreadyAnnulled(ctx: EmpresaContext, row: DocumentRow): Promise<Problem> {
  const note = await findAnnulment(ctx.sql, ctx.empresa, row.annuls_id ?? '')
  return note ? annulledBy(note) : notCreditable('annulment_in_progress', {})
}

const refusalsOf = (ctx: EmpresaContext, row: DocumentRow): Refusals => ({
  document_external_id: () => externalIdTaken(ctx, row),
  document_annulled_once: () => alreadyAnnulled(ctx, row),
})

/** `POST /documents`: the row, its event, its job and the idempotent answer land in one statement, or none of them. */
export async function createDocument(ctx: EmpresaContext, input: CreateDocument): Promise<Document> {
  // Locks the grant: an agent's spending cap must hold under concurrency, and that takes a transaction.
  if (ctx.caller.kind === 'agent') return issueDocument(ctx, input)
  const composed = await composeDocument(ctx, input)
  const row = newDocument(ctx, input, composed)
  const { guia_ids } = composed
  ctx.write(newDocuments, [row], refusalsOf(ctx, row))
  ctx.write(newFlights, [row])
  if (guia_ids.length > 0) {
    ctx.write(newGuiaInvoices, invoicesOf(row, guia_ids), {
      guia_invoiced_once: async () => notInvoiceable('already_invoiced'),
    })
  }
  return announce(ctx, row)
}

/** The sources of a receptor that the service filled in itself: no request carried it. */
function sourcedFrom(source: ReceptorSource, { receptor_sources }: DocumentRow): DocumentRow['receptor_sources'] {
  const entries = Object.entries(receptor_sources)
  return Object.fromEntries(entries.map(([field, from]) => [field, from === 'request' ? source : from]))
}

/** Explains a unique violation: a concurrent request came first. */
function overtaken(error: unknown): unknown {
  const constraint = violatedConstraint(error)
  if (constraint === 'document_external_id') return new Problem('external_id_exists', { param: 'external_id' })
  if (constraint === 'document_annulled_once') return notCreditable('annulment_in_progress', {})
  if (constraint === 'guia_invoiced_once') return notInvoiceable('already_invoiced')
  return error
}

/** The same inside a transaction that decides more than this: a nota of another document, a suggestion confirmed. */
export async function issueDocument(
  ctx: EmpresaContext,
  input: CreateDocument,
  { receptor_from = 'request' }: { readonly receptor_from?: ReceptorSource } = {},
): Promise<Document> {
  const composed = await composeDocument(ctx, input)
  const created = newDocument(ctx, input, composed)
  const row = { ...created, receptor_sources: sourcedFrom(receptor_from, created) }
  if (row.external_id !== null && (await findByExternalId(ctx.sql, ctx.empresa, row.external_id))) {
    throw await externalIdTaken(ctx, row)
  }
  const insert = (rows: Fragment) =>
    ctx.sql`${rows}`.catch((error: unknown) => {
      throw overtaken(error)
    })
  await insert(insertDocuments([row], nothing))
  await insert(insertInFlight([row], nothing))
  const invoices = invoicesOf(row, composed.guia_ids)
  if (invoices.length > 0) await insert(insertGuiaInvoices(invoices, nothing))
  const amount = committedBy(composed.priced.totals)
  await chargeAgent(ctx, { tipo_dte: row.tipo_dte, rut: row.receptor_rut, amount })
  return announce(ctx, row)
}
