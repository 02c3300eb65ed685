import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import { getsFolioFromSii } from './channels.ts'
import type { EmpresaRow } from './row.ts'

type Certified = Pick<EmpresaRow, 'mode' | 'certificate_until'>
type Custody = Certified & Pick<EmpresaRow, 'emission_channel' | 'has_sfg_credential' | 'sfg_refused_at'>

/** What is missing in custody: the steps of the onboarding by their keys, or what stands there and is worth nothing. */
export type CustodyGap = 'certificate' | 'certificate_expired' | 'credential' | 'credential_refused'

/** Whether the empresa has a certificate that signs for it at this moment. */
export function certificateGap({ mode, certificate_until }: Certified, now: Date): CustodyGap | null {
  if (!MODES[mode].needs_custody) return null
  if (certificate_until === null) return 'certificate'
  return certificate_until < now ? 'certificate_expired' : null
}

/**
 * The same for a tipo. What the free portal numbers it also signs, with the certificate that the SII keeps and its
 * password; the certificate in custody opens the session. A password that the SII refused is not tried again: whoever
 * tries on may have it blocked.
 */
export function custodyGap(row: Custody, tipo_dte: number, now: Date): CustodyGap | null {
  if (getsFolioFromSii(row.emission_channel, tipo_dte) && MODES[row.mode].needs_custody) {
    if (!row.has_sfg_credential) return 'credential'
    if (row.sfg_refused_at !== null) return 'credential_refused'
  }
  return certificateGap(row, now)
}

/** The refusal of what stands in custody and is worth nothing; null for a gap that is a step of the onboarding. */
export function worthless(
  gap: string | null,
  row: Pick<EmpresaRow, 'certificate_until' | 'sfg_refused_at'>,
): Problem | null {
  if (gap === 'certificate_expired') return certificateExpired(row)
  if (gap !== 'credential_refused') return null
  const details = { reason: 'sfg_credential_refused', refused_at: row.sfg_refused_at?.toISOString() ?? null }
  const message = 'The SII refused the SFG credential of the empresa.'
  return new Problem('empresa_inactive', { message, details })
}

/** The refusal of what needs a certificate, once it has ended. */
export function certificateExpired({ certificate_until }: Pick<EmpresaRow, 'certificate_until'>): Problem {
  const details = { reason: 'certificate_expired', expired_at: certificate_until?.toISOString() ?? null }
  return new Problem('empresa_inactive', { message: 'The certificate of the empresa expired.', details })
}
