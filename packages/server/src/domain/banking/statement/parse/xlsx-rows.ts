import { STATEMENTS } from '../../../../catalog/limits.ts'
import { refusedFile } from './refusal.ts'
import type { Cell, SheetRow } from './sheet.ts'
import { attributeOf, type Tag, unescaped } from './xml-tags.ts'

/** `AB12` -> 27: the place of a cell in its row. */
function columnIndex(reference: string): number {
  let index = 0
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) - 64
    if (letter < 1 || letter > 26) break
    index = index * 26 + letter
  }
  return index - 1
}

/** Builds rows from the tags of a sheet. A row may begin in one chunk and end in another. */
export class RowReader {
  readonly #strings: readonly string[]
  #number = 0
  #rows = 0
  #chars = 0
  #cells: Cell[] = []
  #at = -1
  #type = ''
  #value = ''
  #formula: string | null = null

  constructor(strings: readonly string[]) {
    this.#strings = strings
  }

  *read(tags: Iterable<Tag>): Generator<SheetRow> {
    for (const tag of tags) {
      switch (tag.name) {
        case 'row':
          if (!tag.closes) this.#beginRow(tag)
          if (tag.closes || tag.empty) yield { number: this.#number, cells: this.#cells }
          break
        case 'c':
          if (!tag.closes) this.#beginCell(tag)
          if (tag.closes || tag.empty) this.#endCell()
          break
        case 'f':
          this.#formula = tag.closes ? unescaped(tag.before) : (this.#formula ?? '')
          break
        case 'v':
        case 't':
          if (tag.closes) this.#value += unescaped(tag.before)
      }
    }
  }

  #beginRow(tag: Tag): void {
    if (++this.#rows > STATEMENTS.sheet_rows) throw refusedFile(`it holds more than ${STATEMENTS.sheet_rows} rows`)
    const number = Number(attributeOf(tag, 'r') ?? this.#number + 1)
    this.#number = Number.isSafeInteger(number) ? number : this.#number + 1
    this.#cells = []
    this.#at = -1
  }

  #beginCell(tag: Tag): void {
    const reference = attributeOf(tag, 'r')
    this.#at = reference === null ? this.#at + 1 : columnIndex(reference)
    if (this.#at < 0 || this.#at >= STATEMENTS.columns) {
      throw refusedFile(`row ${this.#number} has more than ${STATEMENTS.columns} columns`)
    }
    this.#type = attributeOf(tag, 't') ?? 'n'
    this.#value = ''
    this.#formula = null
  }

  #endCell(): void {
    while (this.#cells.length < this.#at) this.#cells.push('')
    this.#cells[this.#at] = this.#cell()
  }

  #cell(): Cell {
    const text = this.#type === 's' ? (this.#strings[Number(this.#value)] ?? '') : this.#value
    this.#refuseEndless(text)
    if (this.#formula !== null) return { formula: this.#formula, shown: text }
    return this.#type === 'n' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  }

  /** A text of a few bytes in the file, which every cell names again, costs as much in each of them. */
  #refuseEndless(text: string): void {
    this.#chars += text.length
    if (text.length > STATEMENTS.cell_chars) {
      throw refusedFile(
        `the cell in row ${this.#number}, column ${this.#at + 1} holds more than ${STATEMENTS.cell_chars} characters`,
      )
    }
    if (this.#chars > STATEMENTS.cells_chars) throw refusedFile('the spreadsheet holds more text than a cartola does')
  }
}
