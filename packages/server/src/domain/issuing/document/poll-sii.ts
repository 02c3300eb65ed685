import type { JobOutcome } from '../../../kernel/job.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { sentUnder } from './emission-store.ts'
import { settleDocuments } from './settle.ts'
import { asSiiDocument } from './sii-document.ts'

/**
 * Asks the SII what became of the documents of an envelope until each has its answer. The question is asked outside
 * any transaction; what it answered is written in one, with the journal and the events.
 */
export async function pollSii(ctx: JobContext, { track_id }: { track_id: string }): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const rows = await sentUnder(ctx.sql, scope, track_id)
  if (rows.length === 0) return 'done'
  const question = { empresa: scope, track_id, documents: rows.map(asSiiDocument), at: ctx.now() }
  const status = await ctx.ports.sii[scope.mode].statusOf(question).catch((error: unknown) => {
    // It will answer some day, and until then the document is what it is: sent.
    if (error instanceof SiiUnreachable) return null
    throw error
  })
  if (!status) return 'not_yet'
  if (status.verdicts.size > 0) await ctx.transact((tx) => settleDocuments(tx, scope, status.verdicts))
  if (rows.every(({ id }) => status.verdicts.has(id))) return 'done'
  return status.ask_at ? { again_at: status.ask_at } : 'not_yet'
}
