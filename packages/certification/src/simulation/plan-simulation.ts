import { completeDraft, type DteDraft, type Emisor } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import { folioDispenser } from '../plan/inputs.ts'
import { foliosShort, missingHead } from '../plan/missing.ts'
import type { MissingInput } from '../plan/plan.ts'
import type { Business, SimulatedDocument, SimulationInputs, SimulationPlan } from './business.ts'
import { type FoliosNeeded, NOTES, ORIGINALS, simulationNeeds } from './needs.ts'
import { creditNotes, debitNotes } from './notes.ts'
import { drawOriginals } from './originals.ts'

type Origin = Pick<SimulatedDocument, 'source' | 'receptor_source' | 'line'>

/**
 * One envelope of documents such as the empresa issues: its own where it has any, and each says where it comes from.
 * Notes correct documents of the same envelope, and stand after them. The same business and seed give the same plan.
 */
export function planSimulation(business: Business, inputs: SimulationInputs): SimulationPlan {
  const needs = simulationNeeds(business, inputs.tipos)
  const missing = [
    ...missingHead(inputs),
    ...missingTipos(needs),
    ...foliosShort(entriesOf(needs), inputs.folios ?? {}),
  ]
  const head = {
    emisor_rut: inputs.emisor?.rut ?? '',
    resolucion: { date: inputs.resolucion_date ?? '', number: 0 },
    tipos: [...ORIGINALS, ...NOTES].filter((tipo_dte) => inputs.tipos.includes(tipo_dte)),
    not_built: [],
  }
  if (missing.length > 0) return { ...head, steps: [], missing }
  const built = build(business, inputs, needs)
  if ('missing' in built) return { ...head, steps: [], missing: built.missing }
  return { ...head, steps: [{ step: 'envelope', section: 'simulacion', attention: null, ...built }], missing: [] }
}

const entriesOf = (needs: FoliosNeeded) =>
  Object.entries(needs).map(([tipo, count]) => [Number(tipo) as TipoDte, count] as const)

function missingTipos(needs: FoliosNeeded): readonly MissingInput[] {
  if (entriesOf(needs).length > 0) return []
  return [
    { name: 'tipos', why: 'A simulation has documents of tipo 33, 34, 46 or 52, and notes that correct one of them.' },
  ]
}

/** Nothing of the head is missing any more. */
function build(
  business: Business,
  inputs: SimulationInputs,
  needs: FoliosNeeded,
): { readonly documents: readonly SimulatedDocument[] } | { readonly missing: readonly MissingInput[] } {
  const nextFolio = folioDispenser(inputs.folios)
  const documents: SimulatedDocument[] = []
  const add = (draft: DteDraft, { source, receptor_source, line }: Origin) => {
    const number = documents.length + 1
    const dte = completeDraft(draft, nextFolio(draft.tipo_dte))
    documents.push({ case_id: `SIM-${number}`, case_number: number, line, dte, source, receptor_source })
  }
  const context = { business, inputs, emisor: inputs.emisor as Emisor, issue_date: inputs.issue_date as string }
  for (const tipo_dte of ORIGINALS) {
    const needed = needs[tipo_dte] ?? 0
    if (needed === 0) continue
    const drawn = drawOriginals(tipo_dte, needed, context)
    if (drawn.length < needed) {
      const why = `Too few different documents of tipo ${tipo_dte} can be made of what is known.`
      return { missing: [{ name: 'products', why, needed, given: drawn.length }] }
    }
    for (const { draft, ...origin } of drawn) add(draft, origin)
  }
  for (const { draft, on } of creditNotes([...documents], needs[61] ?? 0)) add(draft, on)
  const credits = documents.filter(({ dte }) => dte.tipo_dte === 61)
  for (const { draft, on } of debitNotes(credits.length > 0 ? credits : [...documents], needs[56] ?? 0)) add(draft, on)
  return { documents }
}
