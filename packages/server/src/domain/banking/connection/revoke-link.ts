import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { BankFailure } from '../../../ports/bank.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { type RevokeLinkOrder, revokeLink } from './jobs.ts'
import { openToken } from './token.ts'

/** Enqueues the revocation of a link at the provider, unless it is the one in use. */
export async function enqueueRevocation(
  tx: Pick<JobTransaction, 'ports' | 'enqueue'> & { readonly empresa: EmpresaScope },
  connection_id: string,
  sealed: Buffer | null,
  in_use: string | null,
): Promise<void> {
  if (!sealed || openToken(tx.ports.vault, connection_id, sealed) === in_use) return
  await tx.enqueue(revokeLink, {
    payload: { connection_id, sealed: sealed.toString('base64') },
    empresa_id: tx.empresa.empresa_id,
  })
}

/** Handles the job: deletes a link at the provider. One that the provider does not know any more is done. */
export async function revokeAtProvider(
  ctx: JobContext,
  { connection_id, sealed }: RevokeLinkOrder,
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
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
