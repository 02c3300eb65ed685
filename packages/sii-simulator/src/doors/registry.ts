import type { Door } from '../door.ts'
import type { SiiHost } from '../hosts.ts'
import { AUTHENTICATION_DOORS } from './authentication.ts'
import { BOLETA_DOORS } from './boleta.ts'
import { CERTIFICATION_DOORS } from './certification.ts'
import { BOLETA_CERTIFICATION_DOORS } from './certification-boletas.ts'
import { EXCHANGE_DOORS } from './certification-exchange.ts'
import { SAMPLE_DOORS } from './certification-samples.ts'
import { CESION_DOORS } from './cesion.ts'
import { CLAIM_DOORS } from './claims.ts'
import { COMPANY_DOORS } from './company-pages.ts'
import { CORREO_DOORS } from './correo.ts'
import { DOCUMENT_STATUS_DOORS } from './document-status.ts'
import { DTE_UPLOAD_DOOR } from './dte-upload.ts'
import { ENVELOPE_STATUS_DOORS } from './envelope-status.ts'
import { F29_DOORS } from './f29.ts'
import { RANGE_DOORS } from './folio-ranges.ts'
import { FOLIO_DOORS } from './folios.ts'
import { LOGIN_DOORS } from './login.ts'
import { RCV_DOORS } from './rcv.ts'
import { RCV_COMPLEMENT_DOORS } from './rcv-complements.ts'
import { SFG_DOORS } from './sfg.ts'
import { SFG_LIST_DOORS } from './sfg-lists.ts'

/** Every door of the SII that the simulator plays. A new file of doors is named here. */
export const DOORS: readonly Door[] = [
  ...AUTHENTICATION_DOORS,
  DTE_UPLOAD_DOOR,
  ...ENVELOPE_STATUS_DOORS,
  ...DOCUMENT_STATUS_DOORS,
  ...BOLETA_DOORS,
  ...LOGIN_DOORS,
  ...FOLIO_DOORS,
  ...RANGE_DOORS,
  ...COMPANY_DOORS,
  ...CERTIFICATION_DOORS,
  ...EXCHANGE_DOORS,
  ...SAMPLE_DOORS,
  ...BOLETA_CERTIFICATION_DOORS,
  ...CLAIM_DOORS,
  ...CESION_DOORS,
  ...CORREO_DOORS,
  ...RCV_DOORS,
  ...RCV_COMPLEMENT_DOORS,
  ...F29_DOORS,
  ...SFG_DOORS,
  ...SFG_LIST_DOORS,
]

export type FoundDoor = { door: Door; params: Record<string, string> }

export function findDoor(
  host: SiiHost,
  method: string,
  path: string,
  doors: readonly Door[] = DOORS,
): FoundDoor | null {
  for (const door of doors) {
    if (!door.hosts.includes(host)) continue
    if (door.method !== 'ANY' && door.method !== method) continue
    if (typeof door.path === 'string') {
      if (door.path === path) return { door, params: {} }
      continue
    }
    const match = door.path.exec(path)
    if (match && match[0] === path) return { door, params: { ...match.groups } }
  }
  return null
}
