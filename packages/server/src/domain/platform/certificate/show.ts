import { DAY_MS } from '@timbre/dte/values'
import { CERTIFICATES } from '../../../catalog/limits.ts'
import type { Mode } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type CertificateRefusals, refusalsIn } from '../empresa/refusals.ts'
import { ADVICE } from './advice.ts'
import type { Authority, Certificate, Chain } from './schema.ts'

/** The row without what is sealed: only `openIdentity` opens that. */
export interface CertificateRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly fingerprint_sha256: string
  readonly holder_rut: string
  readonly holder_name: string
  readonly issuer: string
  readonly serial: string
  readonly not_before: Date
  readonly not_after: Date
  readonly authority: Authority
  readonly chain: Chain
  readonly uploaded_at: Date
  /** What the SII said where it does not let the holder send. */
  readonly refused: CertificateRefusals
  readonly last_used_at: Date | null
  /** Who signed the mandato that stands. */
  readonly mandato_signer: Certificate['mandato_signer']
}

export type Served = Certificate['empresas'][number]

const [FIRST_ALERT] = CERTIFICATES.expiring_days

/** Its last second is still a good one. */
export function statusOf({ not_after }: Pick<CertificateRow, 'not_after'>, now: Date): Certificate['status'] {
  if (not_after < now) return 'expired'
  return not_after.getTime() - FIRST_ALERT * DAY_MS <= now.getTime() ? 'expiring' : 'active'
}

/** A certificate as of an instant. Its key is never shown. */
export function showCertificate(
  row: CertificateRow,
  { rut }: Pick<EmpresaScope, 'rut'>,
  empresas: readonly Served[],
  now: Date,
): Certificate {
  return {
    object: 'certificate',
    id: row.id,
    mode: row.mode,
    status: statusOf(row, now),
    holder: { rut: row.holder_rut, name: row.holder_name },
    empresa_rut: rut,
    mandato_signer: row.mandato_signer,
    authority: row.authority,
    refusals: refusalsIn(row.refused).map(({ road, reason, sentence, at }) => ({
      road,
      reason,
      sentence,
      advice: ADVICE[reason],
      refused_at: at,
    })),
    chain: row.chain,
    issuer: row.issuer,
    serial: row.serial,
    not_before: row.not_before.toISOString(),
    not_after: row.not_after.toISOString(),
    fingerprint_sha256: row.fingerprint_sha256,
    empresas: [...empresas],
    uploaded_at: row.uploaded_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

/** The same for an event: whoever reads those of one empresa learns of no other. */
export function showInEvent(row: CertificateRow, scope: EmpresaScope, now: Date): Certificate {
  return showCertificate(row, scope, [{ id: scope.empresa_id, rut: scope.rut }], now)
}
