import type { Ambiente } from '../hosts.ts'

export type Resolution = { number: number; date: string }

/** What a person may do for a company at the SII (Manual de certificación: the user's five attributes). */
export const PERMISSIONS = ['administrador', 'solicitar_folios', 'anular_folios', 'firmar', 'enviar'] as const
export type Permission = (typeof PERMISSIONS)[number]

export type TaxpayerUser = { rut: string; permissions: Permission[] }

export type Taxpayer = {
  /** `76543210-3`: no dots, no leading zeros, K in capitals. */
  rut: string
  name: string
  giro: string
  address: string
  comuna: string
  actecos: string[]
  /** Null: none yet; the first envelope that arrives tells it, where registration is open. */
  resolutions: Record<Ambiente, Resolution | null>
  /** Tipos that it may emit; null means every one. */
  tipos: number[] | null
  /** Where result e-mails go ("mail contacto SII") and where its suppliers write ("mail intercambio"). */
  sii_mailbox: string | null
  exchange_mailbox: string | null
  /** Persons with permissions. Null: nobody was named, so that anybody may act, as suits a first try. */
  users: TaxpayerUser[] | null
  /** Its clave tributaria, for the portal; null: it has none. */
  clave: string | null
  /** Password of its certificate kept at the SII (SFG). */
  clave_centralizado: string | null
  /** Enrolled in the free invoicing system. */
  sfg: boolean
  authorised: boolean
  /** Tipos for which it has applied in certificación; null: it has not. */
  certifying: number[] | null
  /** Persons who may bind it (declaración de cumplimiento); null: nobody was named, and an administrator may. */
  representatives: string[] | null
  origin: 'registered' | 'first_seen'
  first_seen_at: number
}

export type IssuedCertificate = {
  serial: string
  rut: string
  name: string
  not_before: number
  not_after: number
  fingerprint_sha256: string
  revoked: boolean
}

export type Channel = 'dte' | 'boleta'

export type Seed = { seed: string; channel: Channel; ambiente: Ambiente; made_at: number; used: boolean }

export type Token = { token: string; rut: string; channel: Channel; ambiente: Ambiente; made_at: number }

/** `DTE-3-505`: section, level (3 refuses, 1 and 2 observe) and number. */
export type Finding = { code: string; glosa: string; detail: string | null }

/** What scripts decided for one upload at the hour it came. */
export type Fate = {
  /** The file was not found at the SII afterwards. */
  vof?: boolean
  /** It stays in CRT. */
  stuck?: boolean
  /** The same bytes came before; the state tells so (RPT). */
  repeated?: boolean
  /** Documents that passed get this reparo, or are refused for this; a folio narrows it to one. */
  findings?: { outcome: 'reparo' | 'rejected'; finding: Finding; folio: number | null }[]
}

export type UploadKind = 'EnvioDTE' | 'EnvioBOLETA' | 'ConsumoFolios' | 'LibroCompraVenta' | 'LibroGuia'

export type Upload = {
  /** As the SII writes it: ten digits with leading zeros in the DTE channel, fifteen in the boleta one. */
  track_id: string
  ambiente: Ambiente
  channel: Channel
  kind: UploadKind
  sender_rut: string
  company_rut: string
  file_name: string
  sha256: string
  size: number
  received_at: number
  verdict_at: number
  fate: Fate
  verdict: UploadVerdict | null
}

export type DocumentVerdict = {
  tipo: number
  folio: number
  emisor: string
  receptor: string
  fecha: string
  monto: number
  outcome: 'accepted' | 'reparo' | 'rejected'
  findings: Finding[]
}

export type Counter = { tipo: number; informados: number; aceptados: number; rechazados: number; reparos: number }

export type UploadVerdict = {
  /** EPR, RSC, RFR, RCT, RCH, VOF… */
  estado: string
  glosa: string
  findings: Finding[]
  documents: DocumentVerdict[]
  counters: Counter[]
}

export type Reference = { tipo: string; folio: string; cod_ref: number | null; fecha: string | null }

/** A document that the SII has received: accepted or with reparos. One that it refused leaves its folio free. */
export type SiiDocument = {
  ambiente: Ambiente
  emisor: string
  emisor_name: string
  tipo: number
  folio: number
  receptor: string
  receptor_name: string
  fecha: string
  monto: number
  neto: number
  exento: number
  iva: number
  /** `FmaPago`; null where the document does not tell. */
  forma_pago: number | null
  references: Reference[]
  signature_value: string
  outcome: 'accepted' | 'reparo'
  findings: Finding[]
  track_id: string
  received_at: number
  /** Notes that act on it, as they came. */
  notes: { tipo: number; folio: number; cod_ref: number }[]
}

export type Caf = {
  ambiente: Ambiente
  emisor: string
  tipo: number
  desde: number
  hasta: number
  /** `FA`, the day it was authorised. */
  fecha: string
  requested_by: string
  /** The whole AUTORIZACION as it was handed out. */
  xml: string
}

export type Mail = {
  id: string
  at: number
  to: string | null
  subject: string
  text: string
  attachment: { name: string; xml: string } | null
  /** Null: not given to an SMTP server (none was named, or nobody to write to). */
  sent_at: number | null
  error: string | null
}
