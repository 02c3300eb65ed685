import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { computeF29, type Override } from './compute.ts'
import type { EntryGroup } from './entry-group.ts'
import type { F29Inputs } from './inputs.ts'

const NONE: F29Inputs = {
  ppm_rate: 0,
  payroll_tax: null,
  honorarios_withheld: null,
  previous_remanente: null,
  common_use_factor: null,
}
// Both months are known, and the UTM of the second is that of the first: nothing is readjusted.
const NO_REMANENTE = { amount: 0, month_when_due: '2025-09', month_when_used: '2025-10' }

function entry(side: 'sale' | 'purchase', tipo_doc: number, amounts: Partial<EntryGroup> = {}): EntryGroup {
  const { iva = 0, withheld = 0 } = amounts
  return {
    side,
    tipo_doc,
    tipo_compra: side === 'purchase' ? 1 : null,
    tipo_venta: side === 'sale' ? 1 : null,
    reference_tipo_doc: null,
    fully_withheld: false,
    entries: 1,
    documents: 1,
    net: 0,
    exempt: 0,
    iva: 0,
    iva_not_recoverable: 0,
    iva_common_use: 0,
    withheld: 0,
    owed: side === 'sale' ? iva - withheld : 0,
    late: false,
    taxes: [],
    ...amounts,
  }
}
const sale = (tipo: number, amounts?: Partial<EntryGroup>) => entry('sale', tipo, amounts)
const purchase = (tipo: number, amounts?: Partial<EntryGroup>) => entry('purchase', tipo, amounts)

function compute(
  groups: readonly EntryGroup[],
  options: { inputs?: Partial<F29Inputs>; overrides?: readonly Override[]; remanente?: number | null } = {},
) {
  const { inputs, overrides = [], remanente = 0 } = options
  return computeF29({
    groups,
    inputs: { ...NONE, ...inputs },
    overrides,
    remanente: { ...NO_REMANENTE, amount: remanente },
  })
}

function codes(...args: Parameters<typeof compute>): Record<number, number> {
  const { figures } = compute(...args)
  const held = figures.filter(({ amount }) => amount !== null && amount !== 0)
  return Object.fromEntries(held.map(({ code, amount }) => [code, amount as number]))
}

/** Only the codes that a group fills by itself: sums and the base of the PPM follow from them. */
function filled(group: EntryGroup, inputs?: Partial<F29Inputs>): Record<number, number> {
  const {
    538: _,
    537: __,
    89: ___,
    77: ____,
    595: _5,
    596: _6,
    547: _7,
    91: _8,
    ...rest
  } = codes([group], {
    ...(inputs && { inputs }),
  })
  return rest
}

describe('where an entry goes', () => {
  // biome-ignore format: one rule per line
  const CASES: readonly [string, EntryGroup, Record<number, number>][] = [
    ['a factura', sale(33, { net: 1000, iva: 190 }), { 503: 1, 502: 190, 563: 1000 }],
    ['a paper factura', sale(30, { net: 1000, iva: 190 }), { 503: 1, 502: 190, 563: 1000 }],
    ['a factura with an exempt part', sale(33, { net: 1000, iva: 190, exempt: 50 }), { 503: 1, 502: 190, 586: 1, 142: 50, 563: 1050 }],
    ['a sale of a fixed asset', sale(33, { net: 1000, iva: 190, tipo_venta: 2 }), { 716: 1, 717: 190, 563: 1000 }],
    ['a sale of real estate', sale(33, { net: 1000, iva: 190, tipo_venta: 3 }), { 763: 1, 764: 190, 563: 1000 }],
    ['an exempt factura', sale(34, { exempt: 700 }), { 586: 1, 142: 700, 563: 700 }],
    ['a month of boletas', sale(39, { documents: 40, net: 1000, iva: 190 }), { 110: 40, 111: 190, 563: 1000 }],
    ['a month of exempt boletas', sale(41, { documents: 9, exempt: 700 }), { 586: 9, 142: 700, 563: 700 }],
    ['a month of vouchers', sale(48, { documents: 7, net: 1000, iva: 190 }), { 758: 7, 759: 190, 563: 1000 }],
    ['a nota de débito', sale(56, { net: 100, iva: 19 }), { 512: 1, 513: 19, 563: 100 }],
    ['an export', sale(110, { exempt: 900 }), { 585: 1, 20: 900, 563: 900 }],
    ['a liquidación factura', sale(43, { net: 100, iva: 19 }), { 500: 1, 501: 19, 563: 100 }],
    ['a factura de compra whose buyer kept the IVA', sale(46, { net: 100, iva: 19, withheld: 19, fully_withheld: true }), { 515: 1, 587: 100, 563: 100 }],
    ['one whose buyer kept a part of it', sale(46, { net: 100, iva: 19, withheld: 8 }), { 516: 1, 517: 11, 720: 100, 563: 100 }],
    ['a purchase del giro', purchase(33, { net: 1000, iva: 190 }), { 519: 1, 520: 190, 511: 190 }],
    ['a paper purchase, which is not electronic', purchase(30, { net: 1000, iva: 190 }), { 519: 1, 520: 190 }],
    ['a supermarket', purchase(33, { iva: 190, tipo_compra: 2 }), { 761: 1, 762: 190, 511: 190 }],
    ['real estate', purchase(33, { iva: 190, tipo_compra: 3 }), { 765: 1, 766: 190, 511: 190 }],
    ['a fixed asset', purchase(33, { iva: 190, tipo_compra: 4 }), { 524: 1, 525: 190, 511: 190 }],
    ['a purchase without credit', purchase(33, { net: 1000, iva_not_recoverable: 190, tipo_compra: 6 }), { 564: 1, 521: 1000, 514: 190 }],
    ['an exempt purchase', purchase(34, { exempt: 700 }), { 584: 1, 562: 700 }],
    ['a nota de crédito received', purchase(61, { net: 100, iva: 19 }), { 527: 1, 528: 19 }],
    ['a nota de débito received', purchase(56, { net: 100, iva: 19 }), { 531: 1, 532: 19, 511: 19 }],
    ['an import', purchase(914, { net: 100, iva: 19 }), { 534: 1, 535: 19 }],
    ['an import of a fixed asset', purchase(914, { net: 100, iva: 19, tipo_compra: 4 }), { 536: 1, 553: 19 }],
    ['a 46 of ours: credit, and owed apart', purchase(46, { net: 100, iva: 19, withheld: 19, fully_withheld: true }), { 519: 1, 520: 19, 511: 19, 39: 19 }],
    ['a 46 of ours that keeps a part', purchase(46, { net: 100, iva: 19, withheld: 8 }), { 519: 1, 520: 19, 511: 19, 554: 8 }],
    ['common use without a factor', purchase(33, { net: 1000, iva_common_use: 190, tipo_compra: 5 }), {}],
  ]
  for (const [name, group, expected] of CASES) {
    it(`${name} fills ${Object.keys(expected).join(', ') || 'nothing'}`, () => {
      expect(filled(group)).toEqual(expected)
    })
  }

  it('a nota de crédito takes away from the exempt amounts, the base of the PPM and the withheld IVA', () => {
    const sold = sale(33, { net: 1000, iva: 190, exempt: 100 })
    const about_46 = purchase(61, { net: 40, iva: 8, withheld: 8, fully_withheld: true, reference_tipo_doc: 46 })
    const bought = purchase(46, { net: 100, iva: 19, withheld: 19, fully_withheld: true })
    const found = codes([sold, sale(61, { net: 200, iva: 38, exempt: 30 }), bought, about_46])
    expect(found).toMatchObject({ 142: 70, 563: 870, 509: 1, 510: 38, 538: 152, 527: 1, 528: 8, 511: 11 })
    expect(found).toMatchObject({ 39: 19, 736: 8, 596: 11 })
  })

  it('takes the known share of common use as credit, rounded once', () => {
    const common = purchase(33, { net: 5, iva_common_use: 1001, tipo_compra: 5 })
    expect(filled(common, { common_use_factor: 0.75 })).toEqual({ 519: 1, 520: 751, 511: 751 })
    expect(compute([common]).warnings).toContainEqual(
      expect.objectContaining({ code: 'common_use_factor_missing', amount: 1001, blocks_filing: true }),
    )
  })

  it('tells of a tipo that the form has no line for, and counts it nowhere', () => {
    const { warnings } = compute([sale(999, { net: 10, iva: 2, entries: 3 })])
    expect(warnings).toEqual([expect.objectContaining({ code: 'unknown_tipos', count: 3, concerns: ['999'] })])
    expect(codes([sale(999, { net: 10, iva: 2 })])).toEqual({})
  })
})

describe('what follows from the codes', () => {
  it('89 is what the débitos exceed, 77 what the créditos do, never both', () => {
    const groups = [sale(33, { net: 1000, iva: 190 }), purchase(33, { net: 500, iva: 95 })]
    expect(codes(groups)).toMatchObject({ 538: 190, 537: 95, 89: 95, 595: 95, 547: 95, 91: 95 })
    const left = codes([sale(33, { net: 500, iva: 95 }), purchase(33, { net: 1000, iva: 190 })])
    expect([left[77], left[89], left[91]]).toEqual([95, undefined, undefined])
  })

  it('596 is never offset by a remanente', () => {
    const own = purchase(46, { net: 1000, iva: 190, withheld: 190, fully_withheld: true })
    expect(codes([own])).toMatchObject({ 537: 190, 77: 190, 39: 190, 596: 190, 547: 190, 91: 190 })
  })

  it.each([
    [123_800, 0.125, 155],
    [100, 0.5, 1],
    [99, 0.5, 0],
    [2_100_000, 0.25, 5_250],
    [1_000_000, 0, 0],
  ])('PPM of %i at a rate of %f is %i, rounded half up', (net, ppm_rate, expected) => {
    expect(codes([sale(33, { net })], { inputs: { ppm_rate } })[62] ?? 0).toBe(expected)
  })

  it('readjusts the remanente by the UTM of the months it was due and is used in', () => {
    const remanente = { amount: 10_000, month_when_due: '2025-10', month_when_used: '2025-11' }
    const { figures } = computeF29({ groups: [], inputs: NONE, overrides: [], remanente })
    // 10,000 x 69,542 / 69,265 = 10,039.99
    expect(figures.find(({ code }) => code === 504)).toMatchObject({ amount: 10_040, source: 'input' })
  })

  it('does not guess a UTM it does not know: it says so until somebody overrides 504', () => {
    const remanente = { amount: 10_000, month_when_due: '2099-10', month_when_used: '2099-11' }
    const question = { groups: [], inputs: NONE, remanente }
    const { figures, warnings } = computeF29({ ...question, overrides: [] })
    expect(figures.find(({ code }) => code === 504)?.amount).toBe(10_000)
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'utm_missing', blocks_filing: true, concerns: ['2099-10', '2099-11'] }),
    ])
    const overrides = [{ code: 504, amount: 10_100, reason: 'UTM' }]
    expect(computeF29({ ...question, overrides }).warnings).toEqual([])
  })

  it('says when it does not know what was left over', () => {
    expect(compute([], { remanente: null }).warnings).toEqual([
      expect.objectContaining({ code: 'previous_remanente_unknown' }),
    ])
  })

  it('an override takes the place of its code, moves every sum, and what was computed stays to be seen', () => {
    const overrides = [
      { code: 520, amount: 150, reason: 'factor' },
      { code: 723, amount: 10, reason: 'SENCE' },
      { code: 755, amount: 5, reason: 'postergado' },
    ]
    const groups = [sale(33, { net: 1000, iva: 190 }), purchase(33, { net: 500, iva: 95 })]
    expect(codes(groups, { overrides })).toMatchObject({ 520: 150, 537: 150, 89: 40, 595: 30, 547: 30, 91: 25 })
    const { figures } = compute(groups, { overrides })
    expect(figures.find(({ code }) => code === 520)).toMatchObject({ source: 'override', computed_amount: 95 })
    expect(figures.find(({ code }) => code === 91)).toMatchObject({ amount: 25, computed_amount: 95 })
  })

  it('cuts at zero what notas de crédito exceed, keeps the difference as credit, and says so', () => {
    const { figures, warnings } = compute([sale(61, { net: 1000, iva: 190 })])
    const at = (code: number) => figures.find((one) => one.code === code)?.amount
    expect([at(538), at(89), at(77), at(563)]).toEqual([0, 0, 190, 0])
    expect(warnings.filter(({ code }) => code === 'negative_code').map(({ concerns }) => concerns[0])).toEqual([
      '563',
      '538',
    ])
  })
})

const SAMPLE = new URL(
  '../../../../../../../shared/sii/samples/f29/cte--61002000-3--f29-6600000016-datos-obj-fake.json',
  import.meta.url,
)

/** Cuts an amount in so many parts, so that a sum of entries must give it back. */
function parts(amount: number, count: number): number[] {
  const each = Math.floor(amount / count)
  return Array.from({ length: count }, (_, i) => (i === 0 ? amount - each * (count - 1) : each))
}

describe('the public F29 of the Registro Civil, July 2017', () => {
  it.skipIf(!existsSync(SAMPLE))('gives every figure back from its documents (skipped without ../shared)', () => {
    const { campos } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as { campos: Record<string, string> }
    const told = (code: number) => Number(campos[String(code).padStart(3, '0')])
    const groups = [
      ...parts(told(502), told(503)).map((iva) => sale(33, { iva })),
      ...parts(told(520), told(519)).map((iva) => purchase(33, { iva })),
      ...parts(told(762), told(761)).map((iva) => purchase(33, { iva, tipo_compra: 2 })),
      ...parts(told(528), told(527)).map((iva) => purchase(61, { iva })),
      ...parts(told(562), told(584)).map((exempt) => purchase(34, { exempt })),
    ]
    // The remanente of June is in the form as it was used; interest, fines and what was waived are of paying late.
    const given = [504, 30, 92, 93, 795].map((code) => ({ code, amount: told(code), reason: 'as filed' }))
    const inputs = { payroll_tax: told(48), honorarios_withheld: told(151) }
    const found = compute(groups, { inputs, overrides: given })
    const IDENTITY = [1, 3, 6, 7, 8, 15, 60, 315, 915, 922]
    const figures = Object.keys(campos)
      .map(Number)
      .filter((code) => !IDENTITY.includes(code))
    expect(figures.length).toBeGreaterThan(20)
    for (const code of figures) {
      const amount = found.figures.find((one) => one.code === code)?.amount ?? 0
      expect([code, amount]).toEqual([code, told(code)])
    }
    expect(codes(groups, { inputs, overrides: given })).toMatchObject({
      511: 980_816,
      537: 18_018_160,
      538: 6_588_397,
      77: 11_429_763,
      595: 1_536_269,
      547: 1_536_269,
      91: 1_536_269,
      94: 1_603_589,
    })
  })
})
