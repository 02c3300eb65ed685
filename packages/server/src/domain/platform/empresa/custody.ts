import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import { getsFolioFromSii } from './channels.ts'
import type { EmpresaRow } from './row.ts'

type Certified = Pick<EmpresaRow, 'mode' | 'certificate_until'>
type Custody = Certified & Pick<EmpresaRow, 'emission_channel' | 'has_sfg_credential'>

/** What is missing in custody: the steps of the onboarding by their keys, or a certificate that has ended. */
export type CustodyGap = 'certificate' | 'certificate_expired' | 'credential'

/** Whether the empresa has a certificate that signs for it at this moment. */
export function certificateGap({ mode, certificate_until }: Certified, now: Date): CustodyGap | null {
  if (!MODES[mode].needs_custody) return null
  if (certificate_until === null) return 'certificate'
  return certificate_until < now ? 'certificate_expired' : null
}

/**
 * The same for a tipo. What the free portal numbers it also signs, with the certificate that the SII keeps; everything
 * else is signed here, boletas on any channel.
 */
export function custodyGap(row: Custody, tipo_dte: number, now: Date): CustodyGap | null {
  if (!getsFolioFromSii(row.emission_channel, tipo_dte)) return certificateGap(row, now)
  return MODES[row.mode].needs_custody && !row.has_sfg_credential ? 'credential' : null
}

/** The refusal of what needs a certificate, once it has ended. */
export function certificateExpired({ certificate_until }: Pick<EmpresaRow, 'certificate_until'>): Problem {
  const details = { reason: 'certificate_expired', expired_at: certificate_until?.toISOString() ?? null }
  return new Problem('empresa_inactive', { message: 'The certificate of the empresa expired.', details })
}
