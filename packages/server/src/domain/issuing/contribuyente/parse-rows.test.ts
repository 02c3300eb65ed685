import { describe, expect, it } from 'vitest'
import { ACTIVITIES_HEADER, ADDRESSES_HEADER, columns, NAMES_HEADER } from '../../../../test/support/nomina-file.ts'
import type { ColumnKind, Layout } from './layout.ts'
import { RowParser } from './parse-rows.ts'

/** What COPY would be given for a file, read in chunks of a size. */
function read(file: Buffer | string, chunk = 64 * 1024) {
  const bytes = Buffer.from(file)
  const reader = new RowParser('prueba.txt')
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) out.push(reader.push(bytes.subarray(at, at + chunk)))
  out.push(reader.end())
  return { reader, rows: rowsIn(Buffer.concat(out), reader.layout as Layout) }
}

/** Rows of COPY's binary format as text, tab separated: what PostgreSQL would store. */
function rowsIn(copy: Buffer, layout: Layout): string[] {
  const kinds = layout.columns.flatMap(({ kind }) => (kind === 'dv' || kind === 'ignored' ? [] : kind))
  const rows: string[] = []
  let at = 0
  while (at < copy.length) {
    expect(copy.readInt16BE(at)).toBe(kinds.length)
    at += 2
    const values = kinds.map((kind) => {
      const size = copy.readInt32BE(at)
      const value = copy.subarray(at + 4, at + 4 + Math.max(size, 0))
      at += 4 + value.length
      return size === -1 ? 'null' : shown(kind, value)
    })
    rows.push(values.join('\t'))
  }
  return rows
}

function shown(kind: ColumnKind, value: Buffer): string {
  if (kind === 'rut' || kind === 'whole_rut') return String(value.readInt32BE())
  if (kind === 'flag') return String(value.readUInt8() === 1)
  if (kind === 'text' || kind === 'needed_text') return value.toString()
  return new Date(Date.UTC(2000, 0, 1 + value.readInt32BE())).toISOString().slice(0, 10)
}

const names = (...rows: string[]) => [NAMES_HEADER, ...rows].join('\n')

describe('reading a file of names', () => {
  it('stores the RUT without its check digit, dates in one form and nothing as null', () => {
    const { rows } = read(names('76543210\t3\t125\tEMPRESA SINTETICA SPA\t01-03-2015\t', ''))
    expect(rows).toEqual(['76543210\t125\tEMPRESA SINTETICA SPA\t2015-03-01\tnull'])
  })

  it('reads every way the files write a date', () => {
    const ways = ['01-03-2015', '2015-03-01', '01/03/2015', '20150301', '2015-03-01 00:00:00', '29-02-2016']
    const { rows } = read(names(...ways.map((way) => `76543210\t3\t\tX\t${way}\t`)))
    expect(rows.map((row) => row.split('\t')[3])).toEqual([...Array(5).fill('2015-03-01'), '2016-02-29'])
  })

  it('counts the days of every date as the calendar does', () => {
    const dates = ['1800-01-01', '1900-02-28', '1900-03-01', '1999-12-31', '2000-02-29', '2000-03-01', '2100-12-31']
    const { rows } = read(names(...dates.map((date) => `76543210\t3\t\tX\t${date}\t`)))
    expect(rows.map((row) => row.split('\t')[3])).toEqual(dates)
  })

  it('gives the same rows however the file is cut into chunks', () => {
    const file = names('76543210\t3\t125\tÑANDÚ Y CÍA\t01-03-2015\t', '77123456\t9\t118\tDOS\t15-07-2001\t31-12-2022')
    const whole = read(file).rows
    expect(whole).toHaveLength(2)
    for (const size of [1, 2, 3, 7, 64]) expect(read(file, size).rows).toEqual(whole)
  })

  it('takes CRLF, a byte order mark, blank lines, blanks around values and a last line without end', () => {
    const row = ' 76543210 \t 3 \t 125 \t  EMPRESA  SPA \t01-03-2015\t'
    const { rows, reader } = read(`\ufeff${NAMES_HEADER}\r\n\r\n${row}\r\n${row}`)
    expect(rows).toEqual(Array(2).fill('76543210\t125\tEMPRESA  SPA\t2015-03-01\tnull'))
    expect(reader.refused).toBe(0)
  })

  it('takes ISO-8859-1 and UTF-8, also mixed in one file', () => {
    const utf8 = Buffer.from('76543210\t3\t125\tCAFÉ ÑUÑOA\t01-03-2015\t\n')
    const latin1 = Buffer.from('76543210\t3\t125\tCAFÉ ÑUÑOA\t01-03-2015\t\n', 'latin1')
    expect(latin1.length).toBeLessThan(utf8.length)
    const { rows } = read(Buffer.concat([Buffer.from(`${NAMES_HEADER}\n`), latin1, utf8, latin1]))
    expect(rows).toEqual(Array(3).fill('76543210\t125\tCAFÉ ÑUÑOA\t2015-03-01\tnull'))
  })

  it('keeps a backslash, and blanks what PostgreSQL cannot hold', () => {
    const { rows } = read(names('76543210\t3\t125\tA\\.B\\N\u0000C\u0007D\t\t'))
    expect(rows).toEqual(['76543210\t125\tA\\.B\\N C D\tnull\tnull'])
  })

  it('takes K in either case, dots and leading zeros', () => {
    const { rows } = read(names('60803000\tK\t\tSII\t\t', '60.803.000\tk\t\tSII\t\t', '0060803000\tK\t\tSII\t\t'))
    expect(rows.map((row) => row.split('\t')[0])).toEqual(Array(3).fill('60803000'))
  })

  it('leaves wrong rows out, counts them all and tells the lines of the first twenty', () => {
    const good = '76543210\t3\t125\tBIEN\t01-03-2015\t'
    const bad = [
      '76543210\t4\t125\tX\t\t',
      '76543210\t\t125\tX\t\t',
      '76543210\t33\t125\tX\t\t',
      'ABC\t3\t125\tX\t\t',
      '\t3\t125\tX\t\t',
      '0\t0\t125\tX\t\t',
      '176543210\t3\t125\tX\t\t',
      '76543210\t3\t125\t \t\t',
      '76543210\t3\t125\tX\t31-02-2015\t',
      '76543210\t3\t125\tX\t\tsoon',
      '76543210\t3\t125\tX',
      '76543210\t3\t125\tX\t\t\t',
    ]
    const { rows, reader } = read(names(...bad, good, ...Array(30).fill(bad[0]), good))
    expect(rows).toEqual(Array(2).fill('76543210\t125\tBIEN\t2015-03-01\tnull'))
    expect(reader).toMatchObject({ accepted: 2, refused: bad.length + 30 })
    expect(reader.firstRefused).toHaveLength(20)
    expect(reader.firstRefused.map(({ line }) => line).slice(0, 12)).toEqual(bad.map((_, i) => i + 2))
    expect(reader.firstRefused[12]?.line).toBe(bad.length + 3)
    expect(reader.firstRefused.map(({ why }) => why).slice(6, 11)).toEqual([
      'its RUT',
      'its RAZON_SOCIAL',
      'its FECHA_INICIO_VIG',
      'its FECHA_TG_VIG',
      'another number of columns',
    ])
  })
})

describe('reading the other files', () => {
  it('keeps an ACTECO as text, with its leading zero', () => {
    const { rows } = read(`${ACTIVITIES_HEADER}\n${columns(76543210)}\t011101\tCULTIVO DE TRIGO\t01-03-2015\tS\t1\n`)
    expect(rows).toEqual(['76543210\t011101\tCULTIVO DE TRIGO\t2015-03-01\ttrue\t1'])
  })

  it('takes an address however dirty, and an unreadable date as none', () => {
    const dirty = `${columns(76543210)}\tX\t0000-00-00\t\t" AV. \\ SIN NOMBRE\tS/N\t\t\t???\t\t \tXIII`
    const { rows } = read(`${ADDRESSES_HEADER}\n${dirty}\n`)
    expect(rows).toEqual(['76543210\tnull\tnull\tnull\t" AV. \\ SIN NOMBRE\tS/N\tnull\tnull\t???\tnull\tnull\tXIII'])
  })
})

describe('refusing a file', () => {
  it.each([
    ['another header', 'RUT;RAZON SOCIAL;NUMERO RESOLUCION\n1;2;3\n'],
    ['no header', '76543210\t3\t125\tX\t\t\n'],
    ['columns in another order', `${NAMES_HEADER.split('\t').reverse().join('\t')}\n`],
    ['bytes that are no text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 10, 0, 0, 0])],
  ])('says that the columns cannot be trusted with %s', (_, file) => {
    expect(() => read(file)).toThrow(/prueba\.txt.*header.*PUB_NOMBRES_PJ\.txt/)
  })

  it('says that an empty file is empty', () => {
    expect(() => read('')).toThrow(/prueba\.txt is empty/)
  })

  it('stops at a line that never ends, before it fills the memory', () => {
    expect(() => read(`${NAMES_HEADER}\n${'x'.repeat(300_000)}`)).toThrow(/line 2 never ends/)
  })
})
