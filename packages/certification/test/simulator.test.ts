import { buildDocumento, type Caf, type Outcome } from '@timbre/dte'
import { describe, expect, it } from 'vitest'
import { makeIdentity, SIGNER_RUT } from '../../dte/test/support/keys.ts'
import { PLACEHOLDER_TED } from '../../dte/test/support/xsd.ts'
import { makeSet } from '../../sii-simulator/src/certification/make-set.ts'
import { readBook } from '../../sii-simulator/src/certification/read-book.ts'
import { readEnvelope } from '../../sii-simulator/src/certification/read-set-document.ts'
import { type BoletaNote, readDailyUse, reviewBoletas } from '../../sii-simulator/src/certification/review-boletas.ts'
import { reviewGuides, reviewPurchases, reviewSales } from '../../sii-simulator/src/certification/review-books.ts'
import { reviewDocuments } from '../../sii-simulator/src/certification/review-documents.ts'
import { type SectionKind, sectionOf, type TestSet } from '../../sii-simulator/src/certification/set.ts'
import { writeBoletaSet, writeSet } from '../../sii-simulator/src/certification/write-set.ts'
import { checkPlan, type EnvelopeStep, type Plan, type PlanStep, planSet, readSet, signStep } from '../src/index.ts'
import { INPUTS } from './support/inputs.ts'

/** The simulator's reviewer was written from the same facts by itself: what it takes is what both sides read in them. */

const KINDS: readonly SectionKind[] = ['basico', 'ventas', 'compras', 'guias', 'libro_guias', 'exenta', 'compra']
const handOut = (request: number, kinds: readonly SectionKind[]) =>
  makeSet({ rut: '76543210-3', request, at: Date.UTC(2026, 8, 20), kinds, first_attention: 4_700_000 + request * 100 })

/** An envelope with its documents as they are built: a review does not look at signatures, which were judged before. */
function envelopeOf({ documents }: EnvelopeStep): Buffer {
  const written = documents.map(({ dte }) => {
    const ted = PLACEHOLDER_TED.replaceAll('TIPO', String(dte.tipo_dte))
    return `<DTE version="1.0">${buildDocumento(dte, { ted, tmst_firma: '2026-10-05T12:00:00' })}</DTE>`
  })
  const xml = `<EnvioDTE xmlns="http://www.sii.cl/SiiDte"><SetDTE>${written.join('')}</SetDTE></EnvioDTE>`
  return Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1')
}

const stepOf = (plan: Plan, section: string, step: PlanStep['step'] = 'envelope') =>
  plan.steps.find((one) => one.section === section && one.step === step) as PlanStep
const documentsOf = (plan: Plan, section: string) => readEnvelope(envelopeOf(stepOf(plan, section) as EnvelopeStep))
const sectionIn = (set: TestSet, kind: SectionKind) => {
  const section = sectionOf(set, kind)
  if (section === null) throw new Error(`no ${kind}`)
  return section
}

const signing = {
  signer: makeIdentity().signer,
  envia_rut: SIGNER_RUT,
  tmst_firma: '2026-10-05T12:05:00',
  cafOf: (): Caf<number> => {
    throw new Error('no document is signed here')
  },
}
function taken(outcome: Outcome<string>): Buffer {
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  return Buffer.from(outcome.value, 'latin1')
}

/** The notes about boletas as the SII would have them on record. */
function notesIn(plan: Plan): BoletaNote[] {
  const [, ...envelopes] = plan.steps.filter((one): one is EnvelopeStep => one.step === 'envelope')
  return envelopes.flatMap(readNotes).flatMap(({ references, fecha, amounts }) => {
    const about = references.find(({ tipo }) => tipo !== 'SET')
    return [{ folio: Number(about?.folio), code: Number(about?.code), fecha, total: amounts.total }]
  })
}
const readNotes = (step: EnvelopeStep) => readEnvelope(envelopeOf(step))

describe('a set of the simulator', () => {
  it.each([1, 2, 3])('is read whole, and what is built passes its review (request %i)', async (request) => {
    const handed = handOut(request, KINDS)
    const set = readSet(writeSet(handed))
    expect(set.sections.flatMap(({ not_understood }) => not_understood)).toEqual([])
    const plan = planSet(set, INPUTS)
    expect([plan.missing, plan.not_built, checkPlan(set, plan)]).toEqual([[], [], []])
    for (const kind of ['basico', 'guias', 'exenta', 'compra'] as const)
      expect([kind, reviewDocuments(sectionIn(handed, kind), documentsOf(plan, kind))]).toEqual([kind, []])
    const book = async (section: string, step: 'book' | 'guia_book') =>
      readBook(taken(await signStep(plan, stepOf(plan, section, step), signing)))
    expect(reviewSales(await book('libro_ventas', 'book'), documentsOf(plan, 'basico'))).toEqual([])
    expect(reviewPurchases(await book('libro_compras', 'book'), sectionIn(handed, 'compras'))).toEqual([])
    const guias = sectionIn(handed, 'guias')
    expect(reviewGuides(await book('libro_guias', 'guia_book'), guias, documentsOf(plan, 'guias'))).toEqual([])
  })

  it.each(['boletas', 'boletas_exentas'] as const)('of %s passes its review with its notes and RVD', async (kind) => {
    const noted: number[] = []
    for (const request of [1, 2, 3, 4, 5, 6]) {
      const section = sectionIn(handOut(request, [kind]), kind)
      const set = readSet(writeBoletaSet(section))
      const plan = planSet(set, INPUTS)
      expect([plan.missing, plan.not_built, checkPlan(set, plan)]).toEqual([[], [], []])
      const rvd = taken(await signStep(plan, stepOf(plan, 'boletas', 'rvd'), signing))
      const notes = notesIn(plan)
      expect(reviewBoletas(section, documentsOf(plan, 'boletas'), readDailyUse(rvd), notes)).toEqual([])
      noted.push(notes.length)
    }
    expect(new Set(noted)).toEqual(new Set([0, 2]))
  })
})
