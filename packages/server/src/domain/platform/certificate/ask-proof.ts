import { MODES } from '../../../catalog/modes.ts'
import { HOUR_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../empresa/job-empresa.ts'
import { isBeyondDoubt, recordRutProof } from '../empresa/proof.ts'
import { askHolderProof } from './jobs.ts'
import { openIdentity } from './lookup.ts'

/** Whenever a certificate comes into custody, where there is an SII to ask about its holder. */
export async function requestProof(
  { ports, enqueue }: Pick<EmpresaContext, 'ports' | 'enqueue'>,
  { mode, empresa_id }: EmpresaScope,
): Promise<void> {
  if (!MODES[mode].rut_needs_proof || !ports.sii[mode].taxpayer) return
  await enqueue(askHolderProof, { payload: {}, key: empresa_id, empresa_id })
}

/**
 * Asks the SII, as the holder of the certificate in custody, whether they may act for the RUT. Its yes proves the RUT, however
 * the mandato was recorded: an account that works over the API alone has nothing else to show in its first weeks.
 */
export async function askForProof(ctx: JobContext, scope: EmpresaScope): Promise<void> {
  const { taxpayer } = ctx.ports.sii[scope.mode]
  const identity = taxpayer && (await openIdentity(ctx.sql, ctx.ports.vault, scope))
  if (!identity) return
  const { holder_rut, fingerprint_sha256: fingerprint, signer, tls } = identity
  const holder = { rut: holder_rut, fingerprint, signer, tls }
  if (!(await taxpayer.recognises({ rut: scope.rut, holder }))) return
  await ctx.transact((tx) => recordRutProof(tx.sql, scope, 'sii', tx.now(), holder_rut))
}

/** One question, asked again each hour while the SII is away. */
export async function proveByHolder(ctx: JobContext): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (empresa?.row.status !== 'active' || isBeyondDoubt(empresa.row)) return 'done'
  try {
    await askForProof(ctx, empresa.scope)
    return 'done'
  } catch (error) {
    if (error instanceof SiiUnreachable) return { again_at: secondsFrom(ctx.now(), HOUR_SECONDS) }
    throw error
  }
}
