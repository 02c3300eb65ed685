import { checkDraft } from '@timbre/dte/draft'
import { SECTION_ORDER } from '../plan/plan-set.ts'
import type { Case, CaseItem, Section } from '../set/set.ts'
import { recompute } from './amounts.ts'
import type { Facts, PlannedCase } from './facts.ts'
import { type Complaint, FORMAT, MANUAL, ofCase, ofStep, type Rule } from './rule.ts'

/** That the documents are what the set asks for, one for each case. */
export const CASE_RULES: readonly Rule[] = [
  {
    id: 'section_understood',
    sentence: 'Nothing is built from a section that has a line which was not understood.',
    source: 'our own: the SII reviews what it asked for, not what was guessed',
    check: ({ plan, sectionOf }) =>
      plan.steps.flatMap((step) => {
        const first = sectionOf(step)?.not_understood[0]
        return first === undefined ? [] : [ofStep(step, `${first.why} "${first.text}"`, first.line)]
      }),
  },
  {
    id: 'every_section_built',
    sentence: 'Every section of the set is built, or was left out with its reason.',
    source: MANUAL,
    check: ({ set, plan }) =>
      set.sections
        .filter(
          (section) =>
            !plan.steps.some((step) => isOf(step, section)) && !plan.not_built.some((out) => isOf(out, section)),
        )
        .map(({ kind, attention, line, title }) => ({
          section: kind,
          attention,
          case_id: null,
          line,
          message: `${title} was not built.`,
        })),
  },
  {
    id: 'every_case_once',
    sentence: 'An envelope holds every case of its set, each once, and nothing else.',
    source: `${MANUAL}: the final envelope must hold all cases`,
    check: everyCaseOnce,
  },
  {
    id: 'document_as_asked',
    sentence:
      'A document is of the tipo of its case and has its items literally: name, quantity, unit, price and discount.',
    source: MANUAL,
    check: ({ documents }) => documents.flatMap(literally),
  },
  {
    id: 'global_discount_as_asked',
    sentence: 'A global discount is the percentage of the case, over its taxed items alone.',
    source: `${FORMAT}, section D`,
    check: ({ documents }) => documents.flatMap(discountsAsAsked),
  },
  {
    id: 'totals_add_up',
    sentence: 'The totals of a document are what its lines add up to, to the peso.',
    source: `${FORMAT}, Totales; "monto total no cuadra" in public certifications`,
    check: ({ documents }) => documents.flatMap(totalsAddUp),
  },
  {
    id: 'document_valid',
    sentence: 'A document has every field that its tipo asks for, within the lengths of the schema.',
    source: 'DTE_v10.xsd and EnvioBOLETA_v11.xsd (RSC); Formato DTE v2.4.2',
    check: ({ documents, circumstances: { today } }) =>
      documents.flatMap((document) =>
        checkDraft(document.dte, { today }).map(({ message }) => ofCase(document, message)),
      ),
  },
]

const isOf = (
  one: { section: string; attention: string | null } | { kind: string; attention: string | null },
  { kind, attention }: Section,
) => ('section' in one ? one.section : one.kind) === kind && one.attention === attention

function everyCaseOnce({ set, documents, plan }: Facts): readonly Complaint[] {
  const strays = documents
    .filter(({ asked }) => asked === undefined)
    .map((stray) => ofCase(stray, 'The set has no such case.'))
  const sections = set.sections.filter(
    (section) => SECTION_ORDER.includes(section.kind) && plan.steps.some((step) => isOf(step, section)),
  )
  const missing = sections.flatMap((section) => section.cases.flatMap((asked) => countCase(section, asked, documents)))
  return [...strays, ...missing]
}

function countCase(section: Section, asked: Case, documents: readonly PlannedCase[]): readonly Complaint[] {
  const of_case = documents.filter((document) => document.asked === asked)
  const notes = of_case.filter(({ boleta_note }) => boleta_note).length
  const head = { section: section.kind, attention: section.attention, case_id: asked.id, line: asked.line }
  const found = of_case.length - notes
  if (found !== 1) return [{ ...head, message: `${asked.label} has ${found} documents.` }]
  const wanted = asked.boleta_note === undefined ? 0 : 1
  return notes === wanted ? [] : [{ ...head, message: `${asked.label} has ${notes} notas de crédito, not ${wanted}.` }]
}

function literally(document: PlannedCase): readonly Complaint[] {
  const { asked, dte, boleta_note } = document
  if (asked === undefined || boleta_note) return []
  if (dte.tipo_dte !== asked.tipo_dte) return [ofCase(document, `It is a ${dte.tipo_dte}, not a ${asked.tipo_dte}.`)]
  // A note that annuls or corrects text has no items of its own.
  if (asked.items.length === 0) return []
  if (dte.items.length !== asked.items.length)
    return [ofCase(document, `It has ${dte.items.length} lines, not ${asked.items.length}.`)]
  return asked.items.flatMap((item, index) => {
    const strange = differences(item, dte.items[index] ?? { description: '', amount: 0 })
    return strange.length === 0
      ? []
      : [ofCase(document, `Its line ${index + 1} has another ${strange.join(', ')}.`, item.line)]
  })
}

/** What the case says of an item must stand; what it leaves out comes from elsewhere. */
function differences(item: CaseItem, line: PlannedCase['dte']['items'][number]): readonly string[] {
  const differs = (asked: unknown, built: unknown) => asked !== undefined && asked !== built
  return [
    ...(item.name === line.description ? [] : ['name']),
    ...(differs(item.quantity, line.quantity) ? ['quantity'] : []),
    ...(differs(item.unit, line.unit) ? ['unit'] : []),
    ...(differs(item.unit_price, line.unit_price) ? ['price'] : []),
    ...(differs(item.discount_percent, line.discount?.percent) ? ['discount'] : []),
    ...(item.exempt === (line.exempt === true) ? [] : ['exemption']),
  ]
}

function discountsAsAsked(document: PlannedCase): readonly Complaint[] {
  const { asked, dte } = document
  const built = dte.discounts ?? []
  const untaxed = built.some(({ applies_to }) => applies_to !== undefined && applies_to !== 'taxed')
  if (untaxed) return [ofCase(document, 'A global discount touches exempt items.')]
  // The discounts of a note are judged against its original.
  if (asked === undefined || asked.reference !== undefined) return []
  const percents = built.map(({ percent }) => percent).join()
  const wanted = asked.global_discounts.map(({ percent }) => percent).join()
  if (percents === wanted) return []
  const line = asked.global_discounts[0]?.line
  return [ofCase(document, `Its global discounts are ${percents || 'none'}, not ${wanted || 'none'}.`, line)]
}

function totalsAddUp(document: PlannedCase): readonly Complaint[] {
  const { totals } = document.dte
  const expected = recompute(document.dte)
  const parts = ['net', 'exempt', 'iva', 'total'] as const
  const wrong = parts.filter((part) => (totals[part] ?? 0) !== expected[part])
  return wrong.map((part) => ofCase(document, `Its ${part} is ${totals[part] ?? 0}; its lines give ${expected[part]}.`))
}
