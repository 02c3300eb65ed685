import { inflateRawSync } from 'node:zlib'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { Closed, Nullable } from '../schema.ts'
import type { Cell } from './cells.ts'
import { columnsOf } from './columns.ts'
import { writeCsv } from './csv.ts'
import { writeXlsx } from './xlsx.ts'

async function* listed(rows: readonly (readonly Cell[])[]) {
  yield* rows
}
const tableOf = (rows: readonly (readonly Cell[])[]) => ({ columns: ['a', 'b'], rows: listed(rows) })

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The files of an archive by its central directory, as any reader finds them. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let n = 0; n < archive.readUInt16LE(end + 10); n++) {
    const [packed, size, length] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 24),
      archive.readUInt16LE(at + 28),
    ]
    const name = archive.subarray(at + 46, at + 46 + length).toString()
    const start = archive.readUInt32LE(at + 42) + 30 + length
    const content = inflateRawSync(archive.subarray(start, start + packed))
    expect(content.length).toBe(size)
    files.set(name, content.toString())
    at += 46 + length
  }
  return files
}

const DANGEROUS = ['=1+1', '+56 9', '-2+3', '@SUM(A1)', '\t=1', '\r=1']

describe('a table as a file', () => {
  it('is CSV of RFC 4180 in UTF-8 with a mark, quoted where it must be; numbers stay numbers', async () => {
    const rows = [
      ['Ñandú "SpA", Ltda.', -400],
      ['dos\nlíneas', null],
      ['', true],
    ]
    const text = (await bytesOf(writeCsv(tableOf(rows)))).toString()
    expect(text).toBe('\ufeffa,b\r\n"Ñandú ""SpA"", Ltda.",-400\r\n"dos\nlíneas",\r\n,true\r\n')
  })

  it('has no text in it that a spreadsheet runs: an apostrophe comes first', async () => {
    const csv = (await bytesOf(writeCsv(tableOf(DANGEROUS.map((text) => [text, 1]))))).toString()
    const sheet = unzip(await bytesOf(writeXlsx('t', tableOf(DANGEROUS.map((text) => [text, 1]))))).get(
      'xl/worksheets/sheet1.xml',
    )
    for (const text of DANGEROUS) {
      expect(csv).toContain(`'${text.replace(/(?<=^[\t\r])/, "'")}`)
      expect(sheet).toContain(`>'${text}<`)
    }
  })

  it.each([
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '\u00a0=1',
    '\u3000=1',
    '\u200b=1',
    '\ufeff@A',
    ' \u2060+1',
    'a;\u3000＝1',
  ])('has none in it behind blanks that nobody sees, nor in full width: %j', async (text) => {
    const csv = (await bytesOf(writeCsv(tableOf([[text, 1]])))).toString()
    const sheet = unzip(await bytesOf(writeXlsx('t', tableOf([[text, 1]])))).get('xl/worksheets/sheet1.xml')
    if (text.startsWith('a;')) expect(csv).toContain(`"a;\u3000'＝1",1`)
    else expect([csv, sheet]).toEqual([expect.stringContaining(`\n'${text},1`), expect.stringContaining(`>'${text}<`)])
  })

  it('has none in it either where the separator of the list is another than ours, as in Chile', async () => {
    const hostile = ['a;=cmd|x;b', 'a; @SUM(A1)', 'a\t+1', 'a\n-1', 'a;"=cmd"', 'a;b', '56-9 a@b.cl']
    const csv = (await bytesOf(writeCsv(tableOf(hostile.map((text) => [text, -1]))))).toString()
    expect(csv.split('\r\n').slice(1, -1)).toEqual([
      `"a;'=cmd|x;b",-1`,
      `"a; '@SUM(A1)",-1`,
      `"a\t'+1",-1`,
      `"a\n'-1",-1`,
      `"a;""'=cmd""",-1`,
      `"a;b",-1`,
      '56-9 a@b.cl,-1',
    ])
    // As such a spreadsheet splits it.
    for (const cell of csv.split(/[;\t\r\n]+/)) expect(cell).not.toMatch(/^["\s]*[=+\-@]/)
  })

  it('is an XLSX that unzips: cells in place, typed, with what XML cannot hold left out', async () => {
    const rows = [['<Ñ> & "\u0001x\ud800', 1.5] as const, [null, false] as const]
    const files = unzip(await bytesOf(writeXlsx('Documentos', tableOf(rows))))
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? ''
    expect(sheet).toContain('&lt;Ñ&gt; &amp; &quot;x\ufffd</t>')
    expect(sheet).toContain('<c><v>1.5</v></c>')
    expect(sheet).toContain('<row><c/><c t="b"><v>0</v></c></row>')
  })

  it('asks for rows as they are taken, and for no more once nobody takes them', async () => {
    let [asked, ended] = [0, false]
    async function* endless(): AsyncGenerator<readonly Cell[]> {
      try {
        for (;;) {
          asked++
          yield ['x'.repeat(1_000), asked]
        }
      } finally {
        ended = true
      }
    }
    const csv = writeCsv({ columns: ['a', 'b'], rows: endless() })
    await csv.next()
    expect(asked).toBeLessThan(50)
    await csv.return(undefined)
    expect(ended).toBe(true)
  })

  it('fails where its rows fail, and gives no whole archive', async () => {
    async function* broken(): AsyncGenerator<readonly Cell[]> {
      yield ['a', 1]
      throw new Error('the database is away')
    }
    await expect(bytesOf(writeXlsx('t', { columns: ['a', 'b'], rows: broken() }))).rejects.toThrow(
      'the database is away',
    )
  })

  it('has a column for each field of a resource, also within objects; lists are one cell', () => {
    const resource = Closed({
      object: Type.Literal('thing'),
      id: Type.String(),
      totals: Closed({ net: Type.Integer() }),
      owner: Type.Unsafe({ anyOf: [Closed({ rut: Nullable(Type.String()) }), { type: 'null' }] }),
      taxes: Type.Array(Closed({ code: Type.Integer() })),
      left_out: Type.Optional(Type.String()),
    })
    const columns = columnsOf(resource)
    expect(columns.map(({ name }) => name)).toEqual(['id', 'totals.net', 'owner.rut', 'taxes'])
    const item = { id: 'x', totals: { net: 5 }, owner: null, taxes: [{ code: 26 }] }
    expect(columns.map(({ read }) => read(item))).toEqual(['x', 5, null, '[{"code":26}]'])
  })
})
