import type { SimulationPlan } from '../simulation/business.ts'
import { MAX_DOCUMENTS, MIN_DOCUMENTS, NOTES } from '../simulation/needs.ts'
import { contentOf } from '../simulation/originals.ts'
import type { Facts, PlannedCase } from './facts.ts'
import { type Complaint, FORMAT, MANUAL, ofCase, ofStep, type Rule } from './rule.ts'

/** What is asked of a simulation alone. */
export const SIMULATION_RULES: readonly Rule[] = [
  {
    id: 'simulation_size',
    sentence: 'A simulation is one envelope of 10 to 100 documents.',
    source: MANUAL,
    check: ({ plan }) =>
      plan.steps.flatMap((step) => {
        const count = step.step === 'envelope' ? step.documents.length : 0
        return count >= MIN_DOCUMENTS && count <= MAX_DOCUMENTS ? [] : [ofStep(step, `It has ${count} documents.`)]
      }),
  },
  {
    id: 'simulation_tipos',
    sentence: 'A simulation has at least one document of each tipo that is being certified, and none of another.',
    source: MANUAL,
    check: tiposComplete,
  },
  {
    id: 'simulation_distinct',
    sentence: 'No two documents of a simulation are the same but for their folio.',
    source: 'our own: the same document many times represents nobody’s business',
    check: allDistinct,
  },
  {
    id: 'simulation_no_set',
    sentence: 'No document of a simulation refers to the set.',
    source: `${MANUAL}: the simulation is made of documents of the business`,
    check: ({ documents }) =>
      documents
        .filter(({ dte }) =>
          dte.references?.some(({ document_type, text_code }) => (document_type ?? text_code) === 'SET'),
        )
        .map((document) => ofCase(document, 'It refers to the set.')),
  },
  {
    id: 'simulation_reference',
    sentence: 'A note of a simulation names a document of it, with its tipo, folio, date and receptor.',
    source: 'REF-3-750',
    check: ({ documents }) => documents.flatMap(resolves),
  },
  {
    id: 'simulation_receptor',
    sentence: 'No document of a simulation goes to its own emisor, nor to nobody.',
    source: `${FORMAT}, section A`,
    check: ({ documents }) =>
      documents
        .filter(({ dte }) => dte.receptor.rut === dte.emisor.rut || (dte.receptor.legal_name ?? '') === '')
        .map((document) => ofCase(document, 'Its receptor is the emisor, or has no name.')),
  },
]

function tiposComplete({ plan, documents }: Facts): readonly Complaint[] {
  const { tipos } = plan as SimulationPlan
  const [step] = plan.steps
  const strange = documents
    .filter(({ dte }) => !tipos.includes(dte.tipo_dte))
    .map((document) => ofCase(document, `Tipo ${document.dte.tipo_dte} is not being certified.`))
  const absent = tipos.filter((tipo_dte) => !documents.some(({ dte }) => dte.tipo_dte === tipo_dte))
  return [...strange, ...(step === undefined ? [] : absent.map((tipo) => ofStep(step, `It has no tipo ${tipo}.`)))]
}

function allDistinct({ documents }: Facts): readonly Complaint[] {
  const seen = new Map<string, string>()
  return documents.flatMap((document) => {
    const content = contentOf(document.dte)
    const other = seen.get(content)
    seen.set(content, document.planned.case_id)
    return other === undefined ? [] : [ofCase(document, `It is the same as ${other}.`)]
  })
}

function resolves(document: PlannedCase): readonly Complaint[] {
  const { dte, original } = document
  if (!NOTES.some((tipo_dte) => tipo_dte === dte.tipo_dte)) return []
  const [reference] = dte.references ?? []
  if (original === undefined || reference?.date !== original.dte.issue_date)
    return [ofCase(document, 'The document that it corrects is not in the simulation.')]
  return dte.receptor.rut === original.dte.receptor.rut
    ? []
    : [ofCase(document, 'It goes to another receptor than its original.')]
}
