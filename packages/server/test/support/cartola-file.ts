// Cartolas as banks hand them out: CSV and XLSX files.

import { type ZipMember, zipOf } from './zip-file.ts'

/** A cell of a test's spreadsheet: text, a number, nothing, or a formula with what it last came to. */
export type TestCell = string | number | null | { readonly f: string; readonly v: number | string }

export const csvOf = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'))

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)
}

function cellXml(cell: TestCell, at: string, shared: string[]): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'string') return `<c r="${at}" t="s"><v>${shared.push(cell) - 1}</v></c>`
  return `<c r="${at}"${typeof cell.v === 'string' ? ' t="str"' : ''}><f>${escaped(cell.f)}</f><v>${cell.v}</v></c>`
}

export function sheetXml(rows: readonly (readonly TestCell[])[], shared: string[]): string {
  const xml = rows.map((cells, i) => {
    const inside = cells.map((cell, j) => cellXml(cell, `${columnName(j)}${i + 1}`, shared)).join('')
    return `<row r="${i + 1}">${inside}</row>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>${xml.join('')}</sheetData></worksheet>`
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

export interface TestTab {
  readonly name: string
  readonly rows: readonly (readonly TestCell[])[]
  readonly hidden?: boolean
}

/** A spreadsheet as Excel writes it, reduced to the parts that hold cells. `more` replaces or adds parts. */
export function xlsxOf(tabs: readonly TestTab[], more: readonly ZipMember[] = []): Buffer {
  const shared: string[] = []
  const sheets = tabs.map(({ rows }, i) => ({
    name: `xl/worksheets/sheet${i + 1}.xml`,
    bytes: Buffer.from(sheetXml(rows, shared)),
  }))
  const listed = tabs.map(
    ({ name, hidden }, i) =>
      `<sheet name="${escaped(name)}" sheetId="${i + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
  )
  const related = tabs.map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`)
  const strings = shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
  const parts = [
    { name: 'xl/workbook.xml', text: `${HEAD}<workbook><sheets>${listed.join('')}</sheets></workbook>` },
    { name: 'xl/_rels/workbook.xml.rels', text: `${HEAD}<Relationships>${related.join('')}</Relationships>` },
    { name: 'xl/sharedStrings.xml', text: `${HEAD}<sst>${strings.join('')}</sst>` },
  ].map(({ name, text }) => ({ name, bytes: Buffer.from(text) }))
  const replaced = new Set(more.map(({ name }) => name))
  return zipOf([...[...parts, ...sheets].filter(({ name }) => !replaced.has(name)), ...more])
}

/** A plain cartola of an account, each row `dd/mm/yyyy;words;cargo;abono`. */
export const plainCartola = (...rows: readonly string[]) => csvOf('Fecha;Descripción;Cargos;Abonos', ...rows)
