import type { Dte } from '@timbre/dte/draft'
import type { EnvelopeStep, Plan, PlannedDocument, PlanStep } from '../plan/plan.ts'
import type { Case, CertificationSet, Section } from '../set/set.ts'

/** What may be known of the day. What is absent leaves its rules out. */
export interface Circumstances {
  /** The day it is in Santiago. */
  readonly today?: string
  /** The day on which the SII handed the set out. */
  readonly downloaded_on?: string
}

/** A document beside the case that asks for it. */
export interface PlannedCase {
  readonly step: EnvelopeStep
  readonly planned: PlannedDocument
  readonly dte: Dte
  readonly asked: Case | undefined
  /** A nota de crédito about a boleta: its case asks for both. */
  readonly boleta_note: boolean
  /** What its case refers to; for the note about a boleta, the boleta. */
  readonly original: PlannedCase | undefined
  /** Its place among all documents, in the order of sending. */
  readonly place: number
}

/** Everything that a rule looks at. */
export interface Facts {
  readonly set: CertificationSet
  readonly plan: Plan
  readonly documents: readonly PlannedCase[]
  readonly circumstances: Circumstances
  readonly sectionOf: (step: PlanStep) => Section | undefined
}

export function gatherFacts(set: CertificationSet, plan: Plan, circumstances: Circumstances): Facts {
  const sectionOf = (step: PlanStep) =>
    set.sections.find(({ kind, attention }) => kind === step.section && attention === step.attention)
  const bare = plan.steps
    .filter((step) => step.step === 'envelope')
    .flatMap((step) => step.documents.map((planned) => ({ step, planned })))
    .map(({ step, planned }, place) => {
      const asked = sectionOf(step)?.cases.find(({ id }) => id === planned.case_id)
      const boleta_note = step.section === 'boletas' && planned.dte.tipo_dte === 61
      return { step, planned, dte: planned.dte, asked, boleta_note, place }
    })
  const documents = bare.map((document): PlannedCase => ({ ...document, original: undefined }))
  const linked = documents.map((document) => ({ ...document, original: findOriginal(document, documents) }))
  return { set, plan, documents: linked, circumstances, sectionOf }
}

function findOriginal({ asked, step, boleta_note }: PlannedCase, documents: readonly PlannedCase[]) {
  const id = boleta_note ? asked?.id : asked?.reference?.case_id
  return documents.find(
    (other) =>
      !other.boleta_note &&
      other.planned.case_id === id &&
      other.step.section === step.section &&
      other.step.attention === step.attention,
  )
}
