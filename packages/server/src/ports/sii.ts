import type { CaBundle, ExplanationCode, Signer, SiiKeys } from '@timbre/dte'
import type { FolioRefusalReason } from '../catalog/folio-refusals.ts'
import type { EmpresaScope } from '../kernel/scope.ts'
import type { SiiCertification } from './sii-certification.ts'
import type { SiiRegister } from './sii-cesion.ts'
import type { SiiDocument, SiiVerdict } from './sii-document.ts'
import type { SiiF29 } from './sii-f29.ts'
import type { SiiPortal } from './sii-portal.ts'
import type { SiiRcv } from './sii-rcv.ts'
import type { SiiClaims } from './sii-reception.ts'
import type { SiiTaxpayer } from './sii-taxpayer.ts'

export type { SiiVerdict } from './sii-document.ts'

export type Ambiente = 'certificacion' | 'produccion'

/** Asks for a range of folios of one tipo for one taxpayer. */
export interface CafRequest {
  /** On whose behalf it is asked: the live SII knows the person whose certificate is in custody. */
  readonly empresa: EmpresaScope
  readonly rut: string
  readonly legal_name: string
  readonly tipo_dte: number
  readonly quantity: number
  /** Set where fewer will do: what the SII counts as stamped and unused is then taken off, down to this. */
  readonly at_least?: number
  /** 0 where none was given yet: the SII's own number for certification. */
  readonly resolucion_numero: number
  readonly ambiente: Ambiente
  /** One above the highest folio known here. The SII counts by itself; the sandbox keeps no books of its own. */
  readonly first_folio: number
  /** The day it is asked for, in Santiago. */
  readonly on: string
  /** Told which folios the SII is about to give, before it is asked to, where it says so. */
  readonly onOffer?: (range: OfferedRange) => Promise<void>
}

/** Folios that the SII offered: whether it gave them is known when they are asked for again. */
export interface OfferedRange {
  readonly from: number
  readonly to: number
}

/** The SII answered and did not do what it was asked: its own sentence, untranslated, and what is known about it. */
export interface FolioRefusal {
  readonly sentence: string
  readonly reason: FolioRefusalReason
  /** What somebody can do about it, where more is known than the reason's own advice. */
  readonly advice?: string
}

/** How the SII rations the folios of a tipo, where it says so. */
export interface FolioRationing {
  readonly max_per_request: number | null
  readonly unused: number | null
}

export type CafAnswer =
  /** The file as the SII gives it: it holds a private key. */
  | { readonly granted: true; readonly file: Uint8Array; readonly rationing?: FolioRationing }
  | ({ readonly granted: false } & FolioRefusal)

/** Folios of one tipo that were granted and never used, to be annulled. */
export interface FolioAnnulment {
  readonly empresa: EmpresaScope
  readonly rut: string
  readonly ambiente: Ambiente
  readonly tipo_dte: number
  readonly from: number
  readonly to: number
}

export type FolioAnnulmentAnswer = { readonly annulled: true } | ({ readonly annulled: false } & FolioRefusal)

export interface Submission {
  readonly empresa: EmpresaScope
  /** The signed file, in ISO-8859-1. */
  readonly envelope: Uint8Array
  readonly kind: 'EnvioDTE' | 'EnvioBOLETA'
  readonly documents: readonly SiiDocument[]
  /** What time it is, by the clock of the empresa. */
  readonly at: Date
}

/** An envelope that the SII has. */
export interface KnownEnvelope {
  /** By what it is asked about: ours, shown to nobody, the same however often its bytes are sent. */
  readonly envelope_key: string
  /** What the SII calls it; null where it has it and never told: its answer was lost. */
  readonly track_id: string | null
}

/** One that was found by a document of it. */
export interface FoundEnvelope extends KnownEnvelope {
  /** All that went in it: the SII takes a file whole. */
  readonly document_ids: readonly string[]
}

/** What the SII gives for an envelope. */
export interface Received extends KnownEnvelope {
  /** Documents that it would not take; the rest goes by the track id. */
  readonly refused: readonly { readonly id: string; readonly code: ExplanationCode; readonly message: string }[]
  /** When it becomes useful to ask what became of them. */
  readonly ask_at: Date
}

export interface SiiStatus {
  /** By the id of the document. One that is missing is still being looked at. */
  readonly verdicts: ReadonlyMap<string, SiiVerdict>
  /** When to ask about those, where it is known. */
  readonly ask_at: Date | null
  /** What the SII calls the envelope now, where it says so: one that it lost was sent again. */
  readonly track_id?: string | null
  /** What it said of an envelope with which it is not done. */
  readonly told?: { readonly estado: string; readonly glosa: string | null }
  /** Documents that it says to have with other data than it was asked about, by their id: somebody has to look. */
  readonly doubted?: ReadonlyMap<string, { readonly estado: string; readonly glosa: string | null }>
  /** It lost the envelope as often as it was sent, and it is not sent again unless somebody says so. */
  readonly given_up?: boolean
}

export const SUPPLIER_CERTIFICATES = ['of_emisor', 'of_other_person', 'self_signed', 'expired'] as const

export interface PlayedSupplier {
  readonly rut: string
  readonly legal_name: string
  readonly certificate: (typeof SUPPLIER_CERTIFICATES)[number]
}

/** The two roads by which documents are handed over, each with sessions of its own. */
export const SII_ROADS = ['dte', 'boleta'] as const
export type SiiRoad = (typeof SII_ROADS)[number]

/** The questions we ask the tax authority, in our words. Grows with the modules that ask them. */
export interface Sii extends SiiRegister, SiiClaims, SiiRcv, SiiF29 {
  /** Whether what it accepts is a tax document: only in production it is. */
  readonly tax_effect: boolean
  /** Set where everything is asked of one environment: then that is where empresas emit. */
  readonly only?: Ambiente
  requestCaf(request: CafRequest): Promise<CafAnswer>
  /** The file of a range that was given before; null where it was not. Absent where nothing can be lost on the way. */
  reobtainCaf?(question: Omit<FolioAnnulment, 'from' | 'to'> & OfferedRange): Promise<Uint8Array | null>
  /** Annulled twice they are annulled: whoever does not know whether it asked may ask again. */
  annulFolios(annulment: FolioAnnulment): Promise<FolioAnnulmentAnswer>
  /** Whom to believe when a CAF says that the SII signed it, by the number it names. */
  authorityKeys(): Promise<SiiKeys>
  /** The CAs whose word is taken for who a signer is. */
  certificateAuthorities(): Promise<CaBundle>
  /** The certificate that signs for an empresa, ready to use. */
  signerFor(empresa: EmpresaScope): Promise<Signer>
  /** Whoever signs for a supplier that is played; absent where suppliers are real. */
  supplierSigner?(supplier: PlayedSupplier): Promise<Signer>
  /** Ends what is open for the person of a certificate. Absent where nothing stays open. */
  logOut?(person: { readonly fingerprint: string }): Promise<void>
  /** What it knows of a taxpayer on the way to emit; absent where nobody is on the way. */
  readonly taxpayer?: SiiTaxpayer
  /** Its road to software of its own; absent where nobody certifies. */
  readonly certification?: SiiCertification
  /** The free portal; absent where its documents leave through our own engine. */
  readonly portal?: SiiPortal
  submit(submission: Submission): Promise<Received>
  /**
   * Whether submitting these leaves nothing behind but what it answers. Then they may be submitted before it is certain that they are
   * ours to send: whoever finds that they are not forgets the answer. Absent where a submission leaves the process.
   */
  submitsWithoutTrace?(documents: readonly Pick<SiiDocument, 'receptor_rut' | 'total'>[]): boolean
  /** What became of the documents of an envelope. */
  statusOf(question: {
    readonly empresa: EmpresaScope
    readonly envelope_key: string
    readonly documents: readonly SiiDocument[]
    /** The documents as they were signed, in an envelope of whoever sends now: the SII takes none of another person. */
    readonly rewrap?: () => Promise<Uint8Array>
    readonly at: Date
  }): Promise<SiiStatus>
  /** Somebody looked into an envelope that was given up: it may be sent again. Absent where nothing is lost. */
  allowResend?(envelope: { readonly empresa: EmpresaScope; readonly envelope_key: string }): Promise<void>
  /** Every document of an envelope has its verdict, and that is recorded. May be said twice. */
  settled?(envelope: { readonly empresa: EmpresaScope; readonly envelope_key: string }): Promise<void>
  /** Has the SII mail the result of an envelope once more: over the wire it does not say why. Absent where it does. */
  mailResult?(question: { readonly empresa: EmpresaScope; readonly track_id: string }): Promise<void>
  /** Whether the SII says that a nota annulled a document. */
  isAnnulled(question: {
    readonly empresa: EmpresaScope
    readonly document: SiiDocument
    readonly at: Date
  }): Promise<boolean>
  /** Whether it holds a document that we signed and do not know to have arrived. */
  findByNaturalKey(question: {
    readonly empresa: EmpresaScope
    readonly document: SiiDocument
    readonly at: Date
  }): Promise<FoundEnvelope | null>
}

/** The SII could not be asked: nothing is known to have happened there. */
export class SiiUnreachable extends Error {
  /** What did not answer, as jobs wait for it; null where waiting for that is of no use. */
  readonly waits_for: string | null
  /** When asking again is of use, where that is known. */
  readonly again_at: Date | null
  /** The SII's own words, where it had any. */
  readonly sentence: string | null
  /** The documents that have to wait; null where whatever was asked about does. */
  readonly document_ids: readonly string[] | null
  constructor(
    reason: string,
    { waits_for = null, again_at = null, sentence = null, document_ids = null }: Partial<UnreachableFacts> = {},
  ) {
    super(reason)
    this.name = 'SiiUnreachable'
    this.waits_for = waits_for
    this.again_at = again_at
    this.sentence = sentence
    this.document_ids = document_ids
  }

  /** What a caller may read of it. */
  get told(): string {
    if (this.sentence === null) return 'The SII did not answer.'
    return `The SII did not do what it was asked. Its words: ${this.sentence}`
  }
}

type UnreachableFacts = Pick<SiiUnreachable, 'waits_for' | 'again_at' | 'sentence' | 'document_ids'>

/** The SII answered, and said no to this one thing: asking it about another makes sense, asking the same again does not yet. */
export class SiiRefused extends SiiUnreachable {
  constructor(reason: string) {
    super(reason)
    this.name = 'SiiRefused'
  }
}

/** There is no certificate in custody to ask or to sign with: nobody can be asked until one is uploaded. */
export class SignerMissing extends SiiUnreachable {
  constructor() {
    super('the empresa has no certificate in custody')
    this.name = 'SignerMissing'
  }

  override get told(): string {
    return 'There is no certificate of the empresa in custody to ask the SII with.'
  }
}

export const SENDER_REFUSALS = ['no_permission', 'certificate_not_taken', 'empresa_not_authorised'] as const
export type SenderRefusalReason = (typeof SENDER_REFUSALS)[number]

export interface SenderRefusalFacts {
  readonly road: SiiRoad
  readonly reason: SenderRefusalReason
  /** The SII's own words, where it had any. */
  readonly sentence: string | null
  /** False where the same answer may be about the session alone: then it is believed when it comes again and again. */
  readonly certain: boolean
  /** Of the certificate that was refused. */
  readonly fingerprint: string
}

/**
 * The SII does not let the person of the certificate send for the empresa, gives the certificate no session, or takes
 * nothing of the empresa itself. It is no verdict on any document, and it took none: they can wait until it does.
 */
export class SenderRefused extends SiiUnreachable {
  readonly facts: SenderRefusalFacts
  constructor(facts: SenderRefusalFacts) {
    const { sentence, reason } = facts
    super(`the SII does not take what the holder of the certificate sends: ${sentence ?? reason}`, { sentence })
    this.name = 'SenderRefused'
    this.facts = facts
  }
}
