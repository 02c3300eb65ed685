import type { KeyObject } from 'node:crypto'
import type { Ambiente } from '../hosts.ts'

/** A taxpayer as the SII has it on record. `null` in a list means that nothing was recorded, so any value is taken. */
export interface Taxpayer {
  rut: string
  /** The pair that the carátula must repeat (CRT-3-19); `null` while the SII holds none: then the first one seen is taken. */
  resolution: { number: number; date: string } | null
  /** Tipos that it may emit. */
  tipos: readonly number[] | null
  /** Economic activities on record (HED-3-861). */
  actecos: readonly string[] | null
}

/** A document that the SII has received: one it refused is none, for its folio is free again. */
export interface KnownDocument {
  receptor: string
  fecha: string
  monto: number
  signature_value: string
}

/** What the SII knows when it looks at a file. */
export interface VerifyView {
  /** `rutSender` of the upload, the holder of the session. */
  sender_rut: string
  /** `rutCompany` of the upload. */
  company_rut: string
  ambiente: Ambiente
  /** The door: `dte` is DTEUpload, `boleta` the REST one. */
  channel: 'dte' | 'boleta'
  /** The civil date in Santiago. */
  today: string
  taxpayer(rut: string): Taxpayer | null
  document(emisor: string, tipo: number, folio: number): KnownDocument | null
  /** Whether the sender may send documents of the company. */
  mayFile(sender: string, company: string): boolean
  /** Whether this person may sign documents of the company. */
  maySign(signer: string, company: string): boolean
  /** Whether the folio was annulled before it was used. Absent: none was. */
  isAnnulled?(emisor: string, tipo: number, folio: number): boolean
  /** The key that signs CAFs in this ambiente. Absent: any that the verifier knows. */
  idk?: string
  /** Whether the SII gave this range. Absent: its signature is enough. */
  hasGiven?(range: CafRange): boolean
  /** Whether the SII has processed such a book before. Absent: it has not. */
  hasBook?(book: WholeBook): boolean
}

/** A whole book, of which a company has one for each period. */
export interface WholeBook {
  kind: FileKind
  emisor: string
  /** `COMPRA` or `VENTA`; none of guías. */
  operation: string | null
  /** `YYYY-MM` */
  period: string
}

export interface CafRange {
  emisor: string
  tipo: number
  first: number
  last: number
  /** Date of authorisation, FA. */
  date: string
  idk: string
}

/** One remark of the SII. The level is the middle digit: 3 refuses, 1 and 2 only observe. */
export interface Finding {
  /** `DTE-3-505`: section, level, number. */
  code: string
  glosa: string
  /** What was compared, as in `[2500] <> [3500]`. */
  detail: string | null
}

export interface Reference {
  tipo: string
  folio: string
  fecha: string | null
  /** 1 annuls, 2 corrects text, 3 corrects amounts. */
  code: number | null
  reason: string | null
}

export interface DocumentVerdict {
  tipo: number
  folio: number
  emisor: string
  emisor_name: string
  receptor: string
  receptor_name: string
  fecha: string
  /** MntTotal, the amount that status questions are compared with. */
  monto: number
  /** Absent amounts are 0. */
  amounts: { neto: number; exento: number; iva: number; withheld: number }
  /** FmaPago, TpoTranCompra, TpoTranVenta. */
  payment_form: number | null
  purchase_kind: number | null
  sale_kind: number | null
  references: readonly Reference[]
  /** Without white space. */
  signature_value: string
  /** The bytes of the `DTE` element as they came. */
  xml: Uint8Array
  outcome: 'accepted' | 'reparo' | 'rejected'
  findings: readonly Finding[]
}

export type FileKind = 'EnvioDTE' | 'EnvioBOLETA' | 'ConsumoFolios' | 'LibroCompraVenta' | 'LibroGuia'

/** How the SII ends with a file: what its state says, and each document when it got as far as them (`EPR`). */
export interface Verdict {
  /** `null` when the root is none that this door takes. */
  kind: FileKind | null
  /**
   * `EPR` processed; `RSC` schema, `RFR` envelope signature, `RCT` carátula. Of a book: `LOK` taken, `LRS` schema,
   * `LRF` signature, `LRC` carátula, `LNC` a second whole one of its period.
   */
  estado: 'EPR' | 'RSC' | 'RFR' | 'RCT' | 'LOK' | 'LRS' | 'LRF' | 'LRC' | 'LNC'
  /** Why the whole file was refused. */
  findings: readonly Finding[]
  /** `RutEmisor` of the carátula, when the file got past its schema. */
  emisor: string | null
  resolution: { number: number; date: string } | null
  documents: readonly DocumentVerdict[]
  /** Which book it is, of one that is whole (`TipoEnvio` TOTAL). */
  book?: WholeBook
}

/** What the register of cesiones knows when it looks at an AEC. */
export interface AecView {
  sender_rut: string
  company_rut: string
  today: string
  document(emisor: string, tipo: number, folio: number): KnownDocument | null
  mayFile(sender: string, company: string): boolean
  /** Who holds the document now, and how many cesiones it has; `null` when it was never ceded. */
  holder(emisor: string, tipo: number, folio: number): { rut: string; seq: number } | null
}

export interface CesionVerdict {
  seq: number
  cedente: string
  cedente_name: string
  cesionario: string
  cesionario_name: string
  monto: number
  last_due: string
  timestamp: string
}

export interface AecVerdict {
  /** `EOK` annotated; `RSC` schema, `RFS` signature, `RCR` carátula, `RDC` document, `RCS` cesión. */
  estado: 'EOK' | 'RSC' | 'RFS' | 'RCR' | 'RDC' | 'RCS'
  findings: readonly Finding[]
  document: { tipo: number; folio: number; emisor: string; receptor: string; fecha: string; monto: number } | null
  /** All of the file, the new one last. */
  cesiones: readonly CesionVerdict[]
}

export interface VerifierOptions {
  /** PEM certificates of the authorities whose certificates may sign. */
  trusted_ca: readonly string[]
  /** The public keys that sign CAFs, by IDK. */
  caf_keys: ReadonlyMap<string, KeyObject>
}

export interface Verifier {
  verify(file: Uint8Array, view: VerifyView): Verdict
  verifyAec(file: Uint8Array, view: AecView): AecVerdict
}
