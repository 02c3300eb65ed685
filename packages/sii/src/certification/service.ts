import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type Advance, readAdvance, readProgress } from './advance.ts'
import { type BoletaCertification, openBoletaCertification } from './boletas.ts'
import { type Compliance, type ComplianceOrder, complianceStatements, declareCompliance } from './compliance.ts'
import { type DeclarationOrder, type Declared, declareSets } from './declare.ts'
import type { CertificationQuestion } from './door.ts'
import { answerExchange, type ExchangeAnswers, exchangeEnvelope } from './exchange.ts'
import { type GoOnOrder, goOn } from './go-on.ts'
import { type Postulation, type PostulationOrder, postulate } from './postulate.ts'
import { type SamplesOrder, samplesReview, submitSamples } from './samples.ts'
import type { StepSentence } from './sentences.ts'
import { requestSet, type SetFile } from './set-file.ts'
import type { ReviewState } from './stand-in.ts'

/** Certification with the SII, as its pages have it (OPERATIONS 1). */
export interface CertificationService {
  postulate(order: PostulationOrder): Promise<Postulation>
  /** A new set. It voids the one before. */
  requestSet(question: CertificationQuestion): Promise<SetFile>
  advance(question: CertificationQuestion): Promise<Advance>
  progress(question: CertificationQuestion): Promise<Advance>
  declare(order: DeclarationOrder): Promise<Declared>
  /** To the next step, where everything of this one is approved. */
  goOn(order: GoOnOrder): Promise<StepSentence>
  /** The envelope that the SII sends in the step of intercambio. */
  exchangeEnvelope(question: CertificationQuestion): Promise<Uint8Array>
  answerExchange(order: ExchangeAnswers): Promise<{ readonly sentence: string }>
  submitSamples(order: SamplesOrder): Promise<{ readonly sentence: string }>
  samplesReview(question: CertificationQuestion): Promise<ReviewState>
  /** What would be declared. Declares nothing. */
  complianceStatements(question: CertificationQuestion): Promise<readonly string[]>
  /** An irreversible legal statement. */
  declareCompliance(order: ComplianceOrder): Promise<Compliance>
  readonly boletas: BoletaCertification
}

export function openCertification(wire: Wire, sessions: Sessions): CertificationService {
  return {
    postulate: (order) => postulate(wire, sessions, order),
    requestSet: (question) => requestSet(wire, sessions, question),
    advance: (question) => readAdvance(wire, sessions, question),
    progress: (question) => readProgress(wire, sessions, question),
    declare: (order) => declareSets(wire, sessions, order),
    goOn: (order) => goOn(wire, sessions, order),
    exchangeEnvelope: (question) => exchangeEnvelope(wire, sessions, question),
    answerExchange: (order) => answerExchange(wire, sessions, order),
    submitSamples: (order) => submitSamples(wire, sessions, order),
    samplesReview: (question) => samplesReview(wire, sessions, question),
    complianceStatements: (question) => complianceStatements(wire, sessions, question),
    declareCompliance: (order) => declareCompliance(wire, sessions, order),
    boletas: openBoletaCertification(wire, sessions),
  }
}
