import { describe, expect, it } from 'vitest'
import { draft, EMISOR, item, RECEPTOR } from '../../test/support/samples.ts'
import { checkDraft, checkDte } from './check.ts'
import type { DteDraft } from './document.ts'
import type { Circumstances } from './rules/rule.ts'
import { TIPO_NUMBERS, type TipoDte } from './tipos.ts'
import { completeDraft } from './totals.ts'

const found = (value: unknown, circumstances?: Circumstances) =>
  checkDraft(value, circumstances).map(({ path, rule }) => `${path} ${rule}`)
const refused = (tipo_dte: TipoDte, changes: object, circumstances?: Circumstances) =>
  found({ ...draft(tipo_dte), ...changes }, circumstances)
const line = (changes: object) => ({ items: [{ ...item(), ...changes }] })

describe('a draft that is right', () => {
  it.each(TIPO_NUMBERS)('of tipo %i is refused nothing', (tipo_dte) => {
    expect(found(draft(tipo_dte), { today: '2026-10-05', uf: 39_000 })).toEqual([])
  })
})

describe('fields', () => {
  it('are refused with the path of the caller and a sentence', () => {
    const [refusal] = checkDraft(draft(33, { items: [item(), item({ unit_price: 1.23456 })] }))
    expect(refusal).toEqual({
      path: 'items[1].unit_price',
      rule: 'decimals',
      message: 'items[1].unit_price must have at most 4 decimals',
    })
  })

  it('are all judged at once', () => {
    const wrong = { issue_date: '2026-02-30', receptor: { ...RECEPTOR, rut: '77123456-0', giro: 'x'.repeat(41) } }
    expect(refused(33, wrong)).toEqual(['issue_date date', 'receptor.rut rut', 'receptor.giro too_long'])
  })

  it.each([33, 34, 46, 52, 56, 61] as const)('of the receptor that a tipo %i needs are asked for', (tipo_dte) => {
    expect(refused(tipo_dte, { receptor: { rut: RECEPTOR.rut } })).toEqual([
      'receptor.legal_name required',
      'receptor.giro required',
      'receptor.address.street required',
      'receptor.address.comuna required',
    ])
  })

  it('of a boleta need no more of the receptor than its RUT', () => {
    expect(refused(39, { receptor: {} })).toEqual(['receptor.rut required'])
  })

  it('say which character the SII cannot carry', () => {
    const [refusal] = checkDraft(draft(33, { receptor: { ...RECEPTOR, legal_name: 'Niño “Azul”' } }))
    expect(refusal?.message).toBe('receptor.legal_name has “ (U+201C) at 5, outside ISO-8859-1')
  })

  it.each([
    [{ description: '' }, 'items[0].description empty'],
    [{ description: 'x'.repeat(81) }, 'items[0].description too_long'],
    [{ description: 5 }, 'items[0].description type'],
    [{ description: null }, 'items[0].description type'],
    [{ detail: 'x'.repeat(1001) }, 'items[0].detail too_long'],
    [{ unit: 'METRO' }, 'items[0].unit too_long'],
    [{ quantity: 0 }, 'items[0].quantity range'],
    [{ quantity: -1 }, 'items[0].quantity range'],
    [{ quantity: 1.1234567 }, 'items[0].quantity decimals'],
    [{ quantity: '2' }, 'items[0].quantity type'],
    [{ unit_price: -1 }, 'items[0].unit_price range'],
    [{ unit_price: Number.NaN }, 'items[0].unit_price type'],
    [{ discount: 5 }, 'items[0].discount type'],
    [{ discount: { percent: 0 } }, 'items[0].discount.percent range'],
    [{ discount: { percent: 101 } }, 'items[0].discount.percent range'],
    [{ discount: { percent: 1.234 } }, 'items[0].discount.percent decimals'],
    [{ discount: { amount: 1.5 } }, 'items[0].discount.amount integer'],
    [{ code: { type: 'INT1' } }, 'items[0].code.value required'],
    [{ exempt: 'yes' }, 'items[0].exempt type'],
    [{ billing: 'gift' }, 'items[0].billing choice'],
  ])('of a line like %j are refused', (changes, expected) => {
    expect(refused(33, line(changes))).toEqual([expected])
  })

  it.each([
    ['tipo_dte', { tipo_dte: 110 }, 'tipo_dte choice'],
    ['items', { items: [] }, 'items required'],
    ['items', { items: 'one' }, 'items type'],
    ['acteco', { emisor: { ...EMISOR, acteco: [] } }, 'emisor.acteco required'],
    ['acteco', { emisor: { ...EMISOR, acteco: [1, 2, 3, 4, 5] } }, 'emisor.acteco[4] too_many'],
    ['address', { receptor: { ...RECEPTOR, address: 'Calle 1' } }, 'receptor.address type'],
    ['payment', { payment: { form: 'barter' } }, 'payment.form choice'],
    [
      'references',
      { references: [{ document_type: '801', folio: 'x'.repeat(19), date: '2026-10-01' }] },
      'references[0].folio too_long',
    ],
    ['references', { references: [7] }, 'references[0] type'],
    ['driver', { dispatch: { driver: { name: 'Ana' } } }, 'dispatch.driver.rut required'],
  ])('of the document are refused at %s', (_name, changes, expected) => {
    expect(refused(33, changes)[0]).toBe(expected)
  })

  it('beyond what the schema counts are refused at the first one too many', () => {
    const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
    expect(refused(33, { items: many(61, item()) })).toEqual(['items[60] too_many'])
    expect(refused(39, { items: many(1000, item()) })).toEqual([])
    expect(refused(39, { items: many(1001, item()) })).toEqual(['items[1000] too_many'])
    const reference = { document_type: '801', folio: 1, date: '2026-10-01' }
    expect(refused(33, { references: many(41, reference) })).toEqual(['references[40] too_many'])
    const global = { discounts: many(15, { percent: 1 }), surcharges: many(6, { percent: 1 }) }
    expect(refused(33, global)).toEqual(['surcharges[5] too_many'])
  })

  it('that a tipo has no place for are refused and not dropped', () => {
    expect(refused(39, { dispatch: { plate: 'ABCD12' } })).toContain('dispatch not_for_tipo')
    expect(refused(33, { dispatch: { transfer_type: 1 } })).toEqual(['dispatch.transfer_type not_for_tipo'])
    expect(refused(39, line({ additional_tax: 24 }))).toEqual(['items[0].additional_tax not_for_tipo'])
    expect(refused(33, { no_debit_reduction: true })).toEqual(['no_debit_reduction not_for_tipo'])
  })

  it.each([null, undefined, 5, 'x', [], true])('of %j, which is no document, are not looked for', (value) => {
    expect(checkDraft(value)).toHaveLength(1)
  })
})

describe('rules of lines and amounts', () => {
  it.each<[string, TipoDte, Partial<DteDraft>, string]>([
    ['both forms of a discount', 33, line({ discount: { percent: 1, amount: 1 } }), 'items[0].discount one_of'],
    ['a discount above the line', 33, line({ discount: { amount: 5001 } }), 'items[0].discount exceeds_line'],
    ['exempt with another indicator', 33, line({ exempt: true, billing: 'non_billable' }), 'items[0].billing conflict'],
    ['a taxed line in a 34', 34, line({ exempt: false }), 'items[0].exempt exempt_tipo'],
    ['a deposit in a boleta', 39, line({ billing: 'container_deposit' }), 'items[0].billing not_for_tipo'],
    ['a price on what is no sale', 33, line({ billing: 'not_a_sale' }), 'items[0].unit_price must_be_zero'],
    ['a 33 with nothing but exempt lines', 33, line({ exempt: true }), 'tipo_dte all_exempt'],
    ['a 39 with nothing but exempt lines', 39, line({ exempt: true }), 'tipo_dte all_exempt'],
    [
      'a line beyond exact arithmetic',
      33,
      line({ quantity: 1e11, unit_price: 1e11 }),
      'items[0].unit_price amount_too_large',
    ],
    ['an unknown tax', 33, line({ additional_tax: 99 }), 'items[0].additional_tax unknown_code'],
    ['withholding in a sale', 33, line({ additional_tax: 15 }), 'items[0].additional_tax not_for_tipo'],
    [
      'a tax on an exempt line',
      33,
      { items: [item(), item({ exempt: true, additional_tax: 24 })] },
      'items[1].additional_tax exempt_line',
    ],
    [
      'a tax with gross prices',
      33,
      { ...line({ additional_tax: 24 }), gross_prices: true },
      'items[0].additional_tax gross_prices',
    ],
    ['a 46 without withholding', 46, line({}), 'items[0].additional_tax required'],
    ['a tax without its base', 33, line({ additional_tax: 17 }), 'items[0].retention_agent.slaughter_base required'],
    ['a fuel tax without its amount', 33, line({ additional_tax: 28 }), 'stated_taxes required'],
    [
      'a stated tax that is computed',
      33,
      { stated_taxes: [{ code: 24, amount: 1 }] },
      'stated_taxes[0].code not_stated',
    ],
    ['a global discount above its base', 33, { discounts: [{ amount: 5001 }] }, 'discounts[0].amount exceeds_base'],
    ['a global discount above 100 %', 33, { discounts: [{ percent: 101 }] }, 'discounts[0].percent range'],
    ['a global discount on a guía', 52, { discounts: [{ percent: 1 }] }, 'discounts[0] not_for_tipo'],
    [
      'a taxed discount in a 34',
      34,
      { discounts: [{ percent: 1, applies_to: 'taxed' }] },
      'discounts[0].applies_to exempt_tipo',
    ],
    [
      'an amount over mixed taxes',
      33,
      { items: [item(), item({ additional_tax: 24 })], discounts: [{ amount: 1 }] },
      'discounts[0].amount percent_only',
    ],
    [
      'more than fifteen digits, which no register holds',
      34,
      { items: [item({ quantity: 1001, unit_price: 999_999_999_999 })] },
      'items amount_too_large',
    ],
    ['a credit above 65 % of the IVA', 33, { construction_credit: 619 }, 'construction_credit exceeds_iva'],
    [
      'a credit of IVA that is withheld',
      61,
      { items: [item({ additional_tax: 15 })], construction_credit: 1 },
      'construction_credit exceeds_iva',
    ],
    ['a credit where there is no IVA', 34, { construction_credit: 1 }, 'construction_credit not_for_tipo'],
  ])('refuse %s', (_what, tipo_dte, changes, expected) => {
    expect(refused(tipo_dte, changes)).toEqual([expected])
  })

  it('refuse a date after today, and only when today is known', () => {
    expect(refused(33, { issue_date: '2026-10-06' }, { today: '2026-10-05' })).toEqual(['issue_date future'])
    expect(refused(33, { issue_date: '2026-10-06' })).toEqual([])
  })

  // Res. Ex. SII 74 of 2020: the SII takes boletas since 2021; HED-3-305: no document from before the resolución.
  it('refuse a boleta from before 2021, and a date before the SII authorised the emisor', () => {
    expect(refused(39, { issue_date: '2019-06-01' })).toEqual(['issue_date too_old'])
    expect(refused(41, { issue_date: '2020-12-31' })).toEqual(['issue_date too_old'])
    expect(refused(39, { issue_date: '2021-01-01' })).toEqual([])
    expect(refused(33, { issue_date: '2019-06-01' })).toEqual([])
    expect(refused(33, { issue_date: '2026-03-01' }, { authorized_on: '2026-03-02' })).toEqual(['issue_date too_old'])
    expect(refused(33, { issue_date: '2026-03-02' }, { authorized_on: '2026-03-02' })).toEqual([])
  })

  // SiiTypes_v10.xsd, TipoTransVENTA: 4 is "solo NCE"; the schema of boletas has no such element.
  it('refuse a sale_type that the tipo does not have', () => {
    expect(refused(33, { sale_type: 4 })).toEqual(['sale_type not_for_tipo'])
    expect(refused(33, { sale_type: 5 })).toEqual(['sale_type range'])
    expect(refused(39, { sale_type: 2 })).toEqual(['sale_type not_for_tipo'])
    expect(refused(39, { purchase_type: 1 })).toEqual(['purchase_type not_for_tipo'])
    expect(refused(33, { sale_type: 2 })).toEqual([])
  })
})

describe('rules of references, notes, guías and boletas', () => {
  const original = { tipo_dte: 33, folio: 1, date: '2026-10-01' }

  it.each<[string, TipoDte, object, string]>([
    [
      'a reference to nothing',
      33,
      { references: [{ folio: 1, date: '2026-10-01' }] },
      'references[0].tipo_dte required',
    ],
    [
      'a reference to two kinds',
      33,
      { references: [{ ...original, document_type: '801' }] },
      'references[0].document_type one_of',
    ],
    [
      'a number outside the table',
      33,
      { references: [{ document_type: '999', folio: 1, date: '2026-10-01' }] },
      'references[0].document_type unknown_code',
    ],
    [
      'a reference without folio',
      33,
      { references: [{ tipo_dte: 52, date: '2026-10-01' }] },
      'references[0].folio required',
    ],
    ['a note about nothing', 61, { references: [] }, 'references required'],
    ['a note that does not say how', 61, { references: [original] }, 'references[0].code required'],
    [
      'a note that annuls two',
      61,
      {
        references: [
          { ...original, code: 1 },
          { ...original, folio: 2, code: 1 },
        ],
      },
      'references[1] single_reference',
    ],
    [
      'a text correction with amounts',
      61,
      { references: [{ ...original, code: 2 }] },
      'items[0].unit_price text_correction',
    ],
    [
      'a debit note about a boleta',
      56,
      { references: [{ ...original, tipo_dte: 39, code: 3 }] },
      'references[0].tipo_dte not_correctable',
    ],
    [
      'a note before its original',
      61,
      { references: [{ ...original, date: '2026-10-06', code: 1 }] },
      'references[0].date date_order',
    ],
    ['a guía without transfer type', 52, { dispatch: undefined }, 'dispatch.transfer_type required'],
    ['an internal transfer to another', 52, { dispatch: { transfer_type: 5 } }, 'receptor.rut internal_transfer'],
    ['a guía line without quantity', 52, line({ quantity: undefined }), 'items[0].quantity required'],
  ])('refuse %s', (_what, tipo_dte, changes, expected) => {
    expect(refused(tipo_dte, changes)).toEqual([expected])
  })

  it('ask a periodic boleta for its period and its receptor', () => {
    expect(refused(39, { service_type: 1 })).toEqual([
      'period.from required',
      'period.to required',
      'receptor.legal_name required',
    ])
  })

  it('ask a boleta above 135 UF who bought and how it was paid', () => {
    const large = line({ quantity: 1, unit_price: 135 * 39_000 + 1 })
    expect(refused(39, large, { uf: 39_000 })).toEqual([
      'receptor.rut large_boleta',
      'receptor.legal_name large_boleta',
      'payment.method large_boleta',
    ])
    const named = { ...large, receptor: { rut: '12345678-5', legal_name: 'Rosa' }, payment: { method: 'cash' } }
    expect(refused(39, named, { uf: 39_000 })).toEqual(['receptor.email large_boleta', 'receptor.phone large_boleta'])
    expect(refused(39, line({ quantity: 1, unit_price: 135 * 39_000 }), { uf: 39_000 })).toEqual([])
  })
})

describe('a complete document', () => {
  it('is refused when its totals are not those of its lines', () => {
    const dte = completeDraft(draft(33), 1)
    expect(checkDte(dte)).toEqual([])
    expect(checkDte(JSON.parse(JSON.stringify(dte)))).toEqual([])
    expect(checkDte({ ...dte, totals: { ...dte.totals, total: 5951 } })).toMatchObject([
      { path: 'totals', rule: 'mismatch' },
    ])
    expect(checkDte({ ...dte, folio: 0 })).toMatchObject([{ path: 'folio', rule: 'range' }])
  })
})
