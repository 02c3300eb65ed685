import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type ExportKind, NotTheExport } from './export-header.ts'
import { parseExport } from './parse-export.ts'
import type { RcvReading } from './row.ts'
import type { PartialError } from './schema.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../../shared/sii/samples/rcv/', import.meta.url))
const SALES: ExportKind = { side: 'sale', estado_contable: null }
const purchases = (estado_contable: ExportKind['estado_contable']): ExportKind => ({
  side: 'purchase',
  estado_contable,
})

async function read(file: Uint8Array | string, kind: ExportKind) {
  const entries: RcvReading[] = []
  const errors: PartialError[] = []
  for (const line of parseExport(typeof file === 'string' ? Buffer.from(file) : file, kind)) {
    if ('entry' in line) entries.push(line.entry)
    else errors.push(line.error)
  }
  return { entries, errors }
}

const SALE_HEADER =
  'Nro;Tipo Doc;Tipo Venta;Rut cliente;Razon Social;Folio;Fecha Docto;Fecha Recepcion;Monto Exento;Monto Neto;Monto IVA;Monto total;Tipo Docto. Referencia;Folio Docto. Referencia;Codigo Otro Imp.;Valor Otro Imp.;Tasa Otro Imp.'
const cells = {
  nro: '1',
  tipo: '33',
  venta: 'Del Giro',
  rut: '12345678-5',
  name: 'Comercial SpA',
  folio: '7',
  date: '04/06/2019',
  received: '',
  exempt: '0',
  net: '1000',
  iva: '190',
  total: '1190',
  ref_tipo: '',
  ref: '',
  tax: '',
  tax_amount: '',
  tax_rate: '',
}
const line = (more: Partial<typeof cells> = {}) => Object.values({ ...cells, ...more }).join(';')
const sales = (...lines: string[]) => [SALE_HEADER, ...lines].join('\n')

describe('a line of an export of the register', () => {
  it('is found by the names of its columns and not by their places', async () => {
    const turned = (text: string) => text.split(';').reverse().join(';')
    const straight = await read(sales(line()), SALES)
    const reversed = await read([turned(SALE_HEADER), turned(line())].join('\n'), SALES)
    expect(straight.entries).toHaveLength(1)
    expect(reversed.entries).toEqual(straight.entries)
  })

  it('reads the same in ISO-8859-1, in UTF-8, with a BOM and with Windows line ends', async () => {
    const text = sales(line({ name: 'Ñandú y Cía. Peñalolén' }))
    const forms = [Buffer.from(text), Buffer.from(text, 'latin1'), `\uFEFF${text}`, text.replaceAll('\n', '\r\n')]
    for (const form of forms) {
      const { entries } = await read(form, SALES)
      expect(entries.map(({ counterparty_name }) => counterparty_name)).toEqual(['Ñandú y Cía. Peñalolén'])
    }
  })

  it('may end with one separator too many, but holds nothing beyond the last column', async () => {
    const { entries, errors } = await read(sales(`${line()};`, `${line()};;;;;;`, `${line()};9`), SALES)
    expect(entries).toHaveLength(2)
    expect(errors).toMatchObject([{ ...SALES, line: 4, column: null, message: 'it has more than 17 columns' }])
  })

  it('tells the IVA of a nota that came too late, and that a nota is about a factura de compra', async () => {
    const header = `${SALE_HEADER};IVA fuera de plazo;NCE o NDE sobre Fact. de Compra`
    const nota = (late: string, about: string, more = {}) => `${line({ tipo: '61', ...more })};${late};${about}`
    const lines = [nota('190', '0'), nota('', '1'), nota('0', '1', { ref_tipo: '33' }), nota('', '', { tax: '15' })]
    const { entries } = await read([header, ...lines, `${line()};0;1`].join('\n'), SALES)
    // A reference that is written counts before the mark; a factura is about no other, whatever its mark.
    expect(entries.map(({ iva_late, reference_tipo_doc }) => [iva_late, reference_tipo_doc])).toEqual([
      [190, null],
      [0, 46],
      [0, 33],
      [0, 46],
      [0, null],
    ])
  })

  it('goes on with the other taxes of the document above it', async () => {
    const first = line({ tax: '24', tax_amount: '6049210', tax_rate: '31.5' })
    const more = line({
      nro: '',
      total: '',
      net: '',
      iva: '',
      exempt: '',
      tax: '271',
      tax_amount: '701395',
      tax_rate: '18',
    })
    const { entries, errors } = await read(sales(first, more, line({ nro: '2', folio: '8' })), SALES)
    expect(errors).toEqual([])
    expect(entries.map(({ folio, other_taxes }) => [folio, other_taxes])).toEqual([
      [
        7,
        [
          { code: 24, rate: 31.5, amount: 6049210 },
          { code: 271, rate: 18, amount: 701395 },
        ],
      ],
      [8, []],
    ])
  })

  it('is told when it goes on with another document than the one above it', async () => {
    const more = line({ nro: '', total: '', folio: '99', tax: '271', tax_amount: '1' })
    const { entries, errors } = await read(sales(line(), more), SALES)
    expect(entries[0]?.other_taxes).toEqual([])
    expect(errors).toMatchObject([{ line: 3, column: 'Codigo Otro Imp.' }])
  })

  it('keeps quotes within a name and takes them off around a cell', async () => {
    const { entries } = await read(sales(line({ name: 'Bazar "El Sol' }), line({ folio: '"8"', nro: '2' })), SALES)
    expect(entries.map(({ counterparty_name, folio }) => [counterparty_name, folio])).toEqual([
      ['Bazar "El Sol', 7],
      ['Comercial SpA', 8],
    ])
  })

  it('loses control characters, NUL among them, which no database keeps', async () => {
    const lines = [line({ name: 'Uno\u0007Dos' }), ...Array(200).fill(line()), line({ name: 'Tres\u0000' })]
    const { entries } = await read(sales(...lines), SALES)
    expect([entries[0], entries.at(-1)].map((one) => one?.counterparty_name)).toEqual(['Uno Dos', 'Tres'])
  })

  it('reads times as Santiago, in summer and in winter', async () => {
    const lines = ['01/01/2026 12:00:00', '01/07/2026 12:00:00', ''].map((received) => line({ received }))
    const { entries } = await read(sales(...lines), SALES)
    expect(entries.map(({ received_at }) => received_at?.toISOString())).toEqual([
      '2026-01-01T15:00:00.000Z',
      '2026-07-01T16:00:00.000Z',
      undefined,
    ])
  })

  // The rate of tax 271 (azucaradas, 18 %) or of a wine (20,5 %) is written as the register stores it.
  it.each([
    ['18', 18],
    ['20,5', 20.5],
    ['20.50', 20.5],
    ['31.500000', 31.5],
    ['0,123456789', 0.123456789],
    ['.5', 0.5],
    ['10.', 10],
    ['', null],
  ])('takes the rate %s of a tax, of any number of decimals', async (tax_rate, rate) => {
    const { entries, errors } = await read(sales(line({ tax: '24', tax_amount: '180', tax_rate })), SALES)
    expect([entries[0]?.other_taxes, errors]).toEqual([[{ code: 24, rate, amount: 180 }], []])
  })

  const UNREADABLE: [string, Partial<typeof cells>, string][] = [
    ['a formula', { net: '=SUM(A1:A9)' }, 'Monto Neto'],
    ['a fraction of a peso', { iva: '190.5' }, 'Monto IVA'],
    ['dots between thousands', { net: '1.000' }, 'Monto Neto'],
    ['31 February', { date: '31/02/2026' }, 'Fecha Docto'],
    ['a date the other way round', { date: '2026-02-01' }, 'Fecha Docto'],
    ['a 25th hour', { received: '01/02/2026 25:00:00' }, 'Fecha Recepcion'],
    ['a RUT with another check digit', { rut: '12345678-9' }, 'Rut cliente'],
    ['no tipo', { tipo: '""' }, 'Tipo Doc'],
    ['a folio of letters', { folio: '12e5' }, 'Folio'],
    ['no total', { total: '' }, 'Monto total'],
    ['a tipo of sale that nobody has', { venta: 'Del Otro' }, 'Tipo Venta'],
    ['a rate of text', { tax: '24', tax_rate: 'alta' }, 'Tasa Otro Imp.'],
  ]
  for (const [what, wrong, column] of UNREADABLE) {
    it(`with ${what} is told with its line and column, and the rest goes on`, async () => {
      const { entries, errors } = await read(sales(line(), line(wrong), line({ folio: '9' })), SALES)
      expect(errors).toMatchObject([{ side: 'sale', line: 3, column, text: line(wrong), blocks_filing: true }])
      expect(entries.map(({ folio }) => folio)).toEqual([7, 9])
    })
  }

  it('that was cut short is told, and not taken for what it began as', async () => {
    const whole = sales(line(), line({ folio: '8' }))
    const { entries, errors } = await read(whole.slice(0, -20), SALES)
    expect(entries.map(({ folio }) => folio)).toEqual([7])
    expect(errors[0]).toMatchObject({ line: 3, column: null })
  })

  it('of a hundred thousand columns is told, and the rest goes on', async () => {
    const { entries, errors } = await read(sales(line(), '1;'.repeat(100_000), line({ folio: '9' })), SALES)
    expect(errors).toMatchObject([{ line: 3, message: 'it has more than 17 columns' }])
    expect(entries.map(({ folio }) => folio)).toEqual([7, 9])
  })

  it('keeps what a name holds that a spreadsheet would run', async () => {
    const { entries } = await read(sales(line({ name: '=HYPERLINK("http://x")' })), SALES)
    expect(entries[0]?.counterparty_name).toBe('=HYPERLINK("http://x")')
  })
})

describe('what is not the export', () => {
  const FOREIGN: [string, Uint8Array | string, ExportKind][] = [
    ['nothing at all', '', SALES],
    ['a page', '<html><body>Su sesión ha expirado</body></html>', SALES],
    ['another table', 'a;b;c\n1;2;3', SALES],
    ['the export of sales in the place of purchases', sales(line()), purchases('REGISTRO')],
    ['text in UTF-16', Buffer.from(sales(line()), 'utf16le'), SALES],
    ['a spreadsheet', Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0]), SALES],
    ['a header of ten thousand columns', `${SALE_HEADER}${';x'.repeat(10_000)}`, SALES],
    ['a line that never ends', `${SALE_HEADER}\n${line({ name: 'x'.repeat(600_000) })}`, SALES],
  ]
  for (const [what, file, kind] of FOREIGN) {
    it(`${what} is refused as a whole`, async () => {
      await expect(read(file, kind)).rejects.toThrow(NotTheExport)
    })
  }
})

describe('a long export', () => {
  it('streams: what was read is given before the rest is looked at', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => line({ folio: String(i + 1) }))
    const lines = parseExport(Buffer.from(sales(...rows)), SALES)
    const first = lines.next()
    expect(first.value).toMatchObject({ entry: { folio: 1 } })
    lines.return(undefined)
  })
})

const present = existsSync(SAMPLES)
if (!present) console.warn(`skipped: the exports of the SII are not at ${SAMPLES}`)

describe.skipIf(!present)('the exports of the SII', () => {
  const KINDS: [RegExp, ExportKind][] = [
    [/no_incluir/, purchases('NO_INCLUIR')],
    [/pendiente/, purchases('PENDIENTE')],
    [/reclamado/, purchases('RECLAMADO')],
    [/registro/, purchases('REGISTRO')],
    [/venta/, SALES],
  ]
  const sample = (name: RegExp) => {
    const file = readdirSync(SAMPLES).find((one) => name.test(one)) as string
    return readFileSync(SAMPLES + file)
  }

  it('of each kind are read with their names trimmed, and refused as any other kind', async () => {
    for (const [name, kind] of KINDS) {
      const file = sample(name.source === 'venta' ? /venta-rz/ : name)
      const { entries, errors } = await read(file, kind)
      expect(errors).toEqual([])
      expect(entries.map(({ counterparty_name }) => counterparty_name)).toEqual([
        'Fake Company S.A.',
        'Fake Company S.A.',
      ])
      for (const [, other] of KINDS) if (other !== kind) await expect(read(file, other)).rejects.toThrow(NotTheExport)
    }
  })

  it('give the amounts, the times and the tipo of a purchase that is left out', async () => {
    const { entries } = await read(sample(/no_incluir/), purchases('NO_INCLUIR'))
    expect(entries[0]).toMatchObject({
      tipo_doc: 33,
      folio: 19000035,
      counterparty_rut: '12345678-5',
      issue_date: '2019-12-13',
      received_at: new Date('2019-12-14T18:56:27Z'),
      net: 87699,
      iva: 0,
      iva_not_recoverable: 16663,
      iva_not_recoverable_code: 9,
      total: 104362,
      tipo_compra: 7,
    })
  })

  it('read a claim that says null as none', async () => {
    const { entries } = await read(sample(/reclamado/), purchases('RECLAMADO'))
    expect(entries.map(({ claimed_at }) => claimed_at)).toEqual([new Date('2019-06-12T13:47:23Z'), null])
  })

  it('tell of the line without its tipo and read the other two', async () => {
    const { entries, errors } = await read(sample(/missing-required/), SALES)
    expect(errors).toMatchObject([{ line: 2, column: 'Tipo Doc' }])
    expect(entries.map(({ tipo_doc, folio, total }) => [tipo_doc, folio, total])).toEqual([
      [33, 508, 2629420],
      [30, 88, 18939225],
    ])
  })

  it('are all read here, each by its kind', () => {
    const read = KINDS.flatMap(([name]) => readdirSync(SAMPLES).filter((file) => name.test(file)))
    expect(read.sort()).toEqual(readdirSync(SAMPLES).sort())
  })

  it('split references that are joined by dashes and add up the taxes of two lines', async () => {
    const { entries, errors } = await read(sample(/multiple-dte/), SALES)
    expect(errors).toEqual([])
    expect(entries.map(({ reference_tipo_doc, reference_folios }) => [reference_tipo_doc, reference_folios])).toEqual([
      [null, []],
      [52, ['10370', '10371']],
      [33, ['200', '300', '400']],
    ])
    expect(entries[2]?.other_taxes.map(({ code }) => code)).toEqual([24, 271])
    expect(entries[2]?.other_columns).toMatchObject({ 'Codigo Sucursal': '12354' })
  })
})
