import { describe, expect, it } from 'vitest'
import { type Plan, type PlanStep, planSet, readSet } from '../src/index.ts'
import { INPUTS, RECEPTORES } from './support/inputs.ts'
import { BASICO, BOLETAS, bytesOf, COMPRAS, GUIAS, LIBRO_GUIAS, OWN_SET, VENTAS } from './support/own-set.ts'
import { amountsOf, documentsOf } from './support/totals.ts'

const set = readSet(OWN_SET)
const plan = planSet(set, INPUTS)

describe('a plan', () => {
  it('has each case with the amounts that it asks for, worked out in the head', () => {
    expect(amountsOf(plan)).toEqual({
      '900001-1 33': [11000, 0, 2090, 0, 13090], // 10 × 1000 − 10 % = 9000; 4 × 500
      '900001-2 33': [15000, 3000, 2850, 0, 20850], // 2 × 10000 − 25 %; the exempt 3000 keeps its price
      '900001-3 61': [0, 0, 0, 0, 0],
      '900001-4 61': [2700, 0, 513, 0, 3213], // 3 × 1000 − 10 %
      '900001-5 61': [15000, 3000, 2850, 0, 20850],
      '900001-6 56': [0, 0, 0, 0, 0],
      '900002-1 52': [0, 0, 0, 0, 0],
      '900002-2 52': [500, 0, 95, 0, 595],
      '900002-3 52': [700, 0, 133, 0, 833],
      '900003-1 34': [0, 6000, 0, 0, 6000],
      '900003-2 61': [0, 900, 0, 0, 900], // the 6 hours × 150
      '900004-1 46': [10000, 0, 1900, 1900, 10000],
      '900004-2 61': [4000, 0, 760, 760, 4000],
      '1 39': [1000, 0, 190, 0, 1190],
      '2 39': [1000, 0, 190, 0, 1190],
      '3 41': [0, 500, 0, 0, 500],
      '1 61': [1000, 0, 190, 0, 1190],
      '2 61': [500, 0, 95, 0, 595], // half of 1190
    })
  })

  it('is in the order that the SII accepts, books after what they are made of', () => {
    expect(plan.steps.map(({ section, step }) => `${section} ${step}`)).toEqual([
      'basico envelope',
      'guias envelope',
      'exenta envelope',
      'compra envelope',
      'libro_ventas book',
      'libro_compras book',
      'libro_guias guia_book',
      'boletas envelope',
      'boletas envelope',
      'boletas rvd',
    ])
  })

  it('refers first to the set and then to the document of the other case', () => {
    const [factura, , , nota] = documentsOf(plan)
    expect(factura?.dte.references).toEqual([
      { document_type: 'SET', folio: '900001-1', date: '2026-10-05', reason: 'CASO 900001-1' },
    ])
    expect(nota?.dte.references).toEqual([
      { document_type: 'SET', folio: '900001-4', date: '2026-10-05', reason: 'CASO 900001-4' },
      { tipo_dte: 33, folio: 101, date: '2026-10-05', code: 3, reason: 'DEVOLUCION DE MERCADERIAS' },
    ])
    expect(documentsOf(plan).find(({ dte }) => dte.tipo_dte === 39)?.dte.references).toEqual([
      { text_code: 'SET', reason: 'CASO-1' },
    ])
  })

  it('uses each folio once and only what was given, in order', () => {
    const folios = documentsOf(plan).map(({ dte }) => `${dte.tipo_dte} ${dte.folio}`)
    expect(new Set(folios).size).toBe(folios.length)
    expect(folios.filter((folio) => folio.startsWith('33'))).toEqual(['33 101', '33 102'])
  })

  it('puts a case after the one it refers to, also where the set has it before', () => {
    const first = BASICO.indexOf('CASO 900001-1')
    const fourth = BASICO.indexOf('CASO 900001-4')
    const fifth = BASICO.indexOf('CASO 900001-5')
    const moved = [
      ...BASICO.slice(0, first),
      ...BASICO.slice(fourth, fifth),
      ...BASICO.slice(first, fourth),
      ...BASICO.slice(fifth),
    ]
    const cases = documentsOf(planSet(readSet(bytesOf(moved)), INPUTS)).map(({ case_id }) => case_id.slice(-1))
    expect(cases.join('')).toBe('142356')
  })

  it('makes the sales book of the exempt set where there is no basic one', () => {
    const { steps } = planSet(readSet(bytesOf(VENTAS, exenta())), INPUTS)
    const book = steps.find((step): step is Extract<PlanStep, { step: 'book' }> => step.step === 'book')
    expect(book?.book.entries.map(({ tipo_doc, exempt, total }) => [tipo_doc, exempt, total])).toEqual([
      [34, 6000, 6000],
      [61, 900, 900],
    ])
  })

  it('asks by name for what only the taxpayer knows, and builds nothing meanwhile', () => {
    const asked = planSet(set, {})
    expect(asked.steps).toEqual([])
    expect(asked.missing.map(({ name, needed, given }) => [name, needed, given])).toEqual([
      ['emisor', undefined, undefined],
      ['issue_date', undefined, undefined],
      ['resolucion_date', undefined, undefined],
      ['receptores', 2, 0],
      ['folios.33', 2, 0],
      ['folios.61', 7, 0],
      ['folios.56', 1, 0],
      ['folios.52', 3, 0],
      ['folios.34', 1, 0],
      ['folios.46', 1, 0],
      ['folios.39', 2, 0],
      ['folios.41', 1, 0],
    ])
  })

  it('has books of the month of their documents, but for one whose period is given, with the same lines', () => {
    const booksOf = ({ steps }: Plan) =>
      steps.flatMap((step) => (step.step === 'book' || step.step === 'guia_book' ? [step.book] : []))
    const again = planSet(set, { ...INPUTS, book_periods: { libro_ventas: '2026-09' } })
    expect(booksOf(plan).map(({ period }) => period)).toEqual(['2026-10', '2026-10', '2026-10'])
    expect(booksOf(again).map(({ period }) => period)).toEqual(['2026-09', '2026-10', '2026-10'])
    expect(booksOf(again)[0]?.entries).toEqual(booksOf(plan)[0]?.entries)
  })

  it('has books that are made again a month later of the month of the documents that stand', () => {
    const kept = plan.steps.filter(({ step, section }) => step === 'envelope' || section === 'boletas')
    const { steps } = planSet(set, { ...INPUTS, issue_date: '2026-11-02', kept })
    const books = steps.filter(({ step }) => step === 'book' || step === 'guia_book')
    expect(books).toEqual(plan.steps.filter(({ step }) => step === 'book' || step === 'guia_book'))
  })

  it('asks for the factor and for the factura of a guía only when the set does not tell', () => {
    const factorless = COMPRAS.slice(0, COMPRAS.indexOf('OBSERVACIONES GENERALES'))
    const { missing } = planSet(readSet(bytesOf(factorless, GUIAS, LIBRO_GUIAS)), INPUTS)
    expect(missing.map(({ name }) => name)).toEqual(['common_use_factor', 'invoiced_guia'])
  })

  it('leaves out a section that was not understood, and the book that needs it', () => {
    const { steps, not_built } = planSet(readSet(bytesOf([...BASICO, 'RECUERDE'], GUIAS, VENTAS)), INPUTS)
    expect(steps.map(({ section }) => section)).toEqual(['guias'])
    expect(not_built.map(({ kind, reasons }) => [kind, reasons[0]?.why])).toEqual([
      ['basico', 'No rule reads this line of a case.'],
      ['libro_ventas', 'The set that this book is made of was not built.'],
    ])
  })

  it('leaves out a section whose note gives back what was never sold', () => {
    const strange = BASICO.map((line) => line.replace('Mesa AFECTO\t      3', 'Lámpara AFECTO\t      3'))
    expect(planSet(readSet(bytesOf(strange)), INPUTS).not_built[0]?.reasons).toMatchObject([
      { line: 34, text: 'Lámpara AFECTO' },
    ])
  })

  it('leaves out a section whose amounts no document can carry', () => {
    const huge = BASICO.map((line) => line.replace('      2\t\t  10000', '999999999999\t\t999999999999'))
    expect(planSet(readSet(bytesOf(huge)), INPUTS).not_built[0]?.reasons[0]?.why).toContain('more than a document')
  })

  it('lowers a boleta by its percentage, half a peso upwards', () => {
    const [heading = ''] = BOLETAS
    // 50 % of 25 = 12.5
    const lowered = amountsOf(planSet(readSet(bytesOf([heading, '1;;goma;1;;25;;50'])), INPUTS))
    expect(lowered['1 61']).toEqual([11, 0, 2, 0, 13])
  })

  it('addresses the documents of a section to distinct receptores and notes to that of their original', () => {
    const ruts = documentsOf(plan)
      .slice(0, 6)
      .map(({ dte }) => dte.receptor.rut)
    const [one, two] = RECEPTORES.map(({ rut }) => rut)
    expect(ruts).toEqual([one, two, one, one, two, one])
  })
})

function exenta(): readonly string[] {
  const lines = OWN_SET.toString('latin1').split('\r\n')
  const start = lines.findIndex((line) => line.startsWith('SET FACTURA EXENTA'))
  return lines.slice(
    start,
    lines.findIndex((line, index) => index > start && line.startsWith('----')),
  )
}
