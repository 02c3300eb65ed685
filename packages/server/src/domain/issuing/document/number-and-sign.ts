import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { keptXml, numberedDocuments, type QueuedRow } from './emission-store.ts'
import { signAhead } from './sign-ahead.ts'
import type { SignedDocument } from './sign-anew.ts'

/**
 * Numbers, signs and stores documents that have neither folio nor XML, in one statement. Null where that does not do, and each step takes
 * its own transaction: they cannot be signed ahead, somebody else drew meanwhile, or one was touched.
 */
export async function numberAndSign(
  ctx: JobContext,
  scope: EmpresaScope,
  batch: readonly QueuedRow[],
): Promise<SignedDocument[] | null> {
  const ahead = await signAhead(ctx, scope, batch)
  if (!ahead) return null
  const version = await ctx.land(ahead.as_read, (landing) => {
    landing.gather(numberedDocuments, ahead.files)
    landing.gather(keptXml, ahead.files)
    ahead.gatherDraw(landing)
  })
  return version === null
    ? null
    : ahead.documents.map(({ row, xml }) => ({ row: { ...row, version }, xml, is_current: true }))
}
