import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type Advance, readAdvance, readProgress } from './advance.ts'
import { type Compliance, type ComplianceOrder, complianceStatements, declareCompliance } from './compliance.ts'
import { type DeclarationOrder, type Declared, declareSets } from './declare.ts'
import type { CertificationQuestion } from './door.ts'
import { exchangeEnvelope } from './exchange.ts'
import { goOn } from './go-on.ts'
import { type Postulation, type PostulationOrder, postulate } from './postulate.ts'
import type { StepSentence } from './sentences.ts'
import { requestSet, type SetFile } from './set-file.ts'

/** Certification with the SII, as its pages have it (OPERATIONS 1). */
export interface CertificationService {
  postulate(order: PostulationOrder): Promise<Postulation>
  /** A new set. It voids the one before. */
  requestSet(question: CertificationQuestion): Promise<SetFile>
  advance(question: CertificationQuestion): Promise<Advance>
  progress(question: CertificationQuestion): Promise<Advance>
  declare(order: DeclarationOrder): Promise<Declared>
  /** To the next step, where everything of this one is approved. */
  goOn(question: CertificationQuestion): Promise<StepSentence>
  /** The envelope that the SII sends in the step of intercambio. */
  exchangeEnvelope(question: CertificationQuestion): Promise<Uint8Array>
  /** What would be declared. Declares nothing. */
  complianceStatements(question: CertificationQuestion): Promise<readonly string[]>
  /** An irreversible legal statement. */
  declareCompliance(order: ComplianceOrder): Promise<Compliance>
}

export function openCertification(wire: Wire, sessions: Sessions): CertificationService {
  return {
    postulate: (order) => postulate(wire, sessions, order),
    requestSet: (question) => requestSet(wire, sessions, question),
    advance: (question) => readAdvance(wire, sessions, question),
    progress: (question) => readProgress(wire, sessions, question),
    declare: (order) => declareSets(wire, sessions, order),
    goOn: (question) => goOn(wire, sessions, question),
    exchangeEnvelope: (question) => exchangeEnvelope(wire, sessions, question),
    complianceStatements: (question) => complianceStatements(wire, sessions, question),
    declareCompliance: (order) => declareCompliance(wire, sessions, order),
  }
}
