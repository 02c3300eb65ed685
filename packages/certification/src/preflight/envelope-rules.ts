import { ACTECOS, addMonths } from '@timbre/dte/values'
import type { EnvelopeStep, PlanStep } from '../plan/plan.ts'
import { SECTION_ORDER } from '../plan/plan-set.ts'
import type { Facts } from './facts.ts'
import { type Complaint, MANUAL, ofCase, ofPlan, ofStep, type Rule } from './rule.ts'

/** EnvioDTE_v10.xsd takes 2,000 documents; Formato de Boletas Electrónicas v4.1, 500 boletas. */
const MAX_DOCUMENTS = 2000
const MAX_BOLETAS = 500
const SET_MONTHS = 2

/** What the SII looks at before it reads a document: envelopes, folios, dates and the order of sending. */
export const ENVELOPE_RULES: readonly Rule[] = [
  {
    id: 'nro_resol_zero',
    sentence: 'In certification NroResol is 0, with the date on which the company was authorised to certify.',
    source: 'CRT-3-19',
    check: ({ plan: { resolucion, steps } }) =>
      steps.length === 0 || resolucion.number === 0 ? [] : [ofPlan(`NroResol is ${resolucion.number}, not 0.`)],
  },
  {
    id: 'steps_in_order',
    sentence: 'Sets go in the order básico, guías, exenta, compra, then books: a book waits for the set it is made of.',
    source: '"No Tiene un SET Basico Aprobado"; order used in public certifications',
    check: ({ plan }) => stepsInOrder(plan.steps),
  },
  {
    id: 'envelope_limits',
    sentence: 'An envelope has at least one document, at most 2,000, or 500 boletas, and never both kinds.',
    source: 'EnvioDTE_v10.xsd; SII, Formato de Boletas Electrónicas v4.1',
    check: ({ plan }) => plan.steps.flatMap((step) => (step.step === 'envelope' ? withinLimits(step) : [])),
  },
  {
    id: 'folio_once',
    sentence: 'A folio of a tipo is used by one document alone.',
    source: 'DTE-3-101: folio already received',
    check: folioOnce,
  },
  {
    id: 'acteco_known',
    sentence:
      'The activities of the emisor are of the table of the SII; whether they are registered, only the SII knows.',
    source: 'HED-3-861',
    check: ({ documents }) => {
      const unknown = new Set(
        documents.flatMap(({ dte }) => dte.emisor.acteco ?? []).filter((code) => !Object.hasOwn(ACTECOS, code)),
      )
      return [...unknown].map((code) => ofPlan(`${code} is not an activity of the SII's table.`))
    },
  },
  {
    id: 'one_period',
    sentence: 'Documents are of one month, books of that month or of an earlier one, and none is later than today.',
    source: `${MANUAL}; future dates are refused; "LNC: Tipo de Envio de Libro No Corresponde" (public guides)`,
    check: onePeriod,
  },
  {
    id: 'set_in_force',
    sentence: 'A set is answered within two months of its download.',
    source: MANUAL,
    check: ({ circumstances: { today, downloaded_on } }) =>
      today !== undefined && downloaded_on !== undefined && today > addMonths(downloaded_on, SET_MONTHS)
        ? [ofPlan(`The set of ${downloaded_on} lapsed: a new one must be asked for.`)]
        : [],
  },
]

function stepsInOrder(steps: readonly PlanStep[]): readonly Complaint[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1]
    if (before === undefined || SECTION_ORDER.indexOf(before.section) <= SECTION_ORDER.indexOf(step.section)) return []
    return [ofStep(step, `${step.section} is sent after ${before.section}.`)]
  })
}

function withinLimits(step: EnvelopeStep): readonly Complaint[] {
  const boletas = step.documents.filter(({ dte }) => dte.tipo_dte === 39 || dte.tipo_dte === 41).length
  const count = step.documents.length
  if (boletas > 0 && boletas < count) return [ofStep(step, 'Boletas and other documents travel together.')]
  const max = boletas > 0 ? MAX_BOLETAS : MAX_DOCUMENTS
  return count > 0 && count <= max ? [] : [ofStep(step, `It has ${count} documents; an envelope takes 1 to ${max}.`)]
}

function folioOnce({ documents }: Facts): readonly Complaint[] {
  const seen = new Map<string, string>()
  return documents.flatMap((document) => {
    const { tipo_dte, folio } = document.dte
    const key = `${tipo_dte} ${folio}`
    const other = seen.get(key)
    seen.set(key, document.planned.case_id)
    if (!Number.isSafeInteger(folio) || folio < 1) return [ofCase(document, 'It has no folio.')]
    return other === undefined ? [] : [ofCase(document, `Folio ${folio} of ${tipo_dte} is that of case ${other}.`)]
  })
}

/**
 * A book that is sent again is of an earlier month: the SII refuses a second whole one of a period with LNC, and public guides to
 * the certification take another month after each failure, whatever the dates of the documents in it (unverified).
 */
function onePeriod({ plan, documents, circumstances: { today } }: Facts): readonly Complaint[] {
  const period = documents[0]?.dte.issue_date.slice(0, 7)
  const strange = documents.flatMap((document) => {
    const { issue_date } = document.dte
    if (today !== undefined && issue_date > today)
      return [ofCase(document, `${issue_date} is later than today, ${today}.`)]
    return issue_date.startsWith(`${period}-`) ? [] : [ofCase(document, `${issue_date} is not of ${period}.`)]
  })
  const books = plan.steps.flatMap((step) => {
    const of = step.step === 'book' || step.step === 'guia_book' ? step.book.period : undefined
    return of === undefined || period === undefined || of <= period
      ? []
      : [ofStep(step, `The book is of ${of}, later than ${period}.`)]
  })
  return [...strange, ...books]
}
