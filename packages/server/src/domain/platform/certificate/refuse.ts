import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { SenderRefusalFacts, SiiRoad } from '../../../ports/sii.ts'
import type { JobTransaction } from '../../job.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import { beingTried, type CertificateRefusals, isDue, isPersonRefused, refusedAgain } from '../empresa/refusals.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { ADVICE } from './advice.ts'
import type { Authority } from './schema.ts'
import { showInEvent } from './show.ts'
import { findCertificate, saveAuthority } from './store.ts'

interface Locked {
  readonly empresa: EmpresaRow
  save(refused: CertificateRefusals): Promise<void>
}

/** The empresa before anything under it; null where it is gone. */
async function lock(tx: JobTransaction, scope: EmpresaScope): Promise<Locked | null> {
  const about = { id: scope.empresa_id, rut: scope.rut }
  const emit: JobTransaction['emit'] = (event) => tx.emit({ ...event, empresa: about })
  const ctx = { ...tx, emit, empresa: scope }
  const empresa = await lockForCustody(ctx).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  const save = (certificate_refused: CertificateRefusals, before: EmpresaRow) =>
    changeCustody(ctx, before, { certificate_refused })
  return empresa && { empresa, save: (refused) => save(refused, empresa) }
}

/** What the SII has against the empresa says nothing of the person: whether they may act stands as it was before. */
function authorityAfter(before: Authority, refused: CertificateRefusals): Authority {
  if (isPersonRefused(refused)) return 'refused'
  return before === 'refused' ? 'unproven' : before
}

/** Records that the SII does not let the holder send, and tells of it once. One that was replaced meanwhile is forgotten. */
export async function refuseCertificate(
  tx: JobTransaction,
  scope: EmpresaScope,
  { road, reason, sentence, fingerprint }: SenderRefusalFacts,
): Promise<void> {
  const locked = await lock(tx, scope)
  const row = locked && (await findCertificate(tx.sql, scope))
  if (row?.fingerprint_sha256 !== fingerprint) return
  const before = locked?.empresa.certificate_refused ?? {}
  const refused = { ...before, [road]: refusedAgain(before[road], { reason, sentence }, tx.now()) }
  const authority = authorityAfter(row.authority, refused)
  if (authority !== row.authority) await saveAuthority(tx.sql, scope, authority)
  await locked?.save(refused)
  if (before[road]) return
  tx.emit({
    type: 'certificate.refused',
    object: showInEvent({ ...row, authority, refused }, scope, tx.now()),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { road, reason, sentence, message: ADVICE[reason] },
  })
}

/** Claims the right to let one document through, where it is time to ask the SII again. */
export async function claimTrial(tx: JobTransaction, scope: EmpresaScope, road: SiiRoad): Promise<boolean> {
  const locked = await lock(tx, scope)
  const refusal = locked?.empresa.certificate_refused[road]
  if (!locked || !refusal || !isDue(refusal, tx.now())) return false
  await locked.save({ ...locked.empresa.certificate_refused, [road]: beingTried(refusal, tx.now()) })
  return true
}

/** The SII took something of the holder by a road on which it did not: false where it never had refused. */
export async function acceptCertificate(tx: JobTransaction, scope: EmpresaScope, road: SiiRoad): Promise<boolean> {
  const locked = await lock(tx, scope)
  if (!locked?.empresa.certificate_refused[road]) return false
  const { [road]: _, ...others } = locked.empresa.certificate_refused
  if (!isPersonRefused(others)) await saveAuthority(tx.sql, scope, 'proven')
  await locked.save(others)
  return true
}
