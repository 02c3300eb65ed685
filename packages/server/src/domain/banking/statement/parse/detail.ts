import { columnNamed, type Header, parseHeader, plainWords } from './header.ts'
import { isBlank, type SheetRow, textOf } from './sheet.ts'

/** A table below the movements that was not read. */
export interface LaterBlock {
  readonly row: number
  readonly title: string
}

// What the cartolas of Santander for companies repeat below the movements: the fees once more, with decimals of the UF
// they are agreed in, and the balance of each day.
const KNOWN = /^(resumen|detalle)( de)?( las)? comisiones\b|^saldos? diarios?\b/
// Lines between the movements of two pages.
const FURNITURE = /^(pagina|pag|hoja|page)\b|^continua|^(sub ?)?total(es)?\b|^saldo\b|^suma\b|^nota\b|^informese\b/
/** A longer line is a sentence, and no title. */
const TITLE_CHARS = 60
/** As many as are told; the names of columns in place of a title are cut. */
const TOLD = 20
const TOLD_CHARS = 200

const withoutDigits = (text: string) => plainWords(text).replace(/\d+/g, '#')

/** The text of a row that holds nothing else; null for any other. */
function loneText({ cells }: SheetRow): string | null {
  const filled = cells.filter((cell) => !isBlank(cell))
  return filled.length === 1 && typeof filled[0] === 'string' ? textOf(filled[0]) : null
}

/** Whether a row names columns, if only those of days and balances. Whatever holds a number is no such row. */
function namesColumns(row: SheetRow): boolean {
  if (parseHeader(row)) return true
  const filled = row.cells.filter((cell) => !isBlank(cell))
  if (!filled.every((cell) => typeof cell === 'string' && !/\d/.test(cell))) return false
  const roles = filled.flatMap((cell) => columnNamed(cell)?.role ?? [])
  return roles.length >= 2 && roles.includes('date')
}

/** Whether two rows name the same columns, as files of several pages do. */
export function repeats(one: Header, other: Header): boolean {
  const shape = ({ columns }: Header) => columns.map(({ index, name }) => `${index}${plainWords(name)}`).join()
  return shape(one) === shape(other)
}

/**
 * Tells the rows of the movements from those of the tables that follow them. A title with a row of columns below it begins
 * another table, even where its columns have the same names; the same columns without a title are those of the next page.
 */
export class Detail {
  readonly #above: ReadonlySet<string>
  readonly #unread: LaterBlock[] = []
  #ended = false
  #title: LaterBlock | null = null

  constructor(above: readonly SheetRow[]) {
    this.#above = new Set(above.map((row) => withoutDigits(loneText(row) ?? '')))
  }

  /** Tables below the movements that are none of those that banks are known to add. */
  get unread(): readonly LaterBlock[] {
    return this.#unread
  }

  /** Whether a row is one of the movements' table. Rows are to be given in their order, all of them. */
  includes(row: SheetRow): boolean {
    if (row.cells.every(isBlank)) return !this.#ended
    const text = loneText(row)
    if (text !== null) {
      this.#title = this.#isTitle(text) ? { row: row.number, title: text } : null
      if (KNOWN.test(plainWords(text))) this.#ended = true
      return !this.#ended
    }
    if (namesColumns(row)) this.#beginTable(row)
    this.#title = null
    return !this.#ended
  }

  #isTitle(text: string): boolean {
    const words = plainWords(text)
    return text.length <= TITLE_CHARS && /[a-z]/.test(words) && !FURNITURE.test(words) && !this.#isAbove(text)
  }

  /** Lines about the account stand above the columns of every page. */
  #isAbove(text: string): boolean {
    return this.#above.has(withoutDigits(text))
  }

  #beginTable(row: SheetRow): void {
    const header = parseHeader(row)
    if (this.#title === null) {
      // The next page of the movements, or columns that nobody announces: whoever parses the row refuses them.
      if (header || this.#ended) return
      this.#title = { row: row.number, title: row.cells.map(textOf).filter(Boolean).join(', ').slice(0, TOLD_CHARS) }
    }
    this.#ended = true
    if (!KNOWN.test(plainWords(this.#title.title)) && this.#unread.length < TOLD) this.#unread.push(this.#title)
  }
}
