import { santiagoDate } from '@timbre/dte/values'
import { asRead } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import type { DrawnFolio } from '../folio/draw.ts'
import { planDraw, plannedDraws } from '../folio/plan-draw.ts'
import { unchangedDocuments } from './advance.ts'
import { journalOfNumbered, numberedDocuments, type QueuedRow } from './emission-store.ts'
import { signDocuments } from './sign.ts'
import type { SignedDocument } from './sign-anew.ts'
import { appendedJournal, packJournal } from './store.ts'

/**
 * Numbers, signs and stores documents that have neither folio nor XML, in one statement. They are signed with the folios
 * that come next before those are drawn: the statement draws them only if nobody drew meanwhile, and until it landed the
 * signatures are nobody's. Null where that does not do, and each step takes its own transaction: folios are few, the first
 * of the day, or taken by somebody else; a document cannot be built, or was touched.
 */
export async function numberAndSign(
  ctx: JobContext,
  scope: EmpresaScope,
  batch: readonly QueuedRow[],
): Promise<SignedDocument[] | null> {
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
  const version = await ctx.land([asRead(unchangedDocuments, batch), draw.as_read], (landing) => {
    landing.gather(plannedDraws, [draw.record])
    landing.gather(numberedDocuments, files)
    landing.gather(appendedJournal, packJournal(scope, journalOfNumbered(files), at))
  })
  return version === null
    ? null
    : documents.map(({ row, xml }) => ({ row: { ...row, version }, xml, is_current: true }))
}
