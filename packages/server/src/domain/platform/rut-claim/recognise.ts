import { type Sii, SiiUnreachable } from '../../../ports/sii.ts'
import { openParts } from '../certificate/lookup.ts'
import type { JudgedPfx } from '../certificate/upload.ts'
import type { RutClaim } from './open.ts'

/**
 * Asks the SII, as the holder of the certificate that was brought, whether it lets them act for the RUT: the one word about a
 * person and a company that neither of them can make up. The session is ended again unless the certificate stays with us.
 */
export async function askTheSii(sii: Sii, { rut }: RutClaim, pfx: JudgedPfx): Promise<boolean | 'unreachable'> {
  if (!sii.taxpayer) return false
  const { holder_rut, fingerprint_sha256: fingerprint } = pfx.facts
  const holder = { rut: holder_rut, fingerprint, ...(await openParts(pfx)) }
  let recognised = false
  try {
    recognised = (await sii.taxpayer.recognises({ rut, holder })) === true
    return recognised
  } catch (error) {
    if (error instanceof SiiUnreachable) return 'unreachable'
    throw error
  } finally {
    if (!recognised) await sii.logOut?.({ fingerprint }).catch(() => undefined)
  }
}
