import { checkDraft, type DteDraft, type Item, priceDraft } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, type TipoDte } from '@timbre/dte/values'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../kernel/problem.ts'
import { buildCreditNote, type Correction, type Original } from './build.ts'

const EMISOR = {
  rut: '76543210-3',
  legal_name: 'Viña Maule S.A.',
  giro: 'Vinos',
  acteco: [110200],
  address: { street: 'Camino 1', comuna: 'Talca' },
}
const RECEPTOR = {
  rut: '77123456-9',
  legal_name: 'Pérez & Hijos Ltda',
  giro: 'Comercio',
  address: { street: 'Avenida Ñuñoa 456', comuna: 'Providencia', city: 'Santiago' },
}
const PLAIN: Item = { description: 'Asesoría', quantity: 2, unit_price: 50_000.5 }
const EXEMPT: Item = { description: 'Libro', quantity: 3, unit_price: 5_333, exempt: true }
const ON = '2026-10-05'

function originalOf(tipo_dte: TipoDte, more: Partial<DteDraft> = {}): Original {
  const boleta = tipo_dte === 39 || tipo_dte === 41
  const draft = {
    tipo_dte,
    issue_date: ON,
    emisor: boleta ? { ...EMISOR, acteco: undefined } : EMISOR,
    receptor: boleta ? { rut: ANONYMOUS_RUT } : RECEPTOR,
    items: [PLAIN],
    ...more,
  }
  expect(checkDraft(draft)).toEqual([])
  return { tipo_dte, folio: 123, issue_date: ON, draft }
}

/** The note as the engine gets it, once the receptor is complete. */
function draftOf(original: Original, correction: Correction, today = ON): DteDraft {
  const note = buildCreditNote(original, correction, today)
  return { ...note, issue_date: today, emisor: EMISOR, receptor: { ...RECEPTOR, rut: note.receptor?.rut } } as DteDraft
}

function paramOf(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error.facts.param
    throw error
  }
  return undefined
}

const debit = [{ tipo_dte: 33, folio: 7, date: ON, code: 3 as const, reason: 'Intereses' }]
const long = (count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({
    description: `Producto ${n}`,
    quantity: 1.5,
    unit_price: 990 + n,
    exempt: n % 7 === 0,
    ...(n % 5 === 0 && { discount: { percent: 3 } }),
  }))

const CASES: readonly [string, Original][] = [
  ['33', originalOf(33)],
  [
    '33 with discounts and surcharges, by line and over all',
    originalOf(33, {
      items: [{ ...PLAIN, discount: { percent: 4 } }, { ...PLAIN, surcharge: { amount: 777 } }, EXEMPT],
      discounts: [{ percent: 6 }, { amount: 100, applies_to: 'exempt' }],
      surcharges: [{ percent: 1.5 }],
    }),
  ],
  [
    '33 with additional taxes',
    originalOf(33, {
      items: [{ ...PLAIN, additional_tax: 25 }, { ...PLAIN, additional_tax: 27 }, PLAIN],
      discounts: [{ percent: 10 }],
    }),
  ],
  [
    '33 with a stated tax and a construction credit',
    originalOf(33, {
      items: [{ ...PLAIN, additional_tax: 28 }],
      stated_taxes: [{ code: 28, amount: 4_321 }],
      construction_credit: 900,
    }),
  ],
  ['33 with gross prices', originalOf(33, { items: [{ ...PLAIN, unit_price: 340 }, EXEMPT], gross_prices: true })],
  [
    '33 with lines that are no sale',
    originalOf(33, {
      items: [PLAIN, { ...PLAIN, billing: 'non_billable' }, { ...PLAIN, billing: 'container_deposit' }],
    }),
  ],
  [
    '33 paid in cash, sent by truck',
    originalOf(33, {
      payment: { form: 'cash', due_date: ON },
      dispatch: { dispatch_type: 2, plate: 'AB1234' },
    }),
  ],
  ['34', originalOf(34, { discounts: [{ percent: 5 }], surcharges: [{ amount: 50 }] })],
  ['39', originalOf(39, { items: [{ description: 'Pan', unit_price: 680 }, EXEMPT], discounts: [{ percent: 7 }] })],
  ['39 with net prices', originalOf(39, { gross_prices: false })],
  [
    '39 of 1,000 lines',
    originalOf(39, { items: long(1000), discounts: [{ percent: 2 }], surcharges: [{ amount: 9 }] }),
  ],
  ['41 of 61 lines', originalOf(41, { items: long(61).map((item) => ({ ...item, exempt: true })) })],
  ['41', originalOf(41)],
  ['46', originalOf(46, { items: [{ ...PLAIN, additional_tax: 15 }], purchase_type: 1 })],
  ['46 of wheat', originalOf(46, { items: [{ ...PLAIN, additional_tax: 34 }], discounts: [{ percent: 3 }] })],
  ['52 of a sale', originalOf(52, { dispatch: { transfer_type: 1 } })],
  ['56', originalOf(56, { references: debit })],
]

describe('a note that annuls', () => {
  for (const [title, original] of CASES) {
    it(`carries every amount of its original: ${title}`, () => {
      const draft = draftOf(original, { code: 1 })
      expect(checkDraft(draft)).toEqual([])
      const { iva_rate: _, ...amounts } = priceDraft(original.draft).totals
      const { iva_rate: __, ...annulled } = priceDraft(draft).totals
      expect(annulled).toEqual(amounts)
      expect(draft.items.length).toBeLessThanOrEqual(60)
    })
  }

  it('prices at zero what a guía lists without a price, as a nota has to', () => {
    const items = [PLAIN, { description: 'Muestra', quantity: 3 }]
    const note = buildCreditNote(originalOf(52, { dispatch: { transfer_type: 1 }, items }), { code: 1 }, ON)
    expect(note.items.map(({ unit_price }) => unit_price)).toEqual([PLAIN.unit_price, 0])
  })

  it('names its original and says so in Spanish, unless it is given a reason', () => {
    const [reference] = buildCreditNote(originalOf(33), { code: 1 }, ON).references ?? []
    const reason = 'Anula Factura electrónica N° 123'
    expect(reference).toEqual({ tipo_dte: 33, folio: 123, date: ON, code: 1, reason })
    expect(buildCreditNote(originalOf(33), { code: 1, reason: 'Se devolvió' }, ON).references?.[0]?.reason).toBe(
      'Se devolvió',
    )
  })

  it('gives each line of a boleta that fits as it was', () => {
    const original = originalOf(39, { items: long(60) })
    expect(buildCreditNote(original, { code: 1 }, ON).items).toEqual(original.draft.items)
  })

  it('does not lower the debit once six months have passed, where there was one to lower', () => {
    const late = (tipo: TipoDte, today: string, more: Partial<DteDraft> = {}) =>
      buildCreditNote(originalOf(tipo, more), { code: 1 }, today).no_debit_reduction
    expect([late(33, '2027-04-05'), late(33, '2027-04-06'), late(39, '2027-04-06')]).toEqual([undefined, true, true])
    expect([late(34, '2027-04-06'), late(41, '2027-04-06')]).toEqual([undefined, undefined])
    expect(late(46, '2027-04-06', { items: [{ ...PLAIN, additional_tax: 15 }] })).toBeUndefined()
    expect(checkDraft(draftOf(originalOf(33), { code: 1 }, '2027-04-06'))).toEqual([])
  })
})

describe('a note that corrects text', () => {
  const reason = 'Donde dice giro Comercio debe decir Transporte'
  for (const [title, original] of CASES) {
    it(`is one line that moves no money: ${title}`, () => {
      const draft = draftOf(original, { code: 2, reason })
      expect(checkDraft(draft)).toEqual([])
      expect(priceDraft(draft).totals.total).toBe(0)
      expect(draft.items).toMatchObject([{ description: 'Corrige texto', detail: reason }])
      expect(draft.no_debit_reduction).toBeUndefined()
    })
  }

  it('needs its reason, and takes no line with an amount and no second line', () => {
    const original = originalOf(33)
    expect(paramOf(() => buildCreditNote(original, { code: 2 }, ON))).toBe('reason')
    const faults = (items: Item[]) => checkDraft(draftOf(original, { code: 2, items })).map(({ path }) => path)
    expect(faults([{ description: 'Donde dice A debe decir B' }])).toEqual([])
    expect(faults([{ description: 'Algo', unit_price: 1 }])).toEqual(['items[0].unit_price'])
    expect(faults([{ description: 'A' }, { description: 'B' }])).toEqual(['items[1]'])
  })
})

describe('a note that corrects amounts', () => {
  const items: Item[] = [{ description: 'Diferencia', unit_price: 340 }]
  const totalsOf = (original: Original) => priceDraft(draftOf(original, { code: 3, items })).totals

  it('carries the difference, priced as its original is', () => {
    expect(totalsOf(originalOf(33))).toEqual({ net: 340, iva_rate: 19, iva: 65, total: 405 })
    expect(totalsOf(originalOf(39))).toEqual({ net: 286, iva_rate: 19, iva: 54, total: 340 })
    expect(totalsOf(originalOf(34))).toEqual({ exempt: 340, total: 340 })
    expect(totalsOf(originalOf(41))).toEqual({ exempt: 340, total: 340 })
  })

  it('carries none of the discounts of the original', () => {
    const note = buildCreditNote(originalOf(33, { discounts: [{ percent: 50 }] }), { code: 3, items }, ON)
    expect([note.discounts, note.references?.[0]?.reason]).toEqual([
      undefined,
      'Corrige montos de Factura electrónica N° 123',
    ])
  })

  it('withholds by the code of a factura de compra, and by no other', () => {
    const compra = originalOf(46, { items: [{ ...PLAIN, additional_tax: 15 }] })
    expect(totalsOf(compra)).toMatchObject({ net: 340, iva: 65, taxes: [{ code: 15, amount: 65 }], total: 340 })
    const other = [{ description: 'Trigo', unit_price: 340, additional_tax: 34 }]
    expect(paramOf(() => buildCreditNote(compra, { code: 3, items: other }, ON))).toBe('items[0].additional_tax')
    const both = originalOf(46, {
      items: [
        { ...PLAIN, additional_tax: 15 },
        { ...PLAIN, additional_tax: 34 },
      ],
    })
    expect(paramOf(() => buildCreditNote(both, { code: 3, items }, ON))).toBe('items[0].additional_tax')
    expect(buildCreditNote(both, { code: 3, items: other }, ON).items).toEqual(other)
    const exempt = [{ description: 'Flete', unit_price: 340, exempt: true }]
    expect(buildCreditNote(compra, { code: 3, items: exempt }, ON).items).toEqual(exempt)
  })

  it('needs lines, and none with IVA where the original has none', () => {
    expect(paramOf(() => buildCreditNote(originalOf(33), { code: 3 }, ON))).toBe('items')
    const taxed = [{ description: 'Diferencia', unit_price: 340, exempt: false }]
    expect(paramOf(() => buildCreditNote(originalOf(34), { code: 3, items: taxed }, ON))).toBe('items[0].exempt')
  })
})
