import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import { getsFolioFromSii } from './channels.ts'
import { type CertificateRefusal, isDue, roadOf } from './refusals.ts'
import { holdOf, isWorthATry } from './refused-documents.ts'
import type { EmpresaRow } from './row.ts'

type Certified = Pick<EmpresaRow, 'mode' | 'certificate_until'>
type Custody = Certified &
  Pick<
    EmpresaRow,
    'emission_channel' | 'certificate_refused' | 'documents_refused' | 'has_sfg_credential' | 'sfg_refused_at'
  >

/** What is missing in custody: the steps of the onboarding by their keys, or what stands there and is worth nothing. */
export type CustodyGap =
  | 'certificate'
  | 'certificate_expired'
  | 'certificate_refused'
  | 'documents_refused'
  | 'credential'
  | 'credential_refused'

/** Whether the empresa has a certificate that signs for it at this moment. */
export function certificateGap({ mode, certificate_until }: Certified, now: Date): CustodyGap | null {
  if (!MODES[mode].needs_custody) return null
  if (certificate_until === null) return 'certificate'
  return certificate_until < now ? 'certificate_expired' : null
}

/**
 * The same for a tipo. What the free portal numbers it also signs, with the certificate that the SII keeps and its
 * password; the certificate in custody opens the session. A password that the SII refused is not tried again: whoever
 * tries on may have it blocked. What is sent under the certificate waits where the SII does not let its holder send; from
 * time to time one document is let through to ask again.
 */
export function custodyGap(row: Custody, tipo_dte: number, now: Date): CustodyGap | null {
  if (getsFolioFromSii(row.emission_channel, tipo_dte) && MODES[row.mode].needs_custody) {
    if (!row.has_sfg_credential) return 'credential'
    if (row.sfg_refused_at !== null) return 'credential_refused'
    return certificateGap(row, now)
  }
  const refused = MODES[row.mode].needs_custody && row.certificate_refused[roadOf(tipo_dte)] !== undefined
  if (refused) return certificateGap(row, now) ?? 'certificate_refused'
  return certificateGap(row, now) ?? (holdOf(row, tipo_dte) ? 'documents_refused' : null)
}

/** The refusal of what stands in custody and is worth nothing; null for a gap that is a step of the onboarding, or none. */
export function worthless(gap: string | null, row: EmpresaRow, tipo_dte: number, now: Date): Problem | null {
  if (gap === 'certificate_expired') return certificateExpired(row)
  if (gap === 'certificate_refused') return certificateRefused(row.certificate_refused[roadOf(tipo_dte)], now)
  if (gap === 'documents_refused') return documentsRefused(row, tipo_dte, now)
  if (gap !== 'credential_refused') return null
  const details = { reason: 'sfg_credential_refused', refused_at: row.sfg_refused_at?.toISOString() ?? null }
  const message = 'The SII refused the SFG credential of the empresa.'
  return new Problem('empresa_inactive', { message, details })
}

/** Null when it is time to ask the SII again: where no document waits to be tried, the next one is let in. */
function certificateRefused(refusal: CertificateRefusal | undefined, now: Date): Problem | null {
  if (!refusal || isDue(refusal, now)) return null
  const { sentence, at, retry_at, reason: because } = refusal
  const words = sentence === null ? '' : ` Its words: ${sentence}`
  const refused =
    because === 'empresa_not_authorised'
      ? 'The SII does not have the empresa as authorised to issue electronic documents.'
      : 'The SII does not take what the holder of the certificate sends for the empresa.'
  const message = `${refused}${words}`
  const details = { reason: 'certificate_refused', because, sentence, refused_at: at, tried_again_at: retry_at }
  return new Problem('empresa_inactive', { message, details })
}

/** Null when one may be tried again, because it is time or the data are others. */
function documentsRefused(row: EmpresaRow, tipo_dte: number, now: Date): Problem | null {
  const hold = holdOf(row, tipo_dte)
  if (!hold || isWorthATry(row, hold, now)) return null
  const { code: because, sentence, at, retry_at, refusals } = hold
  const message = `The SII refused ${refusals} documents of tipo ${tipo_dte} in a row for the data of the empresa: correct them. Its words: ${sentence}`
  const details = { reason: 'documents_refused', because, sentence, refused_at: at, tried_again_at: retry_at }
  return new Problem('empresa_inactive', { message, details })
}

/** The refusal of what needs a certificate, once it has ended. */
export function certificateExpired({ certificate_until }: Pick<EmpresaRow, 'certificate_until'>): Problem {
  const details = { reason: 'certificate_expired', expired_at: certificate_until?.toISOString() ?? null }
  return new Problem('empresa_inactive', { message: 'The certificate of the empresa expired.', details })
}
