import { buildDocumento, checkDte } from '@timbre/dte'
import type { TipoDte } from '@timbre/dte/values'
import { describe, expect, it } from 'vitest'
import { EMISOR } from '../../dte/test/support/samples.ts'
import { describeWithReference } from '../../dte/test/support/shared.ts'
import { loadSchemas, PLACEHOLDER_TED } from '../../dte/test/support/xsd.ts'
import { readEnvelope } from '../../sii-simulator/src/certification/read-set-document.ts'
import { reviewSimulation } from '../../sii-simulator/src/certification/review.ts'
import {
  type Business,
  checkSimulation,
  PUBLIC_BODIES,
  planSimulation,
  readSet,
  type SimulatedDocument,
  type SimulationInputs,
  type SimulationPlan,
  simulationNeeds,
} from '../src/index.ts'
import { BUSINESS, NO_BUSINESS } from './support/business.ts'
import { INPUTS, RECEPTORES } from './support/inputs.ts'
import { OWN_SET } from './support/own-set.ts'

const ALL: readonly TipoDte[] = [33, 34, 46, 52, 56, 61]
const SET = readSet(OWN_SET)
const { emisor, folios, issue_date, resolucion_date } = INPUTS
const inputs = (change: Partial<SimulationInputs> = {}): SimulationInputs =>
  ({ emisor, folios, issue_date, resolucion_date, tipos: ALL, set: SET, ...change }) as SimulationInputs
const simulate = (business: Business, change: Partial<SimulationInputs> = {}) =>
  planSimulation(business, inputs(change))
const documentsOf = ({ steps }: SimulationPlan): readonly SimulatedDocument[] =>
  steps.flatMap(({ documents }) => documents)
const sourcesOf = (plan: SimulationPlan) =>
  Object.fromEntries(
    documentsOf(plan).map(({ case_id, dte, source, receptor_source }) => [
      case_id,
      [dte.tipo_dte, source, receptor_source],
    ]),
  )
const linesOf = (plan: SimulationPlan) => documentsOf(plan).flatMap(({ dte }) => dte.items)
const written = ({ dte }: SimulatedDocument) =>
  buildDocumento(dte, {
    ted: PLACEHOLDER_TED.replaceAll('TIPO', String(dte.tipo_dte)),
    tmst_firma: '2026-10-05T12:00:00',
  })
const tiposOf = (documents: readonly SimulatedDocument[]) => {
  const counts: Record<number, number> = {}
  for (const { dte } of documents) counts[dte.tipo_dte] = (counts[dte.tipo_dte] ?? 0) + 1
  return counts
}

/** An envelope as the simulator of the SII gets to read it; signatures were judged before. */
const judged = (plan: SimulationPlan, tipos: readonly TipoDte[]) => {
  const documents = documentsOf(plan).map((document) => `<DTE version="1.0">${written(document)}</DTE>`)
  const xml = `<EnvioDTE xmlns="http://www.sii.cl/SiiDte"><SetDTE>${documents.join('')}</SetDTE></EnvioDTE>`
  const bytes = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1')
  return reviewSimulation({ tipos: [...tipos] }, readEnvelope(bytes))
}

/** Every combination of tipos that has something to correct. */
const COMBINATIONS = Array.from({ length: 2 ** ALL.length }, (_, bits) =>
  ALL.filter((_, at) => (bits >> at) & 1),
).filter((tipos) => tipos.some((tipo_dte) => tipo_dte < 53) && tipos.join() !== '52,56')

describe('a simulation of what the empresa does', () => {
  it.each([
    ['business', BUSINESS],
    ['no business', NO_BUSINESS],
  ])('has 10 to 100 documents, each tipo among them, and passes every check and review, with %s', (_, business) => {
    for (const tipos of COMBINATIONS) {
      const plan = simulate(business, { tipos })
      const documents = documentsOf(plan)
      expect([tipos, plan.missing, checkSimulation(plan, { today: '2026-10-05' })]).toEqual([tipos, [], []])
      expect(documents.flatMap(({ dte }) => checkDte(dte, { today: '2026-10-05' }))).toEqual([])
      expect(tiposOf(documents)).toEqual(simulationNeeds(business, tipos))
      if (tipos.length === ALL.length || tipos.length === 1) expect(judged(plan, tipos)).toEqual([])
    }
  })

  it('repeats its documents as they were, once each, before any is drawn', () => {
    const [first, second, third] = documentsOf(simulate(BUSINESS)).map(({ dte }) => dte)
    // 10 × 2500 + 4990 = 29990; IVA 5698.1
    expect(first).toMatchObject({
      receptor: { rut: RECEPTORES[0]?.rut },
      totals: { net: 29990, iva: 5698, total: 35688 },
    })
    // 200 × 89.5 = 17900; IVA 3401
    expect(second).toMatchObject({
      receptor: { rut: RECEPTORES[1]?.rut },
      totals: { net: 17900, iva: 3401, total: 21301 },
    })
    expect([first, second].map((one) => one?.items.length)).toEqual([2, 1])
    expect(third?.items).not.toEqual(second?.items)
  })

  it('draws the rest from products, prices, quantities and counterparties that are its own', () => {
    const plan = simulate(BUSINESS)
    const own = BUSINESS.documents.flatMap(({ items }) => items)
    for (const { description, unit_price, unit } of linesOf(plan))
      expect(own).toContainEqual(expect.objectContaining({ description, unit_price, ...(unit ? { unit } : {}) }))
    const known = RECEPTORES.slice(0, 4).map(({ rut }) => rut)
    expect(documentsOf(plan).filter(({ dte }) => !known.includes(dte.receptor.rut))).toEqual([])
    expect(new Set(documentsOf(plan).map(({ source }) => source))).toEqual(new Set(['business']))
    const quantities = new Set(own.map(({ quantity = 1 }) => quantity))
    const drawn = documentsOf(plan).filter(({ dte }) => dte.tipo_dte < 53)
    expect(drawn.flatMap(({ dte }) => dte.items).filter(({ quantity = 1 }) => !quantities.has(quantity))).toEqual([])
  })

  it('never sells what the empresa only buys or moves, nor to whom it only buys from', () => {
    const sold = [[33], [52]].flatMap((tipos) => documentsOf(simulate(BUSINESS, { tipos: tipos as TipoDte[] })))
    const names = sold.flatMap(({ dte }) => dte.items.map(({ description }) => description))
    expect(names.filter((name) => name === 'Papel usado' || name === 'Pallet')).toEqual([])
    expect(sold.filter(({ dte }) => dte.receptor.rut === RECEPTORES[3]?.rut)).toEqual([])
  })

  it('never sells without IVA what the empresa sells with it, and keeps prices with and without IVA apart', () => {
    const documents = documentsOf(simulate(BUSINESS, { tipos: [33] }))
    const alone = documentsOf(simulate(BUSINESS, { tipos: [34] })).filter(({ source }) => source === 'business')
    const exempt = alone.flatMap(({ dte }) => dte.items)
    expect(new Set(exempt.map(({ description }) => description))).toEqual(new Set(['Clase de caligrafía']))
    expect(documents.some(({ dte }) => dte.gross_prices === true)).toBe(true)
    for (const { dte } of documents) {
      const gross = dte.items.some(({ description }) => description === 'Cuaderno')
      expect([dte.folio, dte.gross_prices ?? false]).toEqual([dte.folio, gross])
    }
  })

  it('withholds all of the IVA of a factura de compra', () => {
    const bought = documentsOf(simulate(BUSINESS)).find(({ dte }) => dte.tipo_dte === 46)
    // 120 × 45 = 5400; IVA 1026, withheld
    expect(bought?.dte.totals).toMatchObject({ net: 5400, iva: 1026, total: 5400, taxes: [{ code: 15, amount: 1026 }] })
  })

  it('is the same for the same seed, and another for another', () => {
    const seeded = (seed?: string) =>
      JSON.stringify(documentsOf(simulate(BUSINESS, seed === undefined ? {} : { seed })))
    expect(seeded()).toBe(seeded())
    expect(seeded('other')).not.toBe(seeded())
  })

  it('follows the proportions in which the empresa issues', () => {
    const guias = Array.from({ length: 30 }, (_, index) => ({
      tipo_dte: 52 as const,
      transfer_type: 1,
      receptor: RECEPTORES[index % 5] as (typeof RECEPTORES)[number],
      items: [{ description: 'Fardo', quantity: index + 1, unit_price: 1000 }],
    }))
    expect(simulationNeeds({ ...NO_BUSINESS, documents: guias }, [33, 52, 56, 61])).toEqual({
      33: 1,
      52: 6,
      56: 1,
      61: 2,
    })
    expect(simulationNeeds(NO_BUSINESS, [33, 56, 61])).toEqual({ 33: 7, 56: 1, 61: 2 })
  })

  it('carries the additional taxes of its products', () => {
    const documents = [
      {
        tipo_dte: 33 as const,
        receptor: RECEPTORES[0] as (typeof RECEPTORES)[number],
        items: [{ description: 'Pisco', quantity: 6, unit_price: 1000, additional_tax: 24 }],
      },
    ]
    const plan = simulate({ ...NO_BUSINESS, documents }, { tipos: [33] })
    // 6000 + IVA 1140 + 31.5 % 1890
    expect(documentsOf(plan)[0]?.dte.totals).toMatchObject({ net: 6000, iva: 1140, total: 9030 })
    expect(checkSimulation(plan)).toEqual([])
  })
})

describe('a simulation of an empresa without business', () => {
  it('has the items of its set and public bodies, and says so of each document', () => {
    const plan = simulate(NO_BUSINESS)
    const names = SET.sections.flatMap(({ cases }) => cases.flatMap(({ items }) => items.map(({ name }) => name)))
    expect(linesOf(plan).filter(({ description }) => !names.includes(description))).toEqual([])
    const bodies = PUBLIC_BODIES.map(({ rut }) => rut)
    expect(documentsOf(plan).filter(({ dte }) => !bodies.includes(dte.receptor.rut))).toEqual([])
    expect(new Set(Object.values(sourcesOf(plan)).map(([, ...from]) => from.join()))).toEqual(
      new Set(['set,public_body']),
    )
    expect(documentsOf(plan).filter(({ line }) => line === 0)).toEqual([])
  })

  it('has the products and receptores that its people named', () => {
    const products = [1, 2, 3].map((number) => ({ description: `Servicio ${number}`, unit_price: 10_000 * number }))
    const plan = simulate({ ...NO_BUSINESS, products }, { tipos: [33, 61], receptores: RECEPTORES })
    expect(new Set(Object.values(sourcesOf(plan)).map(([, ...from]) => from.join()))).toEqual(
      new Set(['inputs,inputs']),
    )
    expect(checkSimulation(plan)).toEqual([])
  })

  it('mixes nothing silently: what its own business is too small for comes from elsewhere, and says so', () => {
    const [only] = BUSINESS.documents
    const plan = simulate({ ...NO_BUSINESS, documents: only === undefined ? [] : [only] }, { tipos: [33] })
    const sources = Object.values(sourcesOf(plan)).map(([, ...from]) => from.join())
    expect(new Set(sources)).toEqual(new Set(['business,business', 'set,public_body']))
  })
})

describe('what a simulation lacks', () => {
  it('is asked for by name, and nothing is built', () => {
    const missing = (change: Partial<SimulationInputs>, business = BUSINESS) => {
      const plan = simulate(business, change)
      return [plan.steps.length, ...plan.missing.map(({ name }) => name)]
    }
    expect(missing({ tipos: [56, 61] })).toEqual([0, 'tipos'])
    expect(missing({ tipos: [39, 41] })).toEqual([0, 'tipos'])
    // A nota de débito does not correct a guía.
    expect(missing({ tipos: [52, 56] })).toEqual([0, 'tipos'])
    expect(missing({ folios: { ...folios, 61: [801] } })).toEqual([0, 'folios.61'])
    expect(missing({ emisor: { ...EMISOR, acteco: [] } })).toEqual([0, 'emisor.acteco'])
    expect(missing({ set: { sections: [], general: [] } }, NO_BUSINESS)).toEqual([0, 'products'])
  })
})

describe('before a simulation is sent', () => {
  const PLAN = simulate(BUSINESS)
  const change = (how: (documents: readonly SimulatedDocument[]) => readonly SimulatedDocument[]): SimulationPlan => ({
    ...PLAN,
    steps: PLAN.steps.map((step) => ({ ...step, documents: how(step.documents) })),
  })
  const withDte = (tipo_dte: number, dte: (of: SimulatedDocument['dte']) => object): SimulationPlan => {
    const at = documentsOf(PLAN).findIndex((document) => document.dte.tipo_dte === tipo_dte)
    return change((all) =>
      all.map((one, index) =>
        index === at ? { ...one, dte: { ...one.dte, ...dte(one.dte) } as typeof one.dte } : one,
      ),
    )
  }
  it.each([
    ['simulation_size', change((all) => all.slice(0, 9))],
    ['simulation_tipos', { ...PLAN, tipos: [33, 34, 46, 52, 56] }],
    ['simulation_tipos', change((all) => all.filter(({ dte }) => dte.tipo_dte !== 52))],
    ['simulation_distinct', change((all) => [...all, ...all.slice(0, 1)])],
    ['folio_once', change((all) => [...all, ...all.slice(0, 1)])],
    [
      'simulation_no_set',
      withDte(33, () => ({ references: [{ document_type: 'SET', folio: '1', date: '2026-10-05' }] })),
    ],
    ['simulation_reference', withDte(61, ({ references }) => ({ references: [{ ...references?.[0], folio: 4 }] }))],
    ['simulation_reference', withDte(61, () => ({ receptor: PUBLIC_BODIES[0] }))],
    ['simulation_receptor', withDte(33, () => ({ receptor: { ...EMISOR, giro: 'x' } }))],
    ['original_first', change((all) => [...all].reverse())],
    ['totals_add_up', withDte(34, ({ totals }) => ({ totals: { ...totals, total: totals.total + 1 } }))],
    ['withholding_in_full', withDte(46, ({ totals }) => ({ totals: { ...totals, taxes: [] } }))],
    ['annulment_repeats', withDte(56, ({ totals }) => ({ totals: { ...totals, total: totals.total + 1 } }))],
    [
      'difference_within_original',
      withDte(61, ({ items }) => ({ items: items.map((item) => ({ ...item, quantity: 999 })) })),
    ],
    ['document_valid', withDte(52, () => ({ receptor: { rut: RECEPTORES[2]?.rut, legal_name: 'x' } }))],
    ['one_emisor', withDte(33, () => ({ emisor: { ...EMISOR, rut: '77123456-9' } }))],
    ['one_period', withDte(33, () => ({ issue_date: '2026-09-05' }))],
    ['acteco_known', withDte(33, () => ({ emisor: { ...EMISOR, acteco: [1] } }))],
    ['nro_resol_zero', { ...PLAN, resolucion: { date: '2026-09-01', number: 80 } }],
  ] as const)('%s is told', (rule, plan) => {
    expect(checkSimulation(plan, { today: '2026-10-05' }).map((finding) => finding.rule)).toContain(rule)
  })
})

it('the bodies of the State have RUT that are theirs to have', () => {
  expect(new Set(PUBLIC_BODIES.map(({ rut }) => rut)).size).toBe(PUBLIC_BODIES.length)
})

describeWithReference('the official schema', () => {
  it('takes every document of a simulation, with and without business', () => {
    const schema = loadSchemas()
    const faults = [BUSINESS, NO_BUSINESS].flatMap((business) =>
      documentsOf(simulate(business)).map((document) => schema.validate(written(document), 'EnvioDTE')),
    )
    schema.dispose()
    expect(faults.filter((fault) => fault !== null)).toEqual([])
  })
})
