import { part, violatedConstraint } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { custodyGap, worthless } from '../../platform/empresa/custody.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { lockOriginalOf, refuseOvertaken } from '../credit-note/credited.ts'
import { notCreditable } from '../credit-note/rules.ts'
import { notInvoiceable } from '../guia/rules.ts'
import { advanceDocuments } from './advance.ts'
import { tryHeld } from './brake.ts'
import { requestEmission } from './create.ts'
import { retakeGuias } from './guia-invoices.ts'
import { retryLost, waitsForPerson } from './lost.ts'
import { findDocument, lockDocument } from './read.ts'
import type { Document, DocumentPath } from './schema.ts'
import { showDocument } from './show.ts'

/**
 * Queues a failed document again. It keeps the folio it drew and the XML that was signed, so no folio is lost. One that
 * the SII lost is sent again as it is.
 */
export async function retryDocument(ctx: EmpresaContext, { document_id }: DocumentPath): Promise<Document> {
  // The empresa before anything under it.
  const queued = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (queued?.status === 'queued' && (await tryHeld(ctx, ctx.empresa, queued.tipo_dte))) {
    return showDocument(queued, ctx.addresses)
  }
  const original = await lockOriginalOf(ctx, { document_id })
  const failed = await lockDocument(ctx, { document_id })
  if (waitsForPerson(failed)) return showDocument(await retryLost(ctx, failed), ctx.addresses)
  const { status } = failed
  if (status !== 'failed') throw new Problem('document_not_failed', { details: { status } })
  const emisor = await readEmisor(ctx)
  const { emission_channel } = failed
  const gap = custodyGap({ ...emisor, emission_channel }, failed.tipo_dte, ctx.now())
  const refusal = worthless(gap, emisor, failed.tipo_dte, ctx.now())
  if (refusal) throw refusal
  if (original) await refuseOvertaken(ctx, failed, original)
  await retakeGuias(ctx.sql, ctx.empresa, document_id).catch((error: unknown) => {
    throw violatedConstraint(error) === 'guia_invoiced_once' ? notInvoiceable('already_invoiced') : error
  })
  const set = part`, failure = null`
  const transition = { trigger: 'retried', ids: [document_id], set, detail: () => ({}) } as const
  const [row] = await advanceDocuments(ctx, ctx.empresa, transition).catch((error: unknown) => {
    // Another nota annulled the original after this one failed: a document is annulled once.
    if (violatedConstraint(error) === 'document_annulled_once') throw notCreditable('annulment_in_progress', {})
    throw error
  })
  await requestEmission(ctx, failed, ctx.now())
  return showDocument(row ?? failed, ctx.addresses)
}
