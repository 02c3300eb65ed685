import { type DteDraft, priceDraft } from '@timbre/dte/draft'
import { describe, expect, it } from 'vitest'
import { amountsOf } from './amounts.ts'

const RECEPTOR = { rut: '77123456-9' }
const EMISOR = { rut: '76543210-3', legal_name: 'Comercial Ñandú SpA' }
const shown = (written: Pick<DteDraft, 'tipo_dte' | 'items'> & Partial<DteDraft>) => {
  const draft = { issue_date: '2026-03-05', emisor: EMISOR, receptor: RECEPTOR, ...written }
  const { net = 0, iva = 0, exempt = 0, total } = priceDraft(draft).totals
  return amountsOf({ net, iva, exempt, total, draft })
}

// SII, Formato DTE v2.4.2, Totales: MntTotal = MntNeto + MntExe + IVA + additional − withheld + GrntDep − CredEC.
describe('the amounts of a document', () => {
  const cases: [string, Parameters<typeof shown>[0], object][] = [
    [
      'a plain factura',
      { tipo_dte: 33, items: [{ description: 'A', unit_price: 1350 }] },
      { net: 1350, iva: 257, total: 1607 },
    ],
    ['a boleta', { tipo_dte: 39, items: [{ description: 'A', unit_price: 680 }] }, { net: 571, iva: 109, total: 680 }],
    // 46, wheat (34): net 10.000, IVA 1.900, withheld 4 % = 400, total 10.000 + 1.900 − 400 = 11.500.
    [
      'a factura de compra of wheat',
      { tipo_dte: 46, items: [{ description: 'Trigo', unit_price: 10_000, additional_tax: 34 }] },
      { net: 10_000, iva: 1_900, taxes: -400, total: 11_500 },
    ],
    // Wine 20,5 % of 1.000 = 205; a deposit of 600 on the crate: 1.000 + 190 + 205 + 600 = 1.995.
    [
      'wine in a crate with a deposit',
      {
        tipo_dte: 33,
        items: [
          { description: 'Vino', unit_price: 1_000, additional_tax: 25 },
          { description: 'Jaba', unit_price: 600, billing: 'container_deposit' },
        ],
      },
      { net: 1_000, iva: 190, taxes: 205, deposit: 600, total: 1_995 },
    ],
    // Diesel states its specific tax: 10.000 + 1.900 + 3.000 = 14.900.
    [
      'a stated tax',
      {
        tipo_dte: 33,
        items: [{ description: 'Diésel', unit_price: 10_000 }],
        stated_taxes: [{ code: 28, amount: 3_000 }],
      },
      { net: 10_000, iva: 1_900, taxes: 3_000, total: 14_900 },
    ],
    // Building firms (DL 910, art. 21): 65 % of the IVA of 190.000 is 123.500 less to pay.
    [
      'a building firm',
      { tipo_dte: 33, items: [{ description: 'Obra', unit_price: 1_000_000 }], construction_credit: 123_500 },
      { net: 1_000_000, iva: 190_000, construction_credit: 123_500, total: 1_066_500 },
    ],
  ]
  it.each(cases)('of %s add up to its total', (_, draft, wanted) => {
    const { totals } = shown(draft)
    expect(totals).toMatchObject(wanted)
    const { net, iva, exempt, taxes, deposit, construction_credit, total } = totals
    expect(net + iva + exempt + taxes + deposit - construction_credit).toBe(total)
  })
})
