import type { PlannedDocument, PlanStep, SimulatedDocument, SimulationSource } from '@timbre/certification'
import type { FileRow } from './file.ts'
import { INPUT_KEYS, INPUTS, type InputKey } from './inputs.ts'
import type { Preview } from './preview.ts'
import type { Certification } from './schema.ts'
import { lastDayOf } from './set-stage.ts'

type Shown<Key extends keyof Certification> = Certification[Key] extends readonly (infer One)[] ? One : never

export function showSet({ set, content }: Preview): Shown<'sets'> {
  return {
    id: set.id,
    kind: set.kind,
    source: set.source,
    downloaded_on: set.downloaded_on,
    expires_on: lastDayOf(set),
    sections: content.sections.map(({ kind, title, attention, line, cases, instructions, not_understood }) => ({
      ...{ kind, title, attention, line, cases: cases.length },
      instructions: [...instructions],
      not_understood: not_understood.map(({ line: at, text, why }) => ({ line: at, text, why })),
    })),
  }
}

const documentsOf = (step: PlanStep | null): readonly PlannedDocument[] =>
  step?.step === 'envelope' ? step.documents : []

function totalsOf({ dte: { totals } }: PlannedDocument): Shown<'cases'>['totals'] {
  return { net: totals.net ?? 0, exempt: totals.exempt ?? 0, iva: totals.iva ?? 0, total: totals.total }
}

/** Every case with the document that was built for it, or will be. */
export function showCases({ set, content, plan }: Preview, files: readonly FileRow[]): Shown<'cases'>[] {
  const of_set = files.filter(({ set_id }) => set_id === set.id)
  return content.sections.flatMap((section) =>
    section.cases.map((asked): Shown<'cases'> => {
      const is = ({ case_id, dte }: PlannedDocument) => case_id === asked.id && dte.tipo_dte === asked.tipo_dte
      const ours = ({ plan: step }: Pick<FileRow, 'plan'>) =>
        step?.section === section.kind && step.attention === section.attention
      const file = of_set.find((one) => ours(one) && documentsOf(one.plan).some(is))
      const built = file && documentsOf(file.plan).find(is)
      const planned = plan.steps
        .filter((step) => ours({ plan: step }))
        .flatMap(documentsOf)
        .find(is)
      const document = built ?? planned
      return {
        case_id: asked.id,
        set: set.kind,
        section: section.kind,
        line: asked.line,
        tipo_dte: asked.tipo_dte,
        folio: built?.dte.folio ?? null,
        totals: document ? totalsOf(document) : null,
        state: file?.status ?? 'not_built',
        words: file?.words ?? null,
      }
    }),
  )
}

/** Where the documents of a simulation come from, by how many. */
function sourcesOf(documents: readonly PlannedDocument[]): Shown<'files'>['sources'] {
  const from = (source: SimulationSource) =>
    documents.filter((document) => (document as SimulatedDocument).source === source).length
  return { business: from('business'), inputs: from('inputs'), set: from('set') }
}

export function showFile(file: FileRow): Shown<'files'> {
  const { id, step, kind, status, attempt, file_name, plan, track_id, sent_at, words, findings } = file
  return {
    ...{ id, step, kind, state: status, attempt, file_name },
    documents: documentsOf(plan).length,
    sources: plan?.section === 'simulacion' ? sourcesOf(documentsOf(plan)) : null,
    track_id,
    sent_at: sent_at?.toISOString() ?? null,
    words,
    findings: [...findings],
  }
}

/** What may be told, and what has to be before anything goes on. */
export function showInputs(given: Readonly<Record<string, string>>, asked: readonly InputKey[]): Shown<'inputs'>[] {
  return INPUT_KEYS.filter((key) => key === 'products' || asked.includes(key) || given[key] !== undefined).map(
    (key) => ({
      key,
      label: INPUTS[key].label,
      format: INPUTS[key].format,
      required: asked.includes(key),
      value: given[key] ?? null,
    }),
  )
}
