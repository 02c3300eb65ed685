import type { Mode } from '../../../catalog/modes.ts'
import type { StepStatuses } from '../onboarding/status.ts'
import type { EmissionChannel, Origen } from './channels.ts'
import type { CertificateRefusals } from './refusals.ts'
import type { DocumentRefusals } from './refused-documents.ts'
import type { Empresa, VerificationRequest } from './schema.ts'

/**
 * What showed that a RUT is its account's to use. `published`: the SII publishes that the RUT emits, which anybody reads, to an empresa
 * that came so far. `signer`: an accredited CA names, as the holder of the certificate in custody, the person who signed the
 * mandato on a page of ours; whether they represent the RUT is their word. `taxpayer`: it names the RUT itself. `sii`: the SII
 * lets the holder work for the RUT.
 */
export type RutProof = 'published' | 'signer' | 'taxpayer' | 'sii'

export interface EmpresaRow {
  readonly account_id: string
  readonly id: string
  readonly mode: Mode
  readonly rut: string
  readonly legal_name: string
  readonly giro: string | null
  readonly acteco: number[]
  readonly street: string | null
  readonly comuna: string | null
  readonly city: string | null
  readonly codigo_sucursal: string | null
  readonly contact_email: string | null
  readonly emission_channel: EmissionChannel
  readonly certification_track: Empresa['certification_track']
  readonly doc_types: number[]
  readonly origen: Origen
  readonly reception_email: string | null
  readonly status: Empresa['status']
  readonly iva_shape: string | null
  /** From when it may issue documents that count; null while it is on its way. */
  readonly emitting_since: Date | null
  /** Tipos that the SII is known to let the taxpayer issue with software of its own. */
  readonly certified_tipos: number[]
  /** The steps of its onboarding; null for one that is born emitting and rehearses none. */
  readonly steps: StepStatuses | null
  readonly resolucion_numero: number | null
  readonly resolucion_fecha: string | null
  readonly resolucion_status: 'pending_verification' | 'verified' | 'refused' | null
  readonly resolucion_verified_at: Date | null
  readonly resolucion_request: VerificationRequest | null
  readonly resolucion_asked_by: string | null
  readonly resolucion_asked_at: Date | null
  readonly resolucion_refusal: string | null
  readonly resolucion_boletas_fecha: string | null
  readonly boleta_emission_enabled_at: Date | null
  /** Until when its certificate is valid; null while it has none. */
  readonly certificate_until: Date | null
  /** By which roads the SII does not let its holder send. */
  readonly certificate_refused: CertificateRefusals
  /** Which of its tipos the SII refused again and again for a reason that lies in its data. */
  readonly documents_refused: DocumentRefusals
  readonly has_sfg_credential: boolean
  /** When the SII refused the credential that is in custody; null while it did not. */
  readonly sfg_refused_at: Date | null
  readonly created_at: Date
  /** What showed that the RUT is the account's to use; null while nothing did. */
  readonly rut_proof: RutProof | null
  /** When the account was told that the empresa will be archived unless something does. */
  readonly rut_warned_at: Date | null
  /** Others may have the RUT now: the empresa is over. */
  readonly rut_released: boolean
}
