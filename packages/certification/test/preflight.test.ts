import type { Dte } from '@timbre/dte'
import { describe, expect, it } from 'vitest'
import {
  type CertificationSet,
  type Circumstances,
  checkPlan,
  type Plan,
  type PlanStep,
  planSet,
  RULES,
  readSet,
} from '../src/index.ts'
import { INPUTS, RECEPTORES } from './support/inputs.ts'
import { OWN_SET } from './support/own-set.ts'

const SET = readSet(OWN_SET)
const PLAN = planSet(SET, INPUTS)
const TODAY = { today: '2026-10-05', downloaded_on: '2026-09-20' }

type Step<Name extends PlanStep['step']> = Extract<PlanStep, { step: Name }>

const withSteps = (change: (step: PlanStep) => PlanStep): Plan => ({ ...PLAN, steps: PLAN.steps.map(change) })

/** The plan with one document changed. */
const withDte = (case_id: string, change: (dte: Dte) => Partial<Dte>, tipo?: number): Plan =>
  withSteps((step) =>
    step.step !== 'envelope'
      ? step
      : {
          ...step,
          documents: step.documents.map((planned) =>
            planned.case_id === case_id && (tipo ?? planned.dte.tipo_dte) === planned.dte.tipo_dte
              ? { ...planned, dte: { ...planned.dte, ...change(planned.dte) } }
              : planned,
          ),
        },
  )

const withBook = (section: string, change: (book: Step<'book'>['book']) => Partial<Step<'book'>['book']>): Plan =>
  withSteps((step) =>
    step.step === 'book' && step.section === section ? { ...step, book: { ...step.book, ...change(step.book) } } : step,
  )

const withEntry = (section: string, index: number, change: Partial<Step<'book'>['book']['entries'][number]>): Plan =>
  withBook(section, ({ entries }) => ({
    entries: entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)),
  }))

const withGuia = (index: number, change: Partial<Step<'guia_book'>['book']['entries'][number]>): Plan =>
  withSteps((step) =>
    step.step !== 'guia_book'
      ? step
      : {
          ...step,
          book: {
            ...step.book,
            entries: step.book.entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)),
          },
        },
  )

const firstItem = (change: Partial<Dte['items'][number]>) => (dte: Dte) => ({
  items: dte.items.map((item, index) => (index === 0 ? { ...item, ...change } : item)),
})
const secondReference = (change: object) => (dte: Dte) => ({
  references: dte.references?.map((reference, index) => (index === 1 ? { ...reference, ...change } : reference)),
})
const doubtful: CertificationSet = {
  ...SET,
  sections: SET.sections.map((section) =>
    section.kind === 'basico'
      ? { ...section, not_understood: [{ line: 50, text: 'RECUERDE', why: 'No rule reads it.' }] }
      : section,
  ),
}
const reversed: Plan = { ...PLAN, steps: [...PLAN.steps].reverse() }
const backwards = withSteps((step) =>
  step.step === 'envelope' && step.section === 'basico' ? { ...step, documents: [...step.documents].reverse() } : step,
)
const withoutLast = withSteps((step) =>
  step.step === 'envelope' && step.section === 'basico' ? { ...step, documents: step.documents.slice(0, -1) } : step,
)
const crowded = withSteps((step) =>
  step.step === 'envelope' && step.section === 'boletas'
    ? { ...step, documents: PLAN.steps.flatMap((other) => (other.step === 'envelope' ? other.documents : [])) }
    : step,
)
const withRvd = (change: Partial<Step<'rvd'>['rvd']['summaries'][number]>) =>
  withSteps((step) =>
    step.step === 'rvd'
      ? {
          ...step,
          rvd: {
            ...step.rvd,
            summaries: step.rvd.summaries.map((one, at) => (at === 0 ? { ...one, ...change } : one)),
          },
        }
      : step,
  )

interface Broken {
  readonly rule: string
  readonly what: string
  readonly plan?: Plan
  readonly set?: CertificationSet
  readonly circumstances?: Circumstances
  /** Case and line that the finding must name. */
  readonly at?: readonly [string | null, number | null]
}

// Lines are those of the own set; its basic section begins in line 40.
const base = SET.sections.find(({ kind }) => kind === 'basico')?.line ?? 0
// biome-ignore format: one broken plan per line
const BROKEN: readonly Broken[] = [
  { rule: 'section_understood', what: 'a doubtful section is built', set: doubtful, at: [null, 50] },
  { rule: 'every_section_built', what: 'a step is forgotten', plan: { ...PLAN, steps: PLAN.steps.slice(1) }, at: [null, base] },
  { rule: 'every_case_once', what: 'a case is forgotten', plan: withoutLast },
  { rule: 'every_case_once', what: 'a case that nobody asked for', plan: withSteps((step) => (step.step === 'envelope' && step.section === 'guias' ? { ...step, documents: step.documents.map((one) => ({ ...one, case_id: `${one.case_id}9` })) } : step)) },
  { rule: 'document_as_asked', what: 'another tipo', plan: withDte('900001-1', () => ({ tipo_dte: 34 })), at: ['900001-1', base + 2] },
  { rule: 'document_as_asked', what: 'another quantity', plan: withDte('900001-1', firstItem({ quantity: 11 })), at: ['900001-1', base + 7] },
  { rule: 'document_as_asked', what: 'another name', plan: withDte('900001-1', firstItem({ description: 'Mesa' })) },
  { rule: 'document_as_asked', what: 'a discount left out', plan: withDte('900001-1', firstItem({ discount: undefined })) },
  { rule: 'document_as_asked', what: 'an exempt item that pays IVA', plan: withDte('900001-2', ({ items }) => ({ items: items.map((item) => ({ ...item, exempt: false })) })) },
  { rule: 'global_discount_as_asked', what: 'a global discount left out', plan: withDte('900001-2', () => ({ discounts: undefined })), at: ['900001-2', base + 18] },
  { rule: 'global_discount_as_asked', what: 'a global discount on exempt items', plan: withDte('900001-2', ({ discounts }) => ({ discounts: discounts?.map((one) => ({ ...one, applies_to: 'exempt' as const })) })) },
  { rule: 'totals_add_up', what: 'a peso more', plan: withDte('900001-1', ({ totals }) => ({ totals: { ...totals, total: totals.total + 1 } })), at: ['900001-1', base + 2] },
  { rule: 'document_valid', what: 'a receptor without giro', plan: withDte('900001-1', ({ receptor }) => ({ receptor: { ...receptor, giro: undefined } })) },
  { rule: 'set_reference_first', what: 'the set second', plan: withDte('900001-4', ({ references = [] }) => ({ references: [...references].reverse() })) },
  { rule: 'set_reference_first', what: 'another case', plan: withDte('900002-1', ({ references }) => ({ references: references?.map((one) => ({ ...one, reason: 'CASO 900002-2' })) })) },
  { rule: 'set_reference_first', what: 'a boleta without SET', plan: withDte('3', () => ({ references: [] })) },
  { rule: 'reference_resolves', what: 'another folio', plan: withDte('900001-4', secondReference({ folio: 999 })) },
  { rule: 'reference_resolves', what: 'a factura that refers to another', plan: withDte('900001-1', ({ references = [] }) => ({ references: [...references, { tipo_dte: 33, folio: 1, date: '2026-10-05' }] })) },
  { rule: 'original_first', what: 'notes before facturas', plan: backwards },
  { rule: 'reference_code', what: 'a return that annuls', plan: withDte('900001-4', secondReference({ code: 1 })) },
  { rule: 'text_correction_is_zero', what: 'a correction of text with a price', plan: withDte('900001-3', ({ totals }) => ({ totals: { ...totals, net: 10, total: 12 } })) },
  { rule: 'annulment_repeats', what: 'an annulment of less', plan: withDte('900001-5', ({ totals }) => ({ totals: { ...totals, total: 5 } })) },
  { rule: 'difference_within_original', what: 'more given back than sold', plan: withDte('900001-4', firstItem({ quantity: 99 })) },
  { rule: 'difference_within_original', what: 'a return at another price', plan: withDte('900001-4', firstItem({ unit_price: 999 })) },
  { rule: 'difference_within_original', what: 'a return without the discount', plan: withDte('900001-4', firstItem({ discount: undefined })) },
  { rule: 'difference_within_original', what: 'a return above its original', plan: withDte('900001-4', ({ totals }) => ({ totals: { ...totals, total: 99_999 } })) },
  { rule: 'difference_within_original', what: 'a boleta lowered by more than it is', plan: withDte('2', ({ totals }) => ({ totals: { ...totals, total: 2000 } }), 61) },
  { rule: 'receptores_distinct', what: 'one receptor twice', plan: withDte('900001-2', () => ({ receptor: RECEPTORES[0] as Dte['receptor'] })) },
  { rule: 'receptores_distinct', what: 'a note to somebody else', plan: withDte('900001-3', () => ({ receptor: RECEPTORES[3] as Dte['receptor'] })) },
  { rule: 'receptores_distinct', what: 'the emisor as receptor', plan: withDte('900001-1', ({ receptor, emisor }) => ({ receptor: { ...receptor, rut: emisor.rut } })) },
  { rule: 'one_emisor', what: 'another emisor', plan: withDte('900001-1', ({ emisor }) => ({ emisor: { ...emisor, rut: '97004000-5' } })) },
  { rule: 'transfer_as_asked', what: 'a transfer that is a sale', plan: withDte('900002-1', ({ dispatch }) => ({ dispatch: { ...dispatch, transfer_type: 1 } })) },
  { rule: 'transfer_as_asked', what: 'the other one carries', plan: withDte('900002-2', ({ dispatch }) => ({ dispatch: { ...dispatch, dispatch_type: 1 } })) },
  { rule: 'transfer_as_asked', what: 'an internal transfer to a stranger', plan: withDte('900002-1', () => ({ receptor: RECEPTORES[0] as Dte['receptor'] })) },
  { rule: 'withholding_in_full', what: 'a factura de compra that withholds nothing', plan: withDte('900004-1', ({ totals: { taxes: _, ...totals } }) => ({ totals })) },
  { rule: 'nro_resol_zero', what: 'a resolución of producción', plan: { ...PLAN, resolucion: { date: '2014-08-22', number: 80 } }, at: [null, null] },
  { rule: 'steps_in_order', what: 'books first', plan: reversed },
  { rule: 'envelope_limits', what: 'boletas among facturas', plan: crowded },
  { rule: 'envelope_limits', what: 'an empty envelope', plan: withSteps((step) => (step.step === 'envelope' && step.section === 'guias' ? { ...step, documents: [] } : step)) },
  { rule: 'folio_once', what: 'a folio twice', plan: withDte('900001-2', () => ({ folio: 101 })) },
  { rule: 'acteco_known', what: 'an activity that is none', plan: withDte('900001-1', ({ emisor }) => ({ emisor: { ...emisor, acteco: [999_999] } })) },
  { rule: 'one_period', what: 'a document of another month', plan: withDte('900001-2', () => ({ issue_date: '2026-09-30' })) },
  { rule: 'one_period', what: 'a document of tomorrow', circumstances: { today: '2026-10-04' } },
  { rule: 'one_period', what: 'a book of a later month', plan: withBook('libro_ventas', () => ({ period: '2026-11' })) },
  { rule: 'set_in_force', what: 'a set of three months ago', circumstances: { today: '2026-10-05', downloaded_on: '2026-07-01' } },
  { rule: 'special_book', what: 'a monthly book', plan: withBook('libro_ventas', () => ({ kind: 'MENSUAL' })) },
  { rule: 'special_book', what: 'the number of the other book', plan: withBook('libro_compras', () => ({ notification_number: 1 })) },
  { rule: 'special_book', what: 'a book of somebody else', plan: withBook('libro_compras', () => ({ emisor_rut: '97004000-5' })) },
  { rule: 'sales_book_squares', what: 'a peso more', plan: withEntry('libro_ventas', 0, { iva: 2091 }), at: [null, base + 2] },
  { rule: 'sales_book_squares', what: 'a document left out', plan: withBook('libro_ventas', ({ entries }) => ({ entries: entries.slice(1) })) },
  { rule: 'sales_book_squares', what: 'a document too many', plan: withBook('libro_ventas', ({ entries }) => ({ entries: [...entries, ...entries.slice(0, 1)] })) },
  { rule: 'purchases_book_squares', what: 'common use taken as credit', plan: withEntry('libro_compras', 1, { iva: 380, iva_common_use: 0 }) },
  { rule: 'purchases_book_squares', what: 'a free delivery with another code', plan: withEntry('libro_compras', 2, { iva_not_recoverable: [{ code: 1, amount: 570 }] }) },
  { rule: 'purchases_book_squares', what: 'a compra that withholds nothing', plan: withEntry('libro_compras', 3, { taxes: [], total: 4760 }) },
  { rule: 'purchases_book_squares', what: 'a row left out', plan: withBook('libro_compras', ({ entries }) => ({ entries: entries.slice(1) })) },
  { rule: 'purchases_book_squares', what: 'another factor', plan: withBook('libro_compras', () => ({ common_use_factor: 0.6 })) },
  { rule: 'guia_book_squares', what: 'another total', plan: withGuia(1, { total: 1 }) },
  { rule: 'guia_book_squares', what: 'an annulled guía that stands', plan: withSteps((step) => (step.step === 'guia_book' ? { ...step, book: { ...step.book, entries: step.book.entries.map(({ annulled: _, ...entry }) => entry) } } : step)) },
  { rule: 'guia_book_squares', what: 'an invoiced guía without its factura', plan: withSteps((step) => (step.step === 'guia_book' ? { ...step, book: { ...step.book, entries: step.book.entries.map(({ reference: _, ...entry }) => entry) } } : step)) },
  { rule: 'rvd_squares', what: 'another total', plan: withRvd({ total: 1 }) },
  { rule: 'rvd_squares', what: 'a folio that was not issued', plan: withRvd({ issued: [1] }) },
]

describe('the pre-flight', () => {
  it('finds nothing in what was built from a set', () => {
    expect(checkPlan(SET, PLAN, TODAY)).toEqual([])
  })

  it('takes a book of an earlier month than its documents: one that is sent again', () => {
    const again = withBook('libro_ventas', () => ({ period: '2026-09' }))
    expect(checkPlan(SET, again, TODAY)).toEqual([])
  })

  it.each(BROKEN)('$rule finds $what', ({ rule, plan = PLAN, set = SET, circumstances = TODAY, at }) => {
    const found = checkPlan(set, plan, circumstances).filter((finding) => finding.rule === rule)
    expect(found.length).toBeGreaterThan(0)
    if (at !== undefined) expect([found[0]?.case_id, found[0]?.line]).toEqual(at)
  })

  it('has each of its rules broken once here, and each says what holds and who says so', () => {
    expect(RULES.map(({ id }) => id).filter((id) => !BROKEN.some(({ rule }) => rule === id))).toEqual([])
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
    expect(RULES.filter(({ sentence, source }) => !sentence.endsWith('.') || source === '')).toEqual([])
  })
})
