import type { Resolucion } from '@timbre/dte/emission'
import type { JobContext } from '../../job.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { roadOf } from '../../platform/empresa/refusals.ts'
import { areKnown } from '../counterparty/infer.ts'
import { emittedDocuments } from './advance.ts'
import { keptXml, type QueuedRow } from './emission-store.ts'
import { signAhead } from './sign-ahead.ts'
import { type EmissionJobs, gatherSent, handOver } from './submit.ts'

/**
 * Numbers, signs and sends documents in one statement, where handing them over leaves nothing behind: what was signed with folios that
 * somebody else drew meanwhile, and handed over, never was. Gives the jobs that ended with it. Null where it is not to be, or where it did
 * not land: then what is numbered and signed is kept before it is sent.
 */
export async function emitAtOnce(
  ctx: JobContext,
  empresa: JobEmpresa,
  resolucion: Resolucion,
  batch: readonly QueuedRow[],
  jobs: EmissionJobs,
): Promise<readonly string[] | null> {
  const { scope, row } = empresa
  const sii = ctx.ports.sii[scope.mode]
  const is_begun = batch.some(({ folio, xml }) => folio !== null || xml !== null)
  const was_refused = batch.some(({ tipo_dte }) => row.certificate_refused[roadOf(tipo_dte)] !== undefined)
  if (is_begun || was_refused || !sii.submitsWithoutTrace?.(batch)) return null
  const receptors = batch.map(({ draft }) => draft.receptor)
  if (!(await areKnown(ctx.sql, scope, receptors))) return null
  const ahead = await signAhead(ctx, scope, batch)
  if (!ahead) return null
  const { refused, ...received } = await handOver(ctx, empresa, resolucion, ahead.documents)
  if (refused.length > 0) return null
  const rows = ahead.documents.map((document) => document.row)
  const ends = rows.flatMap(({ id }) => jobs.get(id) ?? [])
  const landed = await ctx.land(
    ahead.as_read,
    (landing) => {
      landing.gather(keptXml, ahead.files)
      ahead.gatherDraw(landing)
      gatherSent(landing, empresa, received, rows, emittedDocuments)
    },
    ends,
  )
  return landed === null ? null : ends
}
