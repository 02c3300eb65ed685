import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { draftOf } from '../../test/support/libre.ts'
import { draft, item } from '../../test/support/samples.ts'
import { describeWithReference, readReference, referencePath } from '../../test/support/shared.ts'
import type { Totals } from './document.ts'
import { completeDraft, computeTotals, priceDraft } from './totals.ts'

describe('totals of a factura', () => {
  it('add the lines, then the IVA rounded half up', () => {
    const items = [item({ quantity: 123, unit_price: 923 }), item({ quantity: 53, unit_price: 1473 })]
    expect(computeTotals(draft(33, { items }))).toEqual({ net: 191598, iva_rate: 19, iva: 36404, total: 228002 })
    expect(computeTotals(draft(33, { items: [item({ quantity: 1, unit_price: 1350 })] })).iva).toBe(257)
  })

  it('take line discounts in percent from the rounded line, half up', () => {
    const items = [
      item({ quantity: 1, unit_price: 452610, discount: { percent: 4 } }),
      item({ quantity: 1, unit_price: 159390, discount: { percent: 5 } }),
    ]
    const priced = priceDraft(draft(33, { items }))
    expect(priced.items.map(({ discount_amount, amount }) => [discount_amount, amount])).toEqual([
      [18104, 434506],
      [7970, 151420],
    ])
    expect(priced.totals).toEqual({ net: 585926, iva_rate: 19, iva: 111326, total: 697252 })
  })

  it('apply a surcharge in percent to what the discount left', () => {
    const [line] = priceDraft(
      draft(33, {
        items: [item({ quantity: 1, unit_price: 1000, discount: { amount: 100 }, surcharge: { percent: 10 } })],
      }),
    ).items
    expect(line).toMatchObject({ discount_amount: 100, surcharge_amount: 90, amount: 990 })
  })

  it('take a global discount from the taxed lines and leave the exempt ones', () => {
    const items = [
      item({ quantity: 81, unit_price: 1672 }),
      item({ quantity: 35, unit_price: 1405 }),
      item({ quantity: 2, unit_price: 6767, exempt: true }),
    ]
    const priced = priceDraft(draft(33, { items, discounts: [{ percent: 6 }] }))
    expect(priced.discounts).toEqual([{ percent: 6, applied: 11076 }])
    expect(priced.totals).toEqual({ net: 173531, exempt: 13534, iva_rate: 19, iva: 32971, total: 220036 })
  })

  it('apply each global discount to what the one before it left, and then the surcharges', () => {
    const priced = priceDraft(
      draft(33, {
        items: [item({ quantity: 1, unit_price: 10000 })],
        discounts: [{ percent: 10 }, { percent: 10 }],
        surcharges: [{ amount: 500 }],
      }),
    )
    expect(priced.discounts?.map(({ applied }) => applied)).toEqual([1000, 900])
    expect(priced.totals.net).toBe(8600)
  })

  it('multiply decimals as integers, so that 1.005 is never 1.00499', () => {
    expect(priceDraft(draft(33, { items: [item({ quantity: 1.005, unit_price: 100 })] })).items[0]?.amount).toBe(101)
    expect(priceDraft(draft(33, { items: [item({ quantity: 3, unit_price: 0.1667 })] })).items[0]?.amount).toBe(1)
    expect(priceDraft(draft(33, { items: [item({ quantity: 0.5, unit_price: 1 })] })).items[0]?.amount).toBe(1)
  })

  it('split gross lines by subtraction when the document says its prices include IVA', () => {
    const totals = computeTotals(draft(33, { items: [item({ quantity: 1, unit_price: 680 })], gross_prices: true }))
    expect(totals).toEqual({ net: 571, iva_rate: 19, iva: 109, total: 680 })
  })

  it('add an additional tax over the lines that carry its code', () => {
    const items = [item({ quantity: 1, unit_price: 1000, additional_tax: 24 }), item({ quantity: 1, unit_price: 1000 })]
    expect(computeTotals(draft(33, { items }))).toMatchObject({
      iva: 380,
      taxes: [{ code: 24, rate: 31.5, amount: 315 }],
      total: 2695,
    })
  })

  it('lower the base of an additional tax by its share of a global discount', () => {
    const items = [item({ quantity: 1, unit_price: 1000, additional_tax: 27 }), item({ quantity: 1, unit_price: 3000 })]
    const totals = computeTotals(draft(33, { items, discounts: [{ percent: 50 }] }))
    expect(totals.taxes).toEqual([{ code: 27, rate: 10, amount: 50 }])
    expect(totals.total).toBe(2000 + 380 + 50)
  })

  it('carry a specific tax as the amount that was stated, without a rate', () => {
    const totals = computeTotals(
      draft(33, { items: [item({ additional_tax: 28 })], stated_taxes: [{ code: 28, amount: 777 }] }),
    )
    expect(totals.taxes).toEqual([{ code: 28, amount: 777 }])
    expect(totals.total).toBe(5000 + 950 + 777)
  })

  it('tax the slaughter base and not the line under code 17', () => {
    const items = [item({ additional_tax: 17, retention_agent: { slaughter_base: 100000 } })]
    expect(computeTotals(draft(33, { items })).taxes).toEqual([{ code: 17, rate: 5, amount: 5000 }])
  })

  it('keep non-billable lines out of the total, with their sign, and add deposits to it', () => {
    const items = [
      item(),
      item({ quantity: 1, unit_price: 300, billing: 'non_billable' }),
      item({ quantity: 1, unit_price: 100, billing: 'non_billable_negative' }),
      item({ quantity: 1, unit_price: 250, billing: 'container_deposit' }),
    ]
    expect(computeTotals(draft(33, { items, previous_balance: 40 }))).toEqual({
      net: 5000,
      iva_rate: 19,
      iva: 950,
      deposit: 250,
      total: 6200,
      non_billable: 200,
      period_total: 6400,
      previous_balance: 40,
      amount_due: 6440,
    })
  })

  it('use the IVA in force on the date of the document', () => {
    expect(computeTotals(draft(33, { issue_date: '2003-09-30' })).iva_rate).toBe(18)
    expect(computeTotals(draft(33, { issue_date: '2003-10-01' })).iva_rate).toBe(19)
  })
})

describe('totals of the other tipos', () => {
  it.each([
    [5000, 4202, 798],
    [680, 571, 109],
    [86710, 72866, 13844],
  ])('a boleta of %i is %i net and %i IVA', (total, net, iva) => {
    expect(computeTotals(draft(39, { items: [item({ quantity: 1, unit_price: total })] }))).toEqual({ net, iva, total })
  })

  it('a boleta that declares net lines adds the IVA like a factura', () => {
    expect(computeTotals(draft(39, { gross_prices: false }))).toEqual({ net: 5000, iva: 950, total: 5950 })
  })

  it('a 34 and a 41 hold nothing but exempt amounts', () => {
    expect(computeTotals(draft(34))).toEqual({ exempt: 5000, total: 5000 })
    expect(computeTotals(draft(41, { discounts: [{ percent: 10 }] }))).toEqual({ exempt: 4500, total: 4500 })
  })

  it('a 46 with total withholding pays its seller the net alone', () => {
    const items = [item({ quantity: 1, unit_price: 123973, additional_tax: 15 })]
    expect(computeTotals(draft(46, { items }))).toEqual({
      net: 123973,
      iva_rate: 19,
      iva: 23555,
      taxes: [{ code: 15, rate: 19, amount: 23555 }],
      total: 123973,
    })
  })

  it('a 46 with partial withholding says how much IVA was not withheld', () => {
    const items = [item({ quantity: 1, unit_price: 10000, additional_tax: 34 })]
    expect(computeTotals(draft(46, { items }))).toMatchObject({
      iva: 1900,
      taxes: [{ code: 34, rate: 4, amount: 400 }],
      iva_not_withheld: 1500,
      total: 11500,
    })
  })

  it('a 46 without withholding carries code 49 with no rate', () => {
    expect(computeTotals(draft(46, { items: [item({ additional_tax: 49 })] }))).toMatchObject({
      taxes: [{ code: 49, amount: 0 }],
      iva_not_withheld: 950,
      total: 5950,
    })
  })

  it('a guía that sells nothing has a total of zero and no other part', () => {
    const items = [item({ unit_price: undefined })]
    expect(computeTotals(draft(52, { items, dispatch: { transfer_type: 5 } }))).toEqual({ total: 0 })
  })

  it('a note that corrects text has every part at zero', () => {
    const items = [item({ quantity: 1, unit_price: 0 })]
    expect(computeTotals(draft(61, { items }))).toEqual({ net: 0, iva_rate: 19, iva: 0, total: 0 })
  })

  it('a note about a 46 carries the same withholding', () => {
    const items = [item({ quantity: 1, unit_price: 123973, additional_tax: 15 })]
    expect(computeTotals(draft(61, { items })).total).toBe(123973)
  })

  it('a price without a quantity is the price of one', () => {
    const items = [item({ quantity: undefined, unit_price: 990 })]
    expect(computeTotals(draft(34, { items })).total).toBe(990)
  })

  it('a completed draft keeps what was written and gains folio and amounts', () => {
    const dte = completeDraft(draft(33), 12)
    expect(dte).toMatchObject({ folio: 12, items: [{ quantity: 2, amount: 5000 }], totals: { total: 5950 } })
  })
})

const NAMES: Readonly<Record<string, keyof Totals>> = {
  MntNeto: 'net',
  MntExe: 'exempt',
  IVA: 'iva',
  MntTotal: 'total',
  MontoNF: 'non_billable',
  MontoPeriodo: 'period_total',
}

describeWithReference('the recorded totals cases', () => {
  for (const file of readdirSync(referencePath('samples/totals')).filter((name) => name.endsWith('.yaml'))) {
    it(`${file} gives the totals it expects`, () => {
      const document = parse(readReference('samples/totals', file).toString('utf8'))
      const totals = computeTotals(draftOf(document))
      const { ImptoReten, ...expected } = document.Test.ExpectedValues.Encabezado.Totales
      for (const [name, amount] of Object.entries(expected)) expect(totals[NAMES[name] ?? 'total'], name).toBe(amount)
      if (ImptoReten !== undefined) expect(totals.taxes?.[0]).toEqual({ code: 15, rate: 19, amount: 19000 })
    })
  }
})
