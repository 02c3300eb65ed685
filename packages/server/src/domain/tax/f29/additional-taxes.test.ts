import { describe, expect, it } from 'vitest'
import { computeF29, type Override } from './compute.ts'
import type { EntryGroup } from './entry-group.ts'
import { CODES, LINES } from './form.ts'
import type { F29Inputs } from './inputs.ts'
import { writeUploadFile } from './upload-file.ts'

const INPUTS: F29Inputs = {
  ppm_rate: 0,
  payroll_tax: null,
  honorarios_withheld: null,
  previous_remanente: null,
  common_use_factor: null,
}
// The UTM of both months is the same: nothing is readjusted.
const MONTHS = { amount: 0, month_when_due: '2025-09', month_when_used: '2025-10' }

/** An entry with one tax beside IVA: its code in a DTE and its amount. */
function taxed(
  side: EntryGroup['side'],
  tipo_doc: number,
  code: number,
  amount: number,
  more: object = {},
): EntryGroup {
  const nothing = { net: 0, exempt: 0, iva: 0, iva_not_recoverable: 0, iva_common_use: 0, withheld: 0, owed: 0 }
  const of_side = { tipo_compra: side === 'purchase' ? 1 : null, tipo_venta: side === 'sale' ? 1 : null }
  const alone = { reference_tipo_doc: null, fully_withheld: false, late: false, entries: 1, documents: 1 }
  return { side, tipo_doc, ...of_side, ...alone, ...nothing, taxes: [{ code, amount }], ...more }
}
const sale = (tipo: number, code: number, amount: number, more?: object) => taxed('sale', tipo, code, amount, more)
const purchase = (tipo: number, code: number, amount: number, more?: object) =>
  taxed('purchase', tipo, code, amount, more)

interface Options {
  readonly carried?: readonly (readonly [number, number])[]
  readonly overrides?: readonly Override[]
  readonly inputs?: Partial<F29Inputs>
}

function compute(groups: readonly EntryGroup[], { carried = [], overrides = [], inputs }: Options = {}) {
  const given = { ...INPUTS, ...inputs }
  return computeF29({ groups, inputs: given, overrides, remanente: MONTHS, carried: new Map(carried) })
}
function codes(groups: readonly EntryGroup[], options?: Options): Record<number, number> {
  const held = compute(groups, options).figures.filter(({ amount }) => amount !== null && amount !== 0)
  return Object.fromEntries(held.map(({ code, amount }) => [code, amount as number]))
}
const warned = (groups: readonly EntryGroup[], options?: Options) =>
  compute(groups, options).warnings.map(({ code, concerns, blocks_filing }) => [code, concerns, blocks_filing])

describe('taxes of article 42, lines 92 to 112', () => {
  it('are owed apart from IVA, by the drink, with notas and credits on lines of their own', () => {
    const month = [
      sale(33, 24, 31_500), // 31.5 % of 100,000 of pisco
      sale(33, 25, 10_250), // 20.5 % of 50,000 of wine
      sale(56, 24, 630), // 31.5 % of 2,000
      sale(61, 24, 3_150), // 31.5 % of 10,000 that came back
      sale(61, 24, 1_575, { late: true }), // too late: it lowers nothing
      purchase(33, 24, 15_750), // 31.5 % of 50,000
      purchase(33, 27, 2_000), // 10 % of 20,000 of water
      purchase(33, 24, 315, { iva_not_recoverable: 190, tipo_compra: 6 }), // charged, and no credit
      purchase(56, 27, 100),
      purchase(61, 24, 1_260), // 31.5 % of 4,000 returned
    ]
    expect(codes(month)).toEqual({
      577: 31_500,
      32: 10_250,
      545: 630,
      546: 3_150,
      602: 39_230, // 31,500 + 10,250 + 630 - 3,150
      514: 190,
      575: 16_065, // 15,750 + 315
      576: 15_750,
      582: 2_000,
      85: 2_000,
      551: 100,
      559: 1_260,
      603: 16_590, // 15,750 + 2,000 + 100 - 1,260
      506: 22_640, // 39,230 - 16,590
      547: 22_640,
      91: 22_640,
    })
  })

  it.each([
    [24, 577, 576],
    [25, 32, 33],
    [26, 150, 149],
    [27, 146, 85],
    [271, 752, 754],
  ])('tax %i goes to %i where it is sold and to %i where it is bought', (tax, debit, credit) => {
    expect(codes([sale(33, tax, 100), purchase(33, tax, 40)])).toMatchObject({ [debit]: 100, [credit]: 40, 506: 60 })
  })

  it('what is left of the credit waits for the next month and never touches IVA', () => {
    const iva = { net: 1000, iva: 190, owed: 190 }
    const month = [sale(33, 24, 1_000, iva), purchase(33, 24, 15_750)]
    const found = codes(month, { carried: [[508, 1_000]] })
    // 15,750 + 1,000 - 1,000; the IVA of 190 is paid whole.
    expect(found).toMatchObject({ 508: 1_000, 603: 16_750, 507: 15_750, 89: 190, 547: 190, 91: 190 })
  })

  it('counts the share of common use alone', () => {
    const common = purchase(33, 26, 205, { iva_common_use: 190, tipo_compra: 5 })
    // 205 x 0.5 = 102.5
    expect(codes([common], { inputs: { common_use_factor: 0.5 } })).toMatchObject({ 580: 205, 149: 103, 507: 103 })
  })

  it('tells who sells nothing with the tax that it may be a cost, until the credit is filled by hand', () => {
    const wine = [purchase(33, 25, 2_050)]
    expect(warned(wine)).toEqual([['tax_credit_without_sales', ['33'], false]])
    expect(warned(wine, { overrides: [{ code: 33, amount: 0, reason: 'restaurante' }] })).toEqual([])
    expect(warned([...wine, sale(33, 25, 10)])).toEqual([])
  })
})

describe('taxes of article 37, lines 84 to 91', () => {
  it('are one sum, lowered by the credit of letters a, b and c and by its own remanente', () => {
    const month = [
      sale(33, 23, 1_500), // 15 % of 10,000 of jewels
      sale(61, 23, 300), // 15 % of 2,000 that came back
      sale(33, 44, 450), // 15 % of 3,000
      sale(33, 45, 500), // 50 % of 1,000 of fireworks
      purchase(33, 23, 600),
      purchase(33, 45, 999), // paid once: a cost of whoever buys
    ]
    // 1,200 + 450 + 500 - 600 - 100
    const expected = { 113: 1_200, 522: 450, 526: 500, 28: 600, 540: 100, 550: 1_450, 547: 1_450 }
    expect(codes(month, { carried: [[540, 100]] })).toMatchObject(expected)
    expect(codes([purchase(33, 23, 600)])).toEqual({ 28: 600, 549: 600 })
    expect(warned(month)).toEqual([])
  })
})

describe('IVA in advance and other withholdings, lines 113 to 122', () => {
  it('what a supplier charged lowers the IVA determined, and the rest waits', () => {
    const month = [
      taxed('sale', 33, 24, 0, { net: 100_000, iva: 19_000, owed: 19_000, taxes: [] }),
      // Flour of 100,000: 12 % in advance, beside IVA of which 10,000 give credit.
      purchase(33, 19, 12_000, { net: 100_000, iva: 10_000 }),
      purchase(61, 19, 600), // 12 % of 5,000 returned
    ]
    // 89 = 19,000 - 10,000; 543 = 12,000 - 600 + 500.
    const found = codes(month, { carried: [[557, 500]] })
    expect(found).toMatchObject({ 89: 9_000, 556: 11_400, 557: 500, 543: 11_900, 598: 9_000, 573: 2_900 })
    expect(found[547]).toBeUndefined()
  })

  it('what we charged in advance, on the margin or to suplementeros is owed apart', () => {
    const month = [sale(33, 18, 500), sale(61, 18, 100), sale(33, 14, 70), sale(33, 53, 5)]
    expect(codes(month)).toEqual({ 555: 400, 597: 70, 596: 470, 54: 5, 595: 5, 547: 475, 91: 475 })
  })
})

describe('a tax that no line carries', () => {
  it('is told with its code, its entries and its amount, and stops the filing until a person fills a code', () => {
    const month = [purchase(33, 28, 5_000, { entries: 2 }), sale(33, 99, 7)]
    expect(compute(month).warnings).toEqual([
      expect.objectContaining({
        code: 'taxes_left_out',
        blocks_filing: true,
        count: 3,
        amount: 5_007,
        concerns: ['28', '99'],
      }),
    ])
    const overrides = [{ code: 127, amount: 5_000, reason: 'máquinas fuera de camino' }]
    // Diesel that moves no vehicle on a road comes back as credit (Ley 18.502, art. 7).
    expect(warned(month, { overrides })).toEqual([['taxes_left_out', ['99'], true]])
    expect(codes(month, { overrides })).toMatchObject({ 127: 5_000, 537: 5_000, 77: 5_000 })
  })

  it('is no tax of the F29: fuel that is sold, petrol that is bought, IVA that the buyer of a 46 keeps', () => {
    const kept = { net: 100, iva: 19, withheld: 19, fully_withheld: true }
    const month = [sale(33, 28, 9), purchase(33, 35, 9), purchase(46, 15, 19, kept), sale(46, 15, 19, kept)]
    expect(warned(month)).toEqual([])
    expect(codes(month)).toMatchObject({ 39: 19, 587: 100 })
  })
})

describe('the form', () => {
  it('has no code twice, and puts all it does not work out into the file for the SII', () => {
    const all = CODES.map(({ code }) => code)
    expect(all.filter((code, i) => all.indexOf(code) !== i)).toEqual([])
    // 511 and 514 only inform, and 92, 93 and 795 are of whoever pays late.
    const left_out = [511, 514, 92, 93, 795]
    const filled = LINES.flatMap(({ count, amount }) => (count === undefined ? [amount] : [count, amount]))
    const figures = filled.map((code) => ({ code, amount: 1, rate: null }))
    const file = writeUploadFile({ rut: '76543210-3', legal_name: 'X', period: '2026-09' }, figures).toString()
    const absent = filled.filter((code) => !file.includes(`${String(code).padStart(4, '0')}+${'1'.padStart(15, '0')}`))
    expect(absent.sort()).toEqual(left_out.sort())
  })
})
