import { buildDocumento, checkDraft, checkDte, firstRefusal, type Outcome, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parsed } from '../../dte/test/support/emitted.ts'
import { schemaFault } from '../../dte/test/support/envelope-xsd.ts'
import { makeCaf, makeIdentity, SIGNER_RUT } from '../../dte/test/support/keys.ts'
import { describeWithReference, readReference } from '../../dte/test/support/shared.ts'
import { loadSchemas, PLACEHOLDER_TED, type Schema } from '../../dte/test/support/xsd.ts'
import { checkPlan, type Plan, type PlanStep, planSet, readSet, signStep } from '../src/index.ts'
import { INPUTS } from './support/inputs.ts'
import { amountsOf, documentsOf } from './support/totals.ts'

const sample = (name: string) => readSet(readReference('samples', 'set-pruebas', name))
const plan = (name: string) => planSet(sample(name), INPUTS)
const WHOLE = 'SIISetDePruebas762352915-05.txt'

/**
 * Worked out by hand from the texts: net, exempt, IVA, IVA withheld and total. Each line is rounded half up to the peso,
 * then each percentage, then the IVA.
 */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  '001-basico.txt': {
    // 123 × 923 = 113529; 53 × 1473 = 78069. 191598 × 19 % = 36403.62
    '414175-1 33': [191598, 0, 36404, 0, 228002],
    // 235 × 1926 = 452610 − 4 % 18104.4 = 434506; 161 × 990 = 159390 − 5 % 7969.5 = 151420. IVA 111325.94
    '414175-2 33': [585926, 0, 111326, 0, 697252],
    // 24 × 1937 = 46488; 149 × 2975 = 443275; exempt 34705. IVA 93054.97
    '414175-3 33': [489763, 34705, 93055, 0, 617523],
    // 81 × 1672 = 135432; 35 × 1405 = 49175; 184607 − 6 % 11076.42 = 173531; exempt 2 × 6767. IVA 32970.89
    '414175-4 33': [173531, 13534, 32971, 0, 220036],
    '414175-5 61': [0, 0, 0, 0, 0],
    // 86 × 1926 = 165636 − 4 % 6625.44 = 159011; 109 × 990 = 107910 − 5 % 5395.5 = 102514. IVA 49689.75
    '414175-6 61': [261525, 0, 49690, 0, 311215],
    '414175-7 61': [489763, 34705, 93055, 0, 617523],
    '414175-8 56': [0, 0, 0, 0, 0],
  },
  '004-factura_exenta.txt': {
    '414178-1 34': [0, 83892, 0, 0, 83892], // 12 × 6991
    '414178-2 61': [0, 10488, 0, 0, 10488], // the 12 hours of case 1 × 874
    '414178-3 34': [0, 622369, 0, 0, 622369], // 360368 + 262001
    '414178-4 61': [0, 0, 0, 0, 0],
    '414178-5 56': [0, 0, 0, 0, 0],
    '414178-6 34': [0, 589993, 0, 0, 589993], // 350414 + 239579
    '414178-7 61': [0, 175207, 0, 0, 175207],
    '414178-8 56': [0, 47916, 0, 0, 47916],
  },
  '008-factura_compra.txt': {
    // 1179 × 8887 = 10477773; 43 × 4964 = 213452. IVA 2031332.75, all of it withheld
    '481566-1 46': [10691225, 0, 2031333, 2031333, 10691225],
    // 393 × 8887 = 3492591; 14 × 4964 = 69496. IVA 676796.53
    '481566-2 61': [3562087, 0, 676797, 676797, 3562087],
    '481566-3 56': [3562087, 0, 676797, 676797, 3562087],
  },
  // Prices carry IVA: net = (total − exempt) / 1.19, IVA the rest.
  '007-boletas.csv': {
    '1 39': [19361, 0, 3679, 0, 23040], // 12 × 170 + 20 × 1050
    '2 39': [72866, 0, 13844, 0, 86710], // 29 × 2990
    '3 39': [31866, 0, 6054, 0, 37920], // 90 × 300 + 13 × 840
    '4 39': [15126, 10180, 2874, 0, 28180], // 12 × 1500; exempt 2 × 2590 + 5000
    '5 39': [17042, 0, 3238, 0, 20280], // 12 × 1690
    '6 39': [105, 20000, 20, 0, 20125], // 5 × 25; exempt 20000
    '7 39': [1429, 0, 271, 0, 1700], // 5 × 340
    '8 39': [18143, 0, 3447, 0, 21590], // 5 × 3178 + 38 × 150
    '9 39': [10420, 0, 1980, 0, 12400], // 2900 + 1250 + 2370 + 2380 + 3500
    '10 39': [2267, 0, 431, 0, 2698], // 3.8 × 710
    '1 61': [19361, 0, 3679, 0, 23040],
    '3 61': [31866, 0, 6054, 0, 37920],
    '5 61': [17042, 0, 3238, 0, 20280],
    '7 61': [571, 0, 109, 0, 680], // 40 % of 1700
    '10 61': [907, 0, 172, 0, 1079], // 40 % of 2698 = 1079.2
  },
  [WHOLE]: {
    // 168 × 3490 = 586320; 71 × 5813 = 412723. IVA 189818.17
    '4352553-1 33': [999043, 0, 189818, 0, 1188861],
    // 759 × 5874 = 4458366 − 10 % 445836.6; 703 × 4925 = 3462275 − 23 % 796323.25. IVA 1268911.39
    '4352553-2 33': [6678481, 0, 1268911, 0, 7947392],
    // 63 × 6868 = 432684; 236 × 4020 = 948720. IVA 262466.76
    '4352553-3 33': [1381404, 35292, 262467, 0, 1679163],
    // 414 × 5919 = 2450466; 175 × 7204 = 1260700; 3711166 − 22 % 816456.52 = 2894709. IVA 549994.71
    '4352553-4 33': [2894709, 13666, 549995, 0, 3458370],
    '4352553-5 61': [0, 0, 0, 0, 0],
    // 278 × 5874 = 1632972 − 10 % 163297.2; 477 × 4925 = 2349225 − 23 % 540321.75. IVA 622929.82
    '4352553-6 61': [3278578, 0, 622930, 0, 3901508],
    '4352553-7 61': [1381404, 35292, 262467, 0, 1679163],
    '4352553-8 56': [0, 0, 0, 0, 0],
    '4352556-1 52': [0, 0, 0, 0, 0],
    // 222 × 4794 = 1064268; 424 × 1314 = 557136. IVA 308066.76
    '4352556-2 52': [1621404, 0, 308067, 0, 1929471],
    // 131 × 1569 = 205539; 272 × 3772 = 1025984. IVA 233989.37
    '4352556-3 52': [1231523, 0, 233989, 0, 1465512],
    // 471 × 3950 = 1860450; 26 × 2074 = 53924. IVA 363731.06
    '4352560-1 46': [1914374, 0, 363731, 363731, 1914374],
    // 157 × 3950 = 620150; 9 × 2074 = 18666. IVA 121375.04
    '4352560-2 61': [638816, 0, 121375, 121375, 638816],
    '4352560-3 56': [638816, 0, 121375, 121375, 638816],
  },
}

/** Purchases: net, exempt, IVA, IVA of common use, not recoverable, withheld, total. */
const PURCHASES: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = {
  '003-compras.txt': [
    ['30/234', 53253, 0, 10118, 0, 0, 0, 63371], // 10118.07
    ['33/32', 11473, 10633, 2180, 0, 0, 0, 24286], // 2179.87
    ['30/781', 30171, 0, 0, 5732, 0, 0, 35903], // 5732.49
    ['60/451', 2928, 0, 556, 0, 0, 0, 3484], // 556.32
    ['33/67', 12135, 0, 0, 0, 2306, 0, 14441], // 2305.65
    ['46/9', 10632, 0, 2020, 0, 0, 2020, 10632], // 2020.08
    ['60/211', 9053, 0, 1720, 0, 0, 0, 10773], // 1720.07
  ],
  [WHOLE]: [
    ['30/234', 21298, 0, 4047, 0, 0, 0, 25345], // 4046.62
    ['33/32', 6527, 8844, 1240, 0, 0, 0, 16611], // 1240.13
    ['30/781', 29785, 0, 0, 5659, 0, 0, 35444], // 5659.15
    ['60/451', 2719, 0, 517, 0, 0, 0, 3236], // 516.61
    ['33/67', 10026, 0, 0, 0, 1905, 0, 11931], // 1904.94
    ['46/9', 9575, 0, 1819, 0, 0, 1819, 9575], // 1819.25
    ['60/211', 4465, 0, 848, 0, 0, 0, 5313], // 848.35
  ],
}

function taken<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.refusal.path} ${outcome.refusal.message}`)
  return outcome.value
}

const stepOf = <Name extends PlanStep['step']>(plan: Plan, name: Name, section: string) =>
  plan.steps.find((step) => step.step === name && step.section === section) as Extract<PlanStep, { step: Name }>

describeWithReference("the SII's own sets", () => {
  let schemas: Schema
  beforeAll(() => {
    schemas = loadSchemas()
  })
  afterAll(() => schemas.dispose())

  it.each(Object.keys(EXPECTED))('%s is built with the totals that were worked out by hand', (name) => {
    expect(amountsOf(plan(name))).toEqual(EXPECTED[name])
  })

  it.each(Object.keys(EXPECTED))('%s gives documents that pass our checks and the official schema', (name) => {
    for (const { dte, case_id } of documentsOf(plan(name))) {
      expect([case_id, checkDraft(dte, { today: '2026-10-05' }), checkDte(dte)]).toEqual([case_id, [], []])
      const ted = PLACEHOLDER_TED.replaceAll('TIPO', String(dte.tipo_dte))
      const documento = buildDocumento(dte, { ted, tmst_firma: '2026-10-05T12:00:00' })
      const kind = dte.tipo_dte === 39 || dte.tipo_dte === 41 ? 'EnvioBOLETA' : 'EnvioDTE'
      expect([case_id, schemas.validate(documento, kind)]).toEqual([case_id, null])
    }
  })

  it.each([...Object.keys(EXPECTED), '003-compras.txt'])('%s passes the pre-flight', (name) => {
    expect(checkPlan(sample(name), plan(name), { today: '2026-10-05' })).toEqual([])
  })

  it.each(Object.keys(PURCHASES))('%s fills the purchases book by the observations of its rows', (name) => {
    const { book } = stepOf(plan(name), 'book', 'libro_compras')
    expect(book).toMatchObject({ operation: 'COMPRA', kind: 'ESPECIAL', delivery: 'TOTAL', notification_number: 2 })
    expect(book.common_use_factor).toBe(0.6)
    const rows = book.entries.map((entry) => [
      `${entry.tipo_doc}/${entry.folio}`,
      entry.net ?? 0,
      entry.exempt ?? 0,
      entry.iva ?? 0,
      entry.iva_common_use ?? 0,
      entry.iva_not_recoverable?.[0]?.amount ?? 0,
      entry.taxes?.[0]?.amount ?? 0,
      entry.total,
    ])
    expect(rows).toEqual(PURCHASES[name])
    expect(book.entries[4]?.iva_not_recoverable?.[0]?.code).toBe(4)
    expect(book.entries[5]?.taxes?.[0]?.code).toBe(15)
  })

  it('a file with one section is read like a part of the whole', () => {
    const kinds = (name: string) => sample(name).sections.map(({ kind, attention }) => [kind, attention])
    expect(kinds('001-basico.txt')).toEqual([['basico', '414175']])
    expect(kinds('002-ventas.txt')).toEqual([['libro_ventas', '414176']])
    expect(kinds('003-compras.txt')).toEqual([['libro_compras', '414177']])
    expect(kinds('004-factura_exenta.txt')).toEqual([['exenta', '414178']])
    expect(kinds('006-libro_guias.txt')).toEqual([['libro_guias', '428552']])
    expect(kinds('007-boletas.csv')).toEqual([['boletas', null]])
    expect(kinds('008-factura_compra.txt')).toEqual([['compra', '481566']])
  })

  it('the whole set is planned in the order the SII accepts, without its export sections', () => {
    const { steps, not_built, missing } = plan(WHOLE)
    expect(missing).toEqual([])
    expect(steps.map(({ step, section, attention }) => [step, section, attention])).toEqual([
      ['envelope', 'basico', '4352553'],
      ['envelope', 'guias', '4352556'],
      ['envelope', 'compra', '4352560'],
      ['book', 'libro_ventas', '4352554'],
      ['book', 'libro_compras', '4352555'],
      ['guia_book', 'libro_guias', '4352557'],
    ])
    expect(not_built.map(({ kind, attention, line }) => [kind, attention, line])).toEqual([
      ['exportacion', '4352558', 178],
      ['exportacion', '4352559', 230],
    ])
  })

  it.each(['009-set_exportacion_1.txt', '010-set_exportacion_2.txt'])('%s is refused by its name', (name) => {
    const [section] = sample(name).sections
    expect([section?.kind, section?.not_understood.length]).toEqual(['exportacion', 1])
    expect(section?.not_understood[0]?.why).toContain('Export documents')
  })

  it('letters that the file lost come back in the names of items', () => {
    const names = documentsOf(plan(WHOLE)).flatMap(({ dte }) => dte.items.map(({ description }) => description))
    expect(names.slice(0, 4)).toEqual(['Cajón AFECTO', 'Relleno AFECTO', 'Pañuelo AFECTO', 'ITEM 2 AFECTO'])
  })

  it('guías say their transfer, and their book what became of them', () => {
    const built = plan(WHOLE)
    const guias = documentsOf(built).filter(({ dte }) => dte.tipo_dte === 52)
    expect(guias.map(({ dte: { dispatch, receptor } }) => [dispatch, receptor.rut])).toEqual([
      [{ transfer_type: 5, dispatch_type: undefined }, INPUTS.emisor?.rut],
      [{ transfer_type: 1, dispatch_type: 2 }, '77123456-9'],
      [{ transfer_type: 1, dispatch_type: 1 }, '78901234-2'],
    ])
    const { entries } = stepOf(built, 'guia_book', 'libro_guias').book
    expect(entries.map(({ folio, annulled, reference, total }) => [folio, annulled, reference?.folio, total])).toEqual([
      [601, undefined, undefined, undefined],
      [602, undefined, 101, 1929471],
      [603, 'after', undefined, 1465512],
    ])
  })

  it('the RVD of the boletas adds up to what was issued', () => {
    // 39: the ten boletas above; 61: 23040 + 37920 + 20280 + 680 + 1079.
    expect(stepOf(plan('007-boletas.csv'), 'rvd', 'boletas').rvd.summaries).toMatchObject([
      { tipo_dte: 39, net: 188625, iva: 35838, exempt: 30180, total: 254643 },
      { tipo_dte: 61, net: 69747, iva: 13252, exempt: 0, total: 82999 },
    ])
  })

  it('the files of a set are signed and valid by the official schemas', async () => {
    const { signer } = makeIdentity()
    const cafs = new Map<number, ReturnType<typeof makeCaf>>()
    const cafOf = (tipo_dte: number) => {
      const caf = cafs.get(tipo_dte) ?? makeCaf({ tipo_dte })
      cafs.set(tipo_dte, caf)
      return caf
    }
    const signing = { signer, envia_rut: SIGNER_RUT, tmst_firma: '2026-10-05T12:05:00', cafOf }
    const built = plan(WHOLE)
    const signed = async (step: PlanStep) => taken(await signStep(built, step, signing))
    const compra = await signed(stepOf(built, 'envelope', 'compra'))
    expect(firstRefusal(verifySignatures(parsed(compra)))).toBeNull()
    expect(compra).toContain('<NroResol>0</NroResol>')
    expect(schemaFault(compra, 'EnvioDTE_v10.xsd')).toBeNull()
    const sales = await signed(stepOf(built, 'book', 'libro_ventas'))
    // 33: 999043 + 6678481 + 1381404 + 2894709; 61: 3278578 + 1381404.
    expect([...sales.matchAll(/<TotMntNeto>(\d+)</g)].map(([, net]) => net)).toEqual(['11953637', '4659982', '0'])
    expect([...sales.matchAll(/<TotMntTotal>(\d+)</g)].map(([, total]) => total)).toEqual(['14273786', '5580671', '0'])
    expect(schemaFault(sales, 'LibroCV_v10.xsd')).toBeNull()
    const purchases = await signed(stepOf(built, 'book', 'libro_compras'))
    // 5659 × 0.60 = 3395.4
    expect(purchases).toContain('<FctProp>0.6</FctProp><TotCredIVAUsoComun>3395</TotCredIVAUsoComun>')
    expect(schemaFault(purchases, 'LibroCV_v10.xsd')).toBeNull()
    const guias = await signed(stepOf(built, 'guia_book', 'libro_guias'))
    expect(guias).toContain('<TotGuiaVenta>1</TotGuiaVenta><TotMntGuiaVta>1929471</TotMntGuiaVta>')
    expect(schemaFault(guias, 'LibroGuia_v10.xsd')).toBeNull()
    const boletas = plan('007-boletas.csv')
    const rvd = taken(await signStep(boletas, stepOf(boletas, 'rvd', 'boletas'), signing))
    expect(schemaFault(rvd, 'ConsumoFolio_v10.xsd')).toBeNull()
  })
})
