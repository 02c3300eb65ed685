import type { EmpresaScope } from '../kernel/scope.ts'

/** Where a certification stands at the SII, in its order. */
export type CertificationStep =
  | 'set_de_pruebas'
  | 'simulacion'
  | 'intercambio'
  | 'muestras_impresas'
  | 'cumplimiento'
  | 'finished'

/** The parts of a set of tests, and the simulation, which is declared in the same table. */
export type CertificationSetKind =
  | 'basico'
  | 'libro_ventas'
  | 'libro_compras'
  | 'guias'
  | 'libro_guias'
  | 'exenta'
  | 'factura_compra'
  | 'liquidacion'
  | 'exportacion'
  | 'simulacion'

export interface CertificationSet {
  /** As the SII calls it. */
  readonly label: string
  /** Null for one that we do not know. */
  readonly kind: CertificationSetKind | null
  /** `unknown` where the SII says something else of it, in `words`. */
  readonly state: CertificationReview | 'unknown'
  /** The SII's own words for the state, such as SRH. */
  readonly words: string
  /** Of what was declared, where the SII shows it. */
  readonly track_id: string | null
}

export type CertificationReview = 'to_do' | 'in_review' | 'approved' | 'refused'

export interface CertificationAdvance {
  readonly sets: readonly CertificationSet[]
  /** Null where the SII does not say it in words that we know. */
  readonly step: CertificationStep | null
  readonly sentence: string | null
}

export type CertificationRefusalReason =
  | 'basic_set_not_approved'
  | 'wrong_date'
  | 'set_expired'
  | 'not_postulated'
  | 'step_not_finished'
  | 'step_passed'
  | 'representative_needed'
  | 'no_activity_verification'
  | 'company_not_authorised'
  | 'user_not_authorised'
  | 'no_permission'
  | 'other'

/** What the SII said no with: its own sentence, untranslated. */
export interface CertificationRefusal {
  readonly reason: CertificationRefusalReason
  readonly sentence: string
}

/**
 * What came of an act. `operator`: the SII offers it in a browser application alone, so a person of ours does it. An SII
 * that did not answer, or in words that we do not know, throws SiiUnreachable: every act here may then be asked for
 * again, because the SII says of each whether it was done. Sets of tests are the exception: of those see `requestSet`.
 */
export type CertificationAnswer<T> =
  | ({ readonly outcome: 'done' } & T)
  | ({ readonly outcome: 'refused' } & CertificationRefusal)
  | { readonly outcome: 'operator'; readonly why: string }

export interface CertificationQuestion {
  readonly empresa: EmpresaScope
}

export interface PostulationOrder extends CertificationQuestion {
  readonly tipos: readonly number[]
  /** Its people know that the empresa loses the free portal for facturas. */
  readonly accept_loss_of_sfg: boolean
}

export type PostulationAnswer =
  | CertificationAnswer<{ readonly before: boolean; readonly sentence: string }>
  /** The SII warns of it, and nobody has accepted it. Nothing was done. */
  | { readonly outcome: 'loss_of_sfg'; readonly warning: string }

export interface DeclaredSet {
  readonly kind: CertificationSetKind
  readonly track_id: string
  /** The day of the upload in Santiago. */
  readonly date: string
}

/** A step of the SII's own: whether this act moved it, or it stood there already. */
export interface CertificationMove {
  readonly moved: boolean
  readonly step: CertificationStep | null
  readonly sentence: string
}

/**
 * What became of an envelope, a book or a summary of folios in the environment of certification. It advances nothing: it has
 * to be declared. Only of an envelope can it be `mixed`. Where the SII has processed a file and counts nothing in it, as in a
 * summary of folios, it is `accepted`. `unknown`: the SII finds nothing under the track id. It may show it later, or have
 * lost it; the same bytes may be handed over again, because what it has is told by its first track id.
 */
export interface CertificationUploadState {
  readonly outcome: 'pending' | 'accepted' | 'reparo' | 'rejected' | 'lost' | 'mixed' | 'unknown'
  readonly estado: string
  readonly glosa: string | null
}

/** The authorisation to try, which every envelope of certification carries as FchResol with the number 0. */
export interface CertificationResolucion {
  /** `YYYY-MM-DD` */
  readonly date: string
  /** What the taxpayer may issue there. */
  readonly tipos: readonly number[]
}

/** Who read what is declared and approved it. */
export interface Approval {
  readonly rut: string
  readonly name: string
}

export interface ExchangeAnswers extends CertificationQuestion {
  /** RespuestaDTE with RecepcionEnvio. */
  readonly reception: Uint8Array
  /** EnvioRecibos. */
  readonly receipts: Uint8Array
  /** RespuestaDTE with ResultadoDTE. */
  readonly results: Uint8Array
}

export interface PrintedSample {
  readonly file_name: string
  readonly pdf: Uint8Array
}

/** How a review stands, in our words and in those of the SII. */
export interface ReviewState {
  readonly state: CertificationReview
  readonly words: string
  /** What the SII found, line by line. */
  readonly findings: readonly string[]
}

/** Boletas are certified apart (habilitación). */
export interface SiiBoletaCertification {
  /** Another one each time, until one was approved; see `requestSet` of facturas. */
  requestSet(
    order: CertificationQuestion & { readonly exempt: boolean; readonly provider_email: string },
  ): Promise<CertificationAnswer<{ readonly file: Uint8Array }>>
  requestReview(
    order: CertificationQuestion & { readonly track_id: string },
  ): Promise<CertificationAnswer<{ readonly sentence: string }>>
  /** `declared` once the representante legal has declared compliance. */
  reviewOf(
    question: CertificationQuestion & { readonly exempt: boolean },
  ): Promise<CertificationAnswer<ReviewState & { readonly declared: boolean }>>
  declareCompliance(
    order: CertificationQuestion & { readonly approved_by: Approval },
  ): Promise<CertificationAnswer<{ readonly sentence: string }>>
}

/** The road of a taxpayer to software of its own, as the SII has it in its environment of certification. */
export interface SiiCertification {
  postulate(order: PostulationOrder): Promise<PostulationAnswer>
  /** As the public page of the environment of certification shows it; null until the SII has taken a postulation. */
  resolucionOf(question: CertificationQuestion): Promise<CertificationResolucion | null>
  /**
   * A new set of tests, as the SII wrote it. It voids the one before, with all that was declared of it, and no page hands
   * one out again: where the answer was lost, whoever asks again gets another, and the one that nobody saw is void.
   */
  requestSet(question: CertificationQuestion): Promise<CertificationAnswer<{ readonly file: Uint8Array }>>
  /** Hands over an envelope, a book or a summary of folios. The same bytes twice are one upload. */
  upload(
    order: CertificationQuestion & { readonly file_name: string; readonly file: Uint8Array },
  ): Promise<CertificationAnswer<{ readonly track_id: string }>>
  uploadStateOf(question: CertificationQuestion & { readonly track_id: string }): Promise<CertificationUploadState>
  /** The table of sets that are to be declared, and the step. */
  advanceOf(question: CertificationQuestion): Promise<CertificationAnswer<CertificationAdvance>>
  /** What the SII shows of the way so far. */
  progressOf(question: CertificationQuestion): Promise<CertificationAnswer<CertificationAdvance>>
  /**
   * Has what was uploaded reviewed. `taken` are those that the SII has for review, `refused` the others. What is under
   * review or approved under the same track id is not declared again; one that was refused is, and is reviewed anew.
   */
  declare(order: CertificationQuestion & { readonly sets: readonly DeclaredSet[] }): Promise<
    CertificationAnswer<{
      readonly advance: CertificationAdvance
      readonly taken: readonly CertificationSetKind[]
      readonly refused: readonly (CertificationRefusal & { readonly kind: CertificationSetKind })[]
    }>
  >
  /** From a step to the next one, where everything of it is approved. One that was left before is not left again. */
  goOn(
    order: CertificationQuestion & { readonly from: CertificationStep },
  ): Promise<CertificationAnswer<CertificationMove>>
  /** The envelope that the SII sends in the step of intercambio: the same each time until it was answered. */
  exchangeEnvelope(question: CertificationQuestion): Promise<CertificationAnswer<{ readonly file: Uint8Array }>>
  /** Answers that were approved stay, and later ones are told so. */
  answerExchange(order: ExchangeAnswers): Promise<CertificationAnswer<{ readonly sentence: string }>>
  /** Samples under review, or approved, stay; refused ones are handed in again. */
  submitSamples(
    order: CertificationQuestion & {
      readonly samples: readonly PrintedSample[]
      /** Asked once all are handed over and before they count: with a no they count for nothing. */
      readonly still_wanted?: () => Promise<boolean>
    },
  ): Promise<CertificationAnswer<{ readonly sentence: string }>>
  samplesReviewOf(question: CertificationQuestion): Promise<CertificationAnswer<ReviewState>>
  /** What the representante legal would declare, in the SII's words. Declares nothing. */
  complianceStatements(
    question: CertificationQuestion,
  ): Promise<CertificationAnswer<{ readonly statements: readonly string[] }>>
  /** An irreversible legal statement, made because somebody approved it. */
  declareCompliance(
    order: CertificationQuestion & { readonly approved_by: Approval; readonly still_wanted?: () => Promise<boolean> },
  ): Promise<CertificationAnswer<CertificationMove & { readonly statements: readonly string[] }>>
  readonly boletas: SiiBoletaCertification
}
