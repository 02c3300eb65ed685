import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, plainCartola, xlsxOf } from '../../../../test/support/cartola-file.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { zipOf } from '../../../../test/support/zip-file.ts'
import { STATEMENTS } from '../../../catalog/limits.ts'
import { inspectFile } from './parse/inspect.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const OPTIONS = { filename: undefined, bank_account: undefined, positive_is: undefined, today: '2026-11-16' }
const HEADER = ['Fecha', 'Descripción', 'Cargos', 'Abonos']

/** Sent to both doors: what cannot be imported cannot be previewed either. */
async function refused(file: Buffer): Promise<{ param: string; message: string }> {
  const body = { file: file.toString('base64') }
  const sent = await issuer.post('/v1/tax/statements', body)
  const shown = await issuer.post('/v1/tax/statements/previews', body)
  expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_field'])
  expect(shown.body.error.message).toBe(sent.body.error.message)
  return sent.body.error
}

/** The same for a file that takes long to read: sent to the door that only shows. */
async function notShown(file: Buffer): Promise<{ param: string; message: string }> {
  const shown = await issuer.post('/v1/tax/statements/previews', { file: file.toString('base64') })
  expect([shown.status, shown.body.error.code]).toEqual([400, 'invalid_field'])
  return shown.body.error
}

describe('400 invalid_field names the row and the column, and quotes the cell', () => {
  it.each([
    ['31/02/2026;LUZ;1.000;', 'fecha', '"31/02/2026" is no day of the calendar.'],
    ['11/25/2026;LUZ;1.000;', 'fecha', '"11/25/2026" is read as day, month and year, and there is no month 25.'],
    ['mañana;LUZ;1.000;', 'fecha', '"mañana" is not a date.'],
    [';LUZ;1.000;', 'fecha', 'the cell is empty, and the row has an amount.'],
    ['03/11/2026;LUZ;mil;', 'cargos', '"mil" is not an amount.'],
    ['03/11/2026;LUZ;;=SUMA(D1:D9)', 'abonos', '"=SUMA(D1:D9)" is a formula, and formulas are not calculated.'],
    ['03/11/2026;LUZ;12,5;', 'cargos', '"12,5" has decimals, and pesos have none.'],
    ['03/11/2026;LUZ;1;2', 'abonos', '"2" stands beside a charge; a movement is one of the two.'],
  ])('of %s', async (row, column, message) => {
    const error = await refused(plainCartola('02/11/2026;BUENA;1;', row, '04/11/2026;OTRA;1;'))
    expect(error.param).toBe(`file.rows[3].${column}`)
    expect(error.message).toBe(`file.rows[3].${column}: ${message}`)
  })

  it('of a formula in a cell of a spreadsheet, whatever it last came to', async () => {
    const rows = [HEADER, ['03/11/2026', 'LUZ', { f: 'B1*2', v: 1000 }, null]]
    const error = await refused(xlsxOf([{ name: 'A', rows }]))
    expect(error.param).toBe('file.rows[2].cargos')
    expect(error.message).toContain('"=B1*2" is a formula')
  })

  it.each([99_999_999, 1e9, 1e15, 1e308, -1e9, 0.5])('of the number %s where a date stands', async (serial) => {
    const error = await refused(xlsxOf([{ name: 'A', rows: [HEADER, [serial, 'LUZ', 1000, null]] }]))
    expect(error.param).toBe('file.rows[2].fecha')
    expect(error.message).toContain('is not a date')
  })

  it('of a word that is neither charge nor deposit', async () => {
    const rows = ['03/11/2026;A;C;1', '03/11/2026;A;A;1', '03/11/2026;A;Z;1']
    const error = await refused(csvOf('Fecha;Detalle;Cargo/Abono;Monto', ...rows))
    expect(error.message).toBe('file.rows[4].cargo_abono: "Z" says neither charge (cargo) nor deposit (abono).')
  })

  it('of a currency that is not known', async () => {
    const error = await refused(csvOf('Fecha;Detalle;Moneda;Monto', '03/11/2026;A;CLP;1', '03/11/2026;A;BTC;1'))
    expect(error.param).toBe('file.rows[3].moneda')
  })

  it('of two columns of the same name that differ', async () => {
    const error = await refused(
      csvOf('Fecha;Detalle;Monto;Fecha', '03/11/2026;A;1;03/11/2026', '03/11/2026;A;1;04/11/2026'),
    )
    expect(error.param).toBe('file.rows[3].fecha')
    expect(error.message).toContain('columns 1 ("Fecha") and 4 ("Fecha"); keep one of them')
  })

  it('far down a long file too', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `03/11/2026;PAGO ${i};${i + 1};`)
    rows[2_500] = '30/02/2026;PAGO;1;'
    expect((await notShown(plainCartola(...rows))).param).toBe('file.rows[2502].fecha')
  })
})

describe('400 invalid_field for a file that is no cartola', () => {
  const fecha = 'Fecha;Descripción;Cargos;Abonos'
  it.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'neither a spreadsheet (.xlsx) nor text (.csv)'],
    ['noise', Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7_919) % 256)), 'neither a spreadsheet'],
    ['a PDF', Buffer.from('%PDF-1.7 cartola'), 'it is a PDF'],
    ['a damaged .xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'save it as .xlsx'],
    ['a web page that is called .xls', Buffer.from('<html><table><tr><td>Fecha'), 'it is a web page'],
    ['text without a header', csvOf('hola;que;tal', '1;2;3'), 'no row among the first 30 names its columns'],
    ['a header below row 30', csvOf(...Array.from({ length: 30 }, () => 'nota'), fecha), 'no row among the first 30'],
    ['a header alone', csvOf(fecha), 'no movement stands below the header in row 1'],
    ['no description', csvOf('Fecha;Monto', '03/11/2026;1'), 'row 1 names "Fecha", "Monto" and no description'],
    ['charges alone', csvOf('Fecha;Detalle;Cargos', '03/11/2026;A;1'), 'names no column of abonos'],
    ['a quote that never closes', csvOf(fecha, `03/11/2026;"LUZ;1;${'x'.repeat(70_000)}`), 'a quote that opens there'],
    [
      'a second table',
      csvOf(fecha, '03/11/2026;A;1;', 'Fecha;Glosa;Monto', '03/11/2026;A;1'),
      'row 3 names other columns',
    ],
  ])('%s', async (_what, file, reason) => {
    const error = await refused(file)
    expect(error.param).toBe('file')
    expect(error.message).toContain(reason)
  })

  it('amounts without a sign whose balance goes up and down', async () => {
    const rows = ['03/11/2026;A;100;1100', '04/11/2026;B;50;1050', '05/11/2026;C;200;1250', '06/11/2026;D;250;1000']
    const error = await refused(csvOf('Fecha;Detalle;Monto;Saldo', ...rows))
    expect(error.message).toContain('carry no sign')
  })

  it('more rows than a cartola may have, and says how many that is', async () => {
    // Of the 250,000 that it may have only the number is told: reading as many takes seconds.
    expect(STATEMENTS.rows).toBe(250_000)
    const rows = (many: number) => Buffer.from(`Fecha;Detalle;Monto\n${'1/1/26;a;1\n'.repeat(many)}`)
    const inspect = (many: number) => inspectFile(rows(many), OPTIONS, 3_000)
    await expect(inspect(3_001)).rejects.toThrow('file: it holds more than 3000 rows; send it in parts.')
    expect((await inspect(3_000)).rows).toBe(3_000)
  })

  it('413 payload_too_large for a body of more than 10 MiB', async () => {
    const sent = await issuer.post('/v1/tax/statements', { file: 'A'.repeat(10 * 1024 * 1024) })
    expect([sent.status, sent.body.error.code]).toEqual([413, 'payload_too_large'])
  })

  it('base64 that is none', async () => {
    const sent = await issuer.post('/v1/tax/statements', { file: 'no es base64!' })
    expect([sent.status, sent.body.error.param]).toEqual([400, 'file'])
  })
})

describe('400 invalid_field for a spreadsheet that is meant to harm', () => {
  const rows = [HEADER, ['03/11/2026', 'LUZ', 1000, null]]
  const good = [{ name: 'A', rows }]

  it('unpacks to far more than a cartola', async () => {
    const bytes = Buffer.alloc(64 * 1024 * 1024, '<row></row>')
    const bomb = xlsxOf(good, [{ name: 'xl/worksheets/sheet1.xml', bytes }])
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect((await notShown(bomb)).message).toContain('unpacks to far more')
  })

  it('claims to be small and is not', async () => {
    const bytes = Buffer.alloc(4 * 1024 * 1024, '<row></row>')
    const liar = xlsxOf(good, [{ name: 'xl/worksheets/sheet1.xml', bytes, claimed_size: 1_000 }])
    expect((await notShown(liar)).message).toContain('damaged, encrypted, or lies')
  })

  it('declares entities', async () => {
    const xml = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData/></worksheet>'
    const file = xlsxOf(good, [{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(xml) }])
    expect((await refused(file)).message).toContain('declares a document type')
  })

  it('puts a cell in a column far away', async () => {
    const xml = '<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>'
    const file = xlsxOf(good, [{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(xml) }])
    expect((await refused(file)).message).toContain('more than 100 columns')
  })

  it('is a CSV with a row of separators, in whichever of its lines, long or very long', async () => {
    const lines = (row: string) => Buffer.from(`Fecha;Cargo;Abono;Saldo\n01/10/2026;1;;2\n${row}\n`)
    expect((await refused(lines(';'.repeat(150)))).message).toContain('row 3 has more than 100 columns')
    expect((await notShown(lines(';'.repeat(1_000_000)))).message).toContain('a row that never ends')
  })

  it('holds a cell that never ends', async () => {
    const xml = `<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>${'x'.repeat(600_000)}</t></is></c></row>`
    const file = xlsxOf(good, [{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(xml) }])
    expect((await refused(file)).message).toContain('never ends')
  })

  const HEADER_XML = `<row>${HEADER.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`
  const ROW_XML = '<row><c><v>46331</v></c><c t="s"><v>0</v></c><c><v>1000</v></c></row>'
  const sheetOf = (rows: string, text: string, note = '') => {
    const sheet = `<worksheet><!--${note}--><sheetData>${HEADER_XML}${rows}</sheetData></worksheet>`
    return xlsxOf(good, [
      { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(sheet) },
      { name: 'xl/sharedStrings.xml', bytes: Buffer.from(`<sst><si><t>${text}</t></si></sst>`) },
    ])
  }

  it('names one long text in every row', async () => {
    expect((await notShown(sheetOf(ROW_XML, 'x'.repeat(100_000)))).message).toContain(
      'the cell in row 2, column 2 holds more than 32767 characters',
    )
    const file = sheetOf(ROW_XML.repeat(4_000), 'x'.repeat(30_000))
    expect(file.length).toBeLessThan(100_000)
    expect((await notShown(file)).message).toContain('holds more text than a cartola does')
  })

  it('has more rows than a sheet does, nearly all of them blank', async () => {
    // With some noise that does not pack well, or it would be refused for how tightly it is packed.
    const noise = Array.from({ length: 40_000 }, (_, i) => ((i * 2_654_435_761) % 4_294_967_296).toString(36)).join('')
    const file = sheetOf(ROW_XML + '<row/>'.repeat(1_048_576), 'LUZ', noise.slice(0, 200_000))
    expect((await notShown(file)).message).toContain('more than 1048576 rows')
  })

  it('is a zip of something else, or broken', async () => {
    const zip = zipOf([{ name: 'a.txt', bytes: Buffer.from('hola') }])
    expect((await refused(zip)).message).toContain('it is a zip, and not a spreadsheet')
    expect((await refused(xlsxOf(good).subarray(0, 300))).message).toContain('damaged')
  })
})

describe('a spreadsheet with several tabs', () => {
  it('is read from the first visible one that holds movements', async () => {
    const rows = [HEADER, ['03/11/2026', 'LUZ', 1000, null]]
    const tabs = [
      { name: 'Oculta', rows, hidden: true },
      { name: 'Portada', rows: [['Bienvenido']] },
      { name: 'Movimientos', rows },
    ]
    const sent = await issuer.post('/v1/tax/statements/previews', { file: xlsxOf(tabs).toString('base64') })
    expect(sent.body.understood.sheet).toBe('Movimientos')
  })
})

describe('what leaves a trace', () => {
  it('is nothing: no statement, no movement, no job of all the refusals above', async () => {
    const [row] = await world.db.sql<{ rows: number }>`
      select (select count(*) from statement) + (select count(*) from statement_file) + (select count(*) from movement)
        + (select count(*) from job where name = 'statement.import') as rows`
    expect(row?.rows).toBe(0)
  })
})
