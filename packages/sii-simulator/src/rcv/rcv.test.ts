import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ClaimEvent } from '../claims/rules.ts'
import { proposeF29 } from '../f29/proposal.ts'
import type { DteFacts } from '../register/facts.ts'
import { PURCHASE_COLUMNS, purchaseLines, SALE_COLUMNS, saleLines } from './csv.ts'
import { BOOK_STATES, type Entry, purchaseEntry, type RegisteredDocument, saleEntry } from './entries.ts'
import { detailRows, summaryRows } from './json.ts'

const SAMPLES = new URL('../../../../../shared/sii/samples/', import.meta.url)
const sample = (path: string) => readFileSync(new URL(path, SAMPLES), 'utf8')
const DAY = 86_400_000
const RECEIVED = Date.parse('2026-06-24T13:55:53Z')

const facts: DteFacts = {
  tipo: 33,
  folio: 23084,
  issued_on: '2026-06-21',
  emisor: '12345678-5',
  emisor_name: 'PROVEEDOR SINTETICO S.A.',
  receptor: '76543210-3',
  receptor_name: 'COMPRADOR SPA',
  payment: 2,
  sale_kind: 1,
  purchase_kind: 1,
  net: 240169,
  exempt: 0,
  iva: 45632,
  total: 285801,
  iva_withheld: 0,
  taxes: [],
  references: [],
}
const bought = (change: Partial<DteFacts> = {}, events: ClaimEvent[] = [], purchase_kind: number | null = null) =>
  ({ facts: { ...facts, ...change }, received_at: RECEIVED, events, purchase_kind }) satisfies RegisteredDocument
const periodOf = (instant: number) => new Date(instant).toISOString().slice(0, 7).replace('-', '')
const write = () => '24/06/2026 09:55:53'
const entryAt = (days: number, ...args: Parameters<typeof bought>) =>
  purchaseEntry(bought(...args), RECEIVED + days * DAY, periodOf)
const act = (code: ClaimEvent['code'], days: number): ClaimEvent => ({ code, rut: '1-9', at: RECEIVED + days * DAY })

describe('an entry of the purchases', () => {
  it('waits for the buyer while a factura on credit is within its eight days, and then enters in the month of the lapse', () => {
    expect(entryAt(1)).toMatchObject({ state: 'PENDIENTE', period: '202606' })
    expect(entryAt(9)).toMatchObject({ state: 'REGISTRO', period: '202607' })
  })

  it('enters in the month in which the buyer acknowledged it', () => {
    expect(entryAt(2, {}, [act('ERM', 1)])).toMatchObject({ state: 'REGISTRO', period: '202606' })
  })

  it.each([[{ payment: 1 }], [{ tipo: 34 }], [{ tipo: 61 }], [{ tipo: 56 }]])('does not wait where %j', (change) => {
    expect(entryAt(0, change)).toMatchObject({ state: 'REGISTRO', period: '202606' })
  })

  it('is claimed for good once claimed', () => {
    expect(entryAt(30, {}, [act('RFT', 3)])).toMatchObject({ state: 'RECLAMADO' })
  })

  it('is left out by purchase type 7 and comes back by another', () => {
    expect(entryAt(9, {}, [], 7)?.state).toBe('NO_INCLUIR')
    expect(entryAt(9, {}, [], 4)).toMatchObject({ state: 'REGISTRO', kind: 4 })
  })

  it('is none where the document is a guía or a boleta', () => {
    expect(entryAt(0, { tipo: 52 })).toBeNull()
    expect(entryAt(0, { tipo: 39 })).toBeNull()
  })
})

describe('an entry of the sales', () => {
  it('stands in the month of its date, whenever the SII received it', () => {
    expect(saleEntry(bought({ issued_on: '2026-05-31' }))).toMatchObject({ state: null, period: '202605' })
  })

  it('is none for a factura de compra, which is a purchase of whoever issued it', () => {
    expect(saleEntry(bought({ tipo: 46 }))).toBeNull()
  })
})

describe.skipIf(!existsSync(SAMPLES))('beside the samples of ../shared (skipped where they are missing)', () => {
  it.each(BOOK_STATES)('writes the columns of %s', (state) => {
    const [header] = sample(`rcv/RCV-compra-${state.toLowerCase()}-rz_leading_trailing_whitespace.csv`).split(/\r?\n/)
    expect(PURCHASE_COLUMNS[state].join(';')).toBe(header)
  })

  it('writes the columns of the sales', () => {
    const [header] = sample('rcv/RCV-venta-rz_leading_trailing_whitespace.csv').split(/\r?\n/)
    expect(SALE_COLUMNS.join(';')).toBe(header)
  })

  it('writes the very line of the sample for the same purchase', () => {
    const { data } = JSON.parse(sample('responses/rcv-getDetalleCompraExport.json')) as { data: string[] }
    expect(purchaseLines([entryAt(9) as Entry], 'REGISTRO', write)).toEqual(data)
  })

  it('writes the very row of the sample for the same purchase', () => {
    const { data } = JSON.parse(sample('responses/rcv-getDetalleCompra.json')) as { data: object[] }
    const row = detailRows([entryAt(1) as Entry], write)[0]
    expect(row).toEqual({ ...data[0], dhdrCodigo: 900_001 })
  })

  it('sums a month with the fields of the sample', () => {
    const { data } = JSON.parse(sample('responses/rcv-getResumen-compra.json')) as { data: object[] }
    const rows = summaryRows([entryAt(9) as Entry, entryAt(9, { net: 87699, iva: 16663, total: 104362 }) as Entry])
    expect(rows).toEqual([data[0]])
  })

  it('writes a sale with as many fields as the sample', () => {
    const line = sample('rcv/RCV-venta-rz_leading_trailing_whitespace.csv').split(/\r?\n/)[1] ?? ''
    const own = saleLines([saleEntry(bought()) as Entry], write)[1] ?? ''
    const shape = (text: string) => text.split(';').map((field, index) => (index < 14 ? 'x' : field))
    expect(shape(own)).toEqual(shape(line))
  })
})

describe('an export', () => {
  it('gives each further tax of a document a row in which only its identity and the tax are told', () => {
    const taxes = [
      { code: 24, rate: '31.5', amount: 100 },
      { code: 271, rate: '18', amount: 50 },
    ]
    const [, first, second] = saleLines([saleEntry(bought({ taxes })) as Entry], write)
    expect(first?.endsWith(';24;100;31.5;')).toBe(true)
    expect(second?.startsWith(';33;Del Giro;76543210-3;COMPRADOR SPA;23084;21/06/2026;;')).toBe(true)
    expect(second?.endsWith(';271;50;18;')).toBe(true)
    expect(second?.split(';')).toHaveLength(SALE_COLUMNS.length + 1)
  })
})

describe('a proposal of the F29', () => {
  it('follows from the registers of the month', () => {
    const sale = (change: Partial<DteFacts>) => saleEntry(bought(change)) as Entry
    const codes = proposeF29({
      sales: [sale({ net: 1000, iva: 190, total: 1190 }), sale({ tipo: 61, net: 100, iva: 19, total: 119 })],
      purchases: [entryAt(9, { net: 200, iva: 38, total: 238 }) as Entry],
      carried: 50,
      ppm_rate: '0.125',
    })
    expect(codes).toMatchObject({ 502: '190', 503: '1', 509: '1', 510: '19', 538: '171', 520: '38', 537: '88' })
    expect(codes).toMatchObject({ 89: '83', 77: '0', 563: '900', 115: '0.125', 62: '1', 91: '84' })
  })
})
