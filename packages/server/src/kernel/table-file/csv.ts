import { type Cell, inert, type Table } from './cells.ts'

const BYTE_ORDER_MARK = '\ufeff'
const FLUSH_CHARS = 32_768

/**
 * Where a cell would begin within a text. A spreadsheet takes the separator of its country, which in Chile is `;`, and
 * quotes that do not begin a cell by that separator keep nothing together: `a;=cmd` is two cells there however it was
 * quoted for a comma (OWASP, CSV Injection: separators and quotes within). A comma needs no such care, for whoever splits
 * at commas honours the quotes.
 */
const CELL_WITHIN = /[;\t\r\n"][\v\f\p{Cf}\p{Z}]*(?=[=+\-@＝＋－＠])/gu

function written(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = inert(cell).replace(CELL_WITHIN, "$&'")
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (cells: readonly Cell[]) => `${cells.map(written).join(',')}\r\n`

/** RFC 4180 in UTF-8. The mark at the start is what spreadsheets know UTF-8 by. */
export async function* writeCsv({ columns, rows }: Table): AsyncGenerator<Buffer> {
  let text = BYTE_ORDER_MARK + line(columns)
  for await (const row of rows) {
    text += line(row)
    if (text.length < FLUSH_CHARS) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
