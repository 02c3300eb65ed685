import type { JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import type { PolledEnvelope } from './jobs.ts'
import { pollSii } from './poll-sii.ts'

/** Asks once more, and sends again what the SII still does not have. The job that follows the envelope goes on beside. */
export async function resendLost(
  ctx: JobContext,
  envelope: Pick<PolledEnvelope, 'envelope_key' | 'document_ids'>,
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  await ctx.ports.sii[scope.mode].allowResend?.({ empresa: scope, envelope_key: envelope.envelope_key })
  await pollSii(ctx, envelope)
  return 'done'
}
