import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { type LeftCustody, logOutCertificate } from './jobs.ts'
import type { CertificateRow } from './show.ts'
import { findKnownId } from './store.ts'

/** Whoever takes a certificate out of custody has the SII told after the commit. */
export async function askLogOut(
  { enqueue, ports }: Pick<EmpresaContext, 'enqueue' | 'ports'>,
  { account_id, mode, fingerprint_sha256: fingerprint }: CertificateRow,
): Promise<void> {
  if (ports.sii[mode].logOut) {
    await enqueue(logOutCertificate, { payload: { account_id, mode, fingerprint }, empresa_id: null })
  }
}

/**
 * Ends the session that the portal opened for a certificate: it would count against the person's cap for hours. While
 * another empresa of the account has the same certificate, the session is in use and stays.
 */
export async function endSession(
  ctx: Pick<JobContext, 'sql' | 'ports'>,
  { account_id, mode, fingerprint }: LeftCustody,
): Promise<JobOutcome> {
  if ((await findKnownId(ctx.sql, { account_id, mode }, fingerprint)) !== null) return 'done'
  await ctx.ports.sii[mode].logOut?.({ fingerprint })
  return 'done'
}
