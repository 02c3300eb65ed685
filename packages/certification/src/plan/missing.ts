import type { TipoDte } from '@timbre/dte/values'
import type { Section } from '../set/set.ts'
import { boletaNotesNeeded } from './boletas.ts'
import { receptoresNeeded } from './documents.ts'
import type { PlanInputs } from './inputs.ts'
import type { MissingInput } from './plan.ts'

/** Everything that must be known before these sections can be built, as far as it was not given. */
export function missingInputs(sections: readonly Section[], inputs: PlanInputs): readonly MissingInput[] {
  const missing = [...missingHead(inputs)]
  const { receptores = [] } = inputs
  const needed = Math.max(0, ...sections.map(receptoresOf))
  if (receptores.length < needed)
    missing.push({ name: 'receptores', why: 'Documents go to distinct RUT.', needed, given: receptores.length })
  missing.push(...missingFolios(sections, inputs), ...missingOfBooks(sections, inputs))
  return missing
}

/** What every envelope needs, whatever it holds. */
export function missingHead({
  emisor,
  issue_date,
  resolucion_date,
}: Pick<PlanInputs, 'emisor' | 'issue_date' | 'resolucion_date'>): readonly MissingInput[] {
  const missing: MissingInput[] = []
  if (emisor === undefined) missing.push({ name: 'emisor', why: 'Every document says who issues it.' })
  else if ((emisor.acteco?.length ?? 0) === 0)
    missing.push({ name: 'emisor.acteco', why: 'Every document but a boleta carries an activity of its emisor.' })
  if (issue_date === undefined) missing.push({ name: 'issue_date', why: 'Documents and books need their date.' })
  if (resolucion_date === undefined)
    missing.push({ name: 'resolucion_date', why: 'Envelopes carry the date of the authorisation to certify.' })
  return missing
}

function receptoresOf(section: Section): number {
  if (section.kind === 'boletas') return boletaNotesNeeded(section)
  return section.kind === 'libro_compras' ? 1 : receptoresNeeded(section)
}

function missingFolios(sections: readonly Section[], { folios = {} }: PlanInputs): readonly MissingInput[] {
  const needed = new Map<TipoDte, number>()
  const need = (tipo_dte: TipoDte, count: number) => needed.set(tipo_dte, (needed.get(tipo_dte) ?? 0) + count)
  for (const section of sections) {
    for (const { tipo_dte } of section.cases) need(tipo_dte, 1)
    if (boletaNotesNeeded(section) > 0) need(61, boletaNotesNeeded(section))
  }
  return foliosShort(needed, folios)
}

/** The tipos that have fewer folios than documents. */
export function foliosShort(
  needed: Iterable<readonly [TipoDte, number]>,
  folios: NonNullable<PlanInputs['folios']>,
): readonly MissingInput[] {
  return [...needed].flatMap(([tipo_dte, count]) => {
    const given = new Set(folios[tipo_dte]).size
    return given >= count
      ? []
      : [{ name: `folios.${tipo_dte}`, why: 'Each document takes a folio of its own.', needed: count, given }]
  })
}

function missingOfBooks(sections: readonly Section[], inputs: PlanInputs): MissingInput[] {
  const missing: MissingInput[] = []
  const unknown_factor = sections.some(
    ({ purchases, common_use_factor }) =>
      common_use_factor === undefined && purchases.some(({ use }) => use === 'common_use'),
  )
  if (unknown_factor && inputs.common_use_factor === undefined)
    missing.push({ name: 'common_use_factor', why: 'A purchase is of common use and the set gives no factor.' })
  const invoiced = sections.some(({ guia_marks }) => guia_marks.some(({ mark }) => mark === 'invoiced'))
  const has_factura = sections.some(
    ({ kind, cases }) => kind === 'basico' && cases.some(({ tipo_dte }) => tipo_dte === 33),
  )
  const kept_factura = inputs.kept?.some(
    (step) =>
      step.step === 'envelope' && step.section === 'basico' && step.documents.some(({ dte }) => dte.tipo_dte === 33),
  )
  if (invoiced && !has_factura && !kept_factura && inputs.invoiced_guia === undefined)
    missing.push({ name: 'invoiced_guia', why: 'A guía was invoiced and the set has no factura to name.' })
  return missing
}
