import type { Agreement, AnyDte, CaBundle, IssuerFinding, ReadAnswer, SiiKeys, TimbreText } from '@timbre/dte'
import type { QuarantineReason } from '../catalog/reception.ts'

/** What a document is known by, whatever its kind: the heading is the same in a factura and in a liquidación. */
export interface Heading {
  readonly tipo_dte: number
  readonly folio: number
  readonly issue_date: string
  readonly emisor_rut: string
  readonly emisor_name: string
  readonly emisor_giro: string | null
  readonly receptor_rut: string | null
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly total: number
  readonly payment_form: 'cash' | 'credit' | 'free' | null
  readonly due_date: string | null
}

/** Why something is set aside. */
export interface Fault {
  readonly reason: QuarantineReason
  readonly message: string
}

/** What a document with a true signature and a true timbre tells of who made it. The verdict is the domain's. */
export interface Evidence {
  /** Of the certificate that signed it; null where that cannot be read. */
  readonly signer: { readonly rut: string | null; readonly valid_from: string; readonly valid_until: string } | null
  readonly issuer: IssuerFinding
  /** Local time of its timbre, which the emisor's CAF signed. */
  readonly stamped_at: string | null
  /** Texts in which the timbre and the document differ. */
  readonly texts_apart: readonly TimbreText[]
  /** Null when its amounts could not be held against its lines. */
  readonly agreement: Agreement | null
}

export interface InspectedDocument {
  readonly heading: Heading | null
  /** Null when it is in order. */
  readonly fault: Fault | null
  /** Whether its signature and its timbre are true: then its emisor did issue it, wherever it ended up. */
  readonly authentic: boolean
  /** Null where it is not authentic. */
  readonly evidence: Evidence | null
  readonly xml: Buffer
  /** As the engine reads it; null for a kind of which only the heading is read. */
  readonly dte: AnyDte | null
  readonly digest: string
  /** Local time, as the document says; where it does not, as its envelope does. */
  readonly signed_at: string | null
}

export interface InspectedFile {
  readonly set_id: string
  /** Of what its sender signed; null for a set that nobody signed as a whole, which is no envío to be answered. */
  readonly digest: string | null
  readonly emisor_rut: string | null
  readonly resolucion: { readonly numero: number; readonly fecha: string } | null
  readonly documents: readonly InspectedDocument[]
}

/** What a receptor answered to documents, under true signatures. What it moves is the domain's to say. */
export interface InspectedAnswer {
  readonly answer: ReadAnswer
  readonly signer: Evidence['signer']
  readonly issuer: IssuerFinding
}

/** Something that the SII found, under the name it has in its manuals (`DTE-3-505`) where it gives one. */
export interface ToldFinding {
  readonly code: string | null
  readonly glosa: string
}

/** What the SII is said to have found in an envelope. The file is not signed: whoever knows the track id can write it. */
export interface InspectedResult {
  readonly result: {
    readonly emisor_rut: string
    readonly track_id: string
    /** Those that it refused or observed. */
    readonly documents: readonly (ToldFinding & {
      readonly tipo_dte: number
      readonly folio: number
      readonly outcome: 'rejected' | 'reparo'
    })[]
    /** Why it refused the whole envelope; null where it did not. */
    readonly envelope: ToldFinding | null
  }
}

/** What is in a file: documents, an answer, a result of the SII, or why none can be read. */
export type Inspected = InspectedFile | InspectedAnswer | InspectedResult | Fault

/** What a file is inspected against: for whom it must be, and whose keys are believed. */
export interface InspectionContext {
  readonly receptor_rut: string
  readonly sii_keys: SiiKeys
  /** CAs that vouch for signers. */
  readonly authorities: CaBundle
}

/** What a mail is called that is set aside as it came. */
export const WHOLE_MAIL = 'correo.eml'

/** A file that a mail held, or the mail itself where nothing could be taken from it. */
export interface InspectedMailFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly inspected: Inspected
}

export interface InspectedMail {
  readonly files: readonly InspectedMailFile[]
  /** What it took to read, without what it waited for others. */
  readonly read_ms: number
}

/** Reads what strangers send: pure computing, seconds of it for the largest file, kept off the event loop. */
export interface Inspection {
  inspect(file: Uint8Array, reading: InspectionContext): Promise<Inspected>
  inspectMail(raw: Uint8Array, reading: InspectionContext): Promise<InspectedMail>
  close(): Promise<void>
}
