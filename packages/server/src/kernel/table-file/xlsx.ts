import { type Cell, inert, type Table } from './cells.ts'
import { writeZip, type ZipEntry } from './zip.ts'

const SHEET_ROWS = 1_048_576
const CELL_CHARS = 32_767
const FLUSH_CHARS = 32_768

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** What XML 1.0 has a place for; a lone surrogate is none. */
function xmlText(text: string): string {
  return (
    inert(text)
      .slice(0, CELL_CHARS)
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML has no place for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (character) => ESCAPED[character] ?? character)
  )
}

function cell(value: Cell): string {
  if (value === null) return '<c/>'
  if (typeof value === 'number' && Number.isFinite(value)) return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(String(value))}</t></is></c>`
}

const row = (cells: readonly Cell[]) => `<row>${cells.map(cell).join('')}</row>`

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** Takes rows until a sheet is full; `done` once there are none. */
class Sheets {
  readonly columns: readonly string[]
  readonly rows: AsyncIterator<readonly Cell[]>
  done = false

  constructor({ columns, rows }: Table) {
    this.columns = columns
    this.rows = rows[Symbol.asyncIterator]()
  }

  async *next(): AsyncGenerator<Buffer> {
    let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${row(this.columns)}`
    for (let count = 1; count < SHEET_ROWS; count++) {
      const next = await this.rows.next()
      if (next.done) {
        this.done = true
        break
      }
      text += row(next.value)
      if (text.length < FLUSH_CHARS) continue
      yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(`${text}</sheetData></worksheet>`)
  }
}

const sheetNames = (count: number) => Array.from({ length: count }, (_, index) => `sheet${index + 1}`)

function contentTypes(count: number): string {
  const part = (name: string, type: string) => `<Override PartName="${name}" ContentType="${type}"/>`
  const sheets = sheetNames(count).map((name) => part(`/xl/worksheets/${name}.xml`, `${SHEET}.worksheet+xml`))
  return (
    `${HEAD}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', `${SHEET}.sheet.main+xml`)}${sheets.join('')}</Types>`
  )
}

function workbook(title: string, count: number): string {
  const sheets = sheetNames(count).map((_, index) => {
    const name = index === 0 ? title : `${title} ${index + 1}`
    return `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`
  })
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const one = ([type, target]: readonly [string, string], index: number) =>
    `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  return `${HEAD}<Relationships xmlns="${RELS}">${targets.map(one).join('')}</Relationships>`
}

async function* parts(title: string, table: Table): AsyncGenerator<ZipEntry> {
  const sheets = new Sheets(table)
  let count = 0
  do {
    count++
    yield { name: `xl/worksheets/sheet${count}.xml`, content: sheets.next() }
  } while (!sheets.done)
  // After the sheets, for only then is it known how many there are.
  const targets = sheetNames(count).map((name) => ['worksheet', `worksheets/${name}.xml`] as const)
  yield { name: 'xl/_rels/workbook.xml.rels', content: once(relations(targets)) }
  yield { name: 'xl/workbook.xml', content: once(workbook(title, count)) }
  yield { name: '_rels/.rels', content: once(relations([['officeDocument', 'xl/workbook.xml']])) }
  yield { name: '[Content_Types].xml', content: once(contentTypes(count)) }
}

/** A workbook (ECMA-376) with its texts in place: no table of shared strings has to be held. `title` names the sheet. */
export function writeXlsx(title: string, table: Table): AsyncGenerator<Buffer> {
  return writeZip(parts(title.slice(0, 28), table))
}
