import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyDraft } from '../../test/support/arbitrary.ts'
import { draft, item } from '../../test/support/samples.ts'
import { checkAgreement } from './agree.ts'
import { checkDraft } from './check.ts'
import type { Dte, DteDraft, PricedItem, Totals } from './document.ts'
import { completeDraft } from './totals.ts'

const dteOf = (changes: Partial<DteDraft> = {}, tipo_dte: 33 | 39 | 46 | 52 = 33) =>
  completeDraft(draft(tipo_dte, { items: [item({ quantity: 10, unit_price: 10_000 })], ...changes }), 1)
const stated = (dte: Dte, totals: Partial<Totals>): Dte => ({ ...dte, totals: { ...dte.totals, ...totals } })
const totalsOf = (dte: Dte) => checkAgreement(dte)?.totals

describe('the amounts of a received document', () => {
  it('agree in every document that we issue', () => {
    fc.assert(
      fc.property(anyDraft, (one) => {
        fc.pre(checkDraft(one).length === 0)
        expect(checkAgreement(completeDraft(one, 1))).toEqual({ totals: [], lines: [] })
      }),
      { numRuns: 150, seed: 20261116 },
    )
  })

  it('are disputed when the IVA, the net, the exempt part or the total is another', () => {
    expect(totalsOf(stated(dteOf(), { net: 90_000, iva: 29_000 }))).toEqual(['net', 'iva'])
    expect(totalsOf(stated(dteOf(), { exempt: 5_000, total: 124_000 }))).toEqual(['exempt'])
    expect(totalsOf(stated(dteOf(), { total: 190_000 }))).toEqual(['total'])
    expect(totalsOf(stated(dteOf(), { iva: undefined, total: 100_000 }))).toEqual(['iva'])
  })

  it('are disputed when a line was added, or a global discount left out', () => {
    const dte = dteOf({ discounts: [{ percent: 10 }] })
    expect(totalsOf({ ...dte, items: [...dte.items, { description: 'Más', amount: 50_000 }] })).toEqual(['net', 'iva'])
    expect(totalsOf({ ...dte, discounts: undefined })).toEqual(['net', 'iva'])
  })

  it('are disputed when a tax at a rate is not what its lines give, and cannot be told when it is in no table', () => {
    const wine = dteOf({ items: [item({ quantity: 10, unit_price: 10_000, additional_tax: 25 })] })
    expect(totalsOf(wine)).toEqual([])
    const filled = { net: 100_000, iva: 19_000, taxes: [{ code: 25, rate: 20.5, amount: 40_000 }], total: 159_000 }
    expect(totalsOf(stated(wine, filled))).toEqual(['taxes'])
    expect(totalsOf(stated(dteOf(), filled))).toEqual(['taxes'])
    expect(checkAgreement(stated(dteOf(), { taxes: [{ code: 999, amount: 5 }] }))).toBeNull()
  })

  // Each of these is a line of a thousand million and its IVA, taken off again so that the total is the one of the timbre.
  it('are disputed when a term without a line hides what was added to them', () => {
    const MORE = { description: 'Más', amount: 1_000_000_000 }
    const HIDDEN = 1_190_000_000
    const hiding = (terms: Partial<Totals>, line: Partial<PricedItem> = {}, extra: readonly PricedItem[] = []) => {
      const { items, totals, ...dte } = dteOf()
      const added = { net: 1_000_100_000, iva: 190_019_000, ...terms }
      return totalsOf({ ...dte, items: [...items, { ...MORE, ...line }, ...extra], totals: { ...totals, ...added } })
    }
    expect(hiding({})).toEqual(['total'])
    expect(hiding({ construction_credit: HIDDEN })).toEqual(['construction_credit'])
    expect(hiding({ deposit: -HIDDEN })).toEqual(['deposit'])
    const returned = { description: 'Envases', billing: 'container_deposit', amount: -HIDDEN } as const
    expect(hiding({ deposit: -HIDDEN }, {}, [returned])).toEqual(['deposit'])
    for (const code of [14, 28, 35, 50, 51, 52]) {
      const terms = { taxes: [{ code, amount: -HIDDEN }] }
      expect([code, hiding(terms, { additional_tax: code })]).toEqual([code, ['taxes']])
    }
    const sold = (code: number, retention_agent: NonNullable<PricedItem['retention_agent']>, amount: number) =>
      hiding({ taxes: [{ code, amount }] }, { additional_tax: code, retention_agent })
    expect(sold(53, { consumer_price: 238_000_000_000 }, HIDDEN)).toEqual(['taxes'])
    expect(sold(17, { slaughter_base: -23_800_000_000 }, -HIDDEN)).toEqual(['taxes'])
    const withheld = { taxes: [{ code: 15, rate: 19, amount: 190_000_000 }], total: 1_000_119_000 }
    expect(hiding(withheld, { additional_tax: 15 })).toEqual(['taxes'])
    expect(hiding({ iva_not_withheld: 999_999_999_999, total: 1_190_119_000 })).toEqual(['iva_not_withheld'])
  })

  it('may hold a credit, a deposit and a tax by volume within what the law and the lines give', () => {
    const diesel = item({ quantity: 100, unit_price: 1_000, additional_tax: 28 })
    const taken = [
      dteOf({ construction_credit: 12_350 }),
      dteOf({ items: [diesel], stated_taxes: [{ code: 28, amount: 41_000 }] }),
      dteOf({ items: [item(), item({ billing: 'container_deposit' })] }),
    ]
    for (const dte of taken) expect(totalsOf(dte)).toEqual([])
    const subsidy = dteOf({ items: [diesel], stated_taxes: [{ code: 28, amount: -23_000 }] })
    expect(totalsOf(subsidy)).toEqual([])
    expect(totalsOf(stated(dteOf(), { construction_credit: 12_353, total: 106_647 }))).toEqual(['construction_credit'])
    const credited = dteOf({ construction_credit: 1_000 })
    expect(totalsOf({ ...credited, tipo_dte: 46 })).toEqual(['construction_credit'])
  })

  it('may differ by a peso for each rounding, and by no more', () => {
    const [two, four] = [dteOf(), dteOf({ items: Array.from({ length: 3 }, () => item({ quantity: 1 })) })]
    expect(totalsOf(stated(two, { iva: 19_002, total: 119_002 }))).toEqual([])
    expect(totalsOf(stated(two, { iva: 19_003, total: 119_003 }))).toEqual(['iva'])
    const { net = 0, iva = 0 } = four.totals
    expect(totalsOf(stated(four, { iva: iva + 4, total: net + iva + 4 }))).toEqual([])
  })

  it('of a boleta may be its total alone, which its lines must still give', () => {
    const boleta = dteOf({}, 39)
    expect(totalsOf({ ...boleta, totals: { total: boleta.totals.total } })).toEqual([])
    expect(totalsOf({ ...boleta, totals: { total: boleta.totals.total + 9_000 } })).toEqual(['total'])
  })

  it('of a guía that sells nothing are none, whatever its lines are worth', () => {
    expect(totalsOf({ ...dteOf({}, 52), totals: { total: 0 } })).toEqual([])
    expect(totalsOf({ ...dteOf({}, 52), totals: { net: 0, iva: 99_999, total: 0 } })).toEqual(['iva'])
  })

  it('of a line are its quantity times its price, as far as their decimals tell', () => {
    const withLine = (changes: Partial<PricedItem>) => {
      const dte = dteOf()
      return checkAgreement({ ...dte, items: [{ ...(dte.items[0] as PricedItem), ...changes }] })?.lines
    }
    expect(withLine({ quantity: 1000, unit_price: 100 })).toEqual([])
    expect(withLine({ quantity: 7, unit_price: 14_285.71 })).toEqual([])
    expect(withLine({ quantity: 12.5 })).toEqual([0])
    expect(withLine({ quantity: 0 })).toEqual([0])
    expect(withLine({ unit_price: 20_000 })).toEqual([0])
    expect(withLine({ unit_price: undefined })).toEqual([])
  })

  it('cannot be told beyond what a number holds', () => {
    expect(checkAgreement(dteOf({ items: [item({ quantity: 1, unit_price: 1 })] }))).not.toBeNull()
    const huge = { description: 'x', amount: Number.MAX_SAFE_INTEGER }
    expect(checkAgreement({ ...dteOf(), items: [huge, huge] })).toBeNull()
  })
})
