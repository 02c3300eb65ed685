import { santiagoDate } from '@timbre/dte/values'
import { type AsRead, asRead } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, Landing } from '../../job.ts'
import type { DrawnFolio } from '../folio/draw.ts'
import { planDraw, plannedDraws } from '../folio/plan-draw.ts'
import { unchangedDocuments } from './advance.ts'
import { journalOfNumbered, type NumberedDocument, type QueuedRow } from './emission-store.ts'
import { signDocuments } from './sign.ts'
import { appendedJournal, packJournal } from './store.ts'

/** Documents with the folios that come next, signed. */
export interface SignedAhead {
  readonly documents: readonly { readonly row: QueuedRow; readonly xml: Uint8Array }[]
  readonly files: readonly NumberedDocument[]
  /** What must be as it was read when they land. */
  readonly as_read: readonly AsRead[]
  /** Gathers what a draw records, and what the journals tell of it. */
  readonly gatherDraw: (landing: Landing) => void
}

/**
 * Signs documents that have neither folio nor XML with the folios that come next, before those are drawn: the statement that lands draws
 * them only if nobody drew meanwhile, and until it landed the signatures are nobody's. Null where that does not do: folios are few,
 * the first of the day, or a document cannot be built.
 */
export async function signAhead(
  ctx: JobContext,
  scope: EmpresaScope,
  batch: readonly QueuedRow[],
): Promise<SignedAhead | null> {
  const [first] = batch
  if (!first || batch.some(({ folio, xml }) => folio !== null || xml !== null)) return null
  const at = ctx.now()
  const draw = await planDraw(ctx.sql, scope, first.tipo_dte, batch.length, santiagoDate(at))
  if (!draw) return null
  const numbered = batch.map((row, i) => {
    const { folio, caf_id } = draw.folios[i] as DrawnFolio
    return { ...row, folio, caf_id }
  })
  const { signed, failed } = await signDocuments(ctx, scope, numbered)
  if (failed.length > 0) return null
  const xmls = new Map(signed.map(({ id, xml }) => [id, xml]))
  const documents = numbered.flatMap((row) => {
    const xml = xmls.get(row.id)
    return xml ? [{ row, xml }] : []
  })
  const { account_id, empresa_id, mode } = scope
  const files = documents.map(({ row: { id }, xml }, i) => {
    const { folio, caf_id } = draw.folios[i] as DrawnFolio
    return { id, xml, folio, caf_id, account_id, empresa_id, mode }
  })
  return {
    documents,
    files,
    as_read: [asRead(unchangedDocuments, batch), draw.as_read],
    gatherDraw(landing) {
      landing.gather(plannedDraws, [draw.record])
      landing.gather(appendedJournal, packJournal(scope, journalOfNumbered(files), at))
    },
  }
}
