import type { JobOutcome } from '../../../kernel/job.ts'
import { BankFailure } from '../../../ports/bank.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import type { ForgetOrder } from './jobs.ts'
import { openToken } from './token.ts'

/** Tells the provider to forget a link. One that it does not know any more is forgotten. */
export async function runForget(ctx: JobContext, { connection_id, sealed }: ForgetOrder): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const link_token = openToken(ctx.ports.vault, connection_id, Buffer.from(sealed, 'base64'))
  try {
    await ctx.ports.bank[scope.mode].forget({ empresa: scope, connection_id, link_token, at: ctx.now() })
  } catch (error) {
    if (!(error instanceof BankFailure) || error.reason !== 'gone') throw error
  }
  return 'done'
}
