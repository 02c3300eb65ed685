import { isUtf8 } from 'node:buffer'
import { BinaryCopy } from './binary-copy.ts'
import { type ColumnKind, LAYOUTS, type Layout, layoutOf, NominaRefused, storedColumns } from './layout.ts'
import { isCheckDigit, parseDate, parseRut } from './parse-field.ts'

const [NEWLINE, RETURN, SPACE, DASH] = [10, 13, 32, 45] as const
const [LETTER_N, LETTER_S] = [78, 83] as const
const MAX_ROW_BYTES = 64 * 1024
const MAX_REPORTED = 20

export interface RefusedRow {
  readonly line: number
  readonly why: string
}

/**
 * Parses a published file into the binary format of COPY, chunk by chunk. It works on bytes and allocates nothing per
 * row: the files have millions. A row that cannot be right is counted and left out; it never stops the others.
 */
export class RowParser {
  accepted = 0
  refused = 0
  readonly firstRefused: RefusedRow[] = []
  readonly #file: string
  readonly #out = new BinaryCopy()
  #layout: Layout | null = null
  #kinds: readonly ColumnKind[] = []
  #stored = 0
  #separator = 0
  #ends = new Int32Array(0)
  #carry: Buffer = Buffer.alloc(0)
  #line = 0
  #rut = 0
  #allUtf8 = false
  #latin1 = false

  constructor(file: string) {
    this.#file = file
  }

  /** Known once the header row was read. */
  get layout(): Layout | null {
    return this.#layout
  }

  /** The rows that end in this chunk. */
  push(chunk: Buffer): Buffer {
    const input = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    this.#out.open(input.length)
    // Checked once for all whole rows; only where they are not, row by row.
    this.#allUtf8 = isUtf8(input.subarray(0, input.lastIndexOf(NEWLINE) + 1))
    let from = 0
    for (let end = input.indexOf(NEWLINE); end !== -1; end = input.indexOf(NEWLINE, from)) {
      this.#parseRow(input, from, end)
      from = end + 1
    }
    this.#carry = input.subarray(from)
    if (this.#carry.length > MAX_ROW_BYTES) {
      throw new NominaRefused(`${this.#file}: line ${this.#line + 1} never ends. This is not a published text file.`)
    }
    return this.#out.written()
  }

  /** The last row, where the file does not end in a line break. */
  end(): Buffer {
    this.#out.open(this.#carry.length)
    this.#allUtf8 = isUtf8(this.#carry)
    if (this.#carry.length > 0) this.#parseRow(this.#carry, 0, this.#carry.length)
    if (this.#layout === null) throw new NominaRefused(`${this.#file} is empty.`)
    return this.#out.written()
  }

  #parseRow(input: Buffer, from: number, end: number): void {
    const to = end > from && input[end - 1] === RETURN ? end - 1 : end
    this.#line++
    if (to === from) return
    if (this.#layout === null) {
      this.#parseHeader(input.toString('latin1', from, Math.min(to, from + 1000)))
      return
    }
    const start = this.#out.length
    const wrong = this.#writeRow(input, from, to)
    if (wrong === null) {
      this.accepted++
      return
    }
    this.#out.cutTo(start)
    this.refused++
    if (this.firstRefused.length < MAX_REPORTED) this.firstRefused.push({ line: this.#line, why: wrong })
  }

  #parseHeader(header: string): void {
    const layout = layoutOf(header.replace(/^\u00ef\u00bb\u00bf/, ''))
    if (!layout) {
      const known = LAYOUTS.flatMap(({ members }) => members).join(', ')
      throw new NominaRefused(
        `${this.#file}: its first row is not the header of a file we know, so its columns cannot be trusted. ` +
          `Known files: ${known}.`,
      )
    }
    this.#layout = layout
    this.#separator = layout.separator.charCodeAt(0)
    this.#kinds = layout.columns.map(({ kind }) => kind)
    this.#stored = storedColumns(layout).length
    this.#ends = new Int32Array(layout.columns.length)
  }

  /** Null when the row was written, otherwise the fault to report. */
  #writeRow(input: Buffer, from: number, to: number): string | null {
    if (!this.#split(input, from, to)) return 'another number of columns'
    const kinds = this.#kinds
    let start = from
    this.#out.beginRow(this.#stored)
    for (let column = 0; column < kinds.length; column++) {
      const end = this.#ends[column] as number
      let left = start
      let right = end
      while (left < right && input[left] === SPACE) left++
      while (right > left && input[right - 1] === SPACE) right--
      if (!this.#writeColumn(kinds[column] as ColumnKind, input, left, right)) {
        return `its ${this.#layout?.columns[column]?.header}`
      }
      start = end + 1
    }
    return null
  }

  /** Finds where each column ends, and which of the two encodings the row is in: files exist in both, and mixed. */
  #split(input: Buffer, from: number, to: number): boolean {
    const ends = this.#ends
    const separator = this.#separator
    let found = 0
    let bits = 0
    for (let i = from; i < to; i++) {
      const byte = input[i] as number
      bits |= byte
      if (byte !== separator) continue
      if (found === ends.length - 1) return false
      ends[found++] = i
    }
    ends[found] = to
    this.#latin1 = bits > 127 && !this.#allUtf8 && !isUtf8(input.subarray(from, to))
    return found === ends.length - 1
  }

  #writeColumn(kind: ColumnKind, input: Buffer, from: number, to: number): boolean {
    if (kind === 'dv') return to - from === 1 && isCheckDigit(this.#rut, input[from] as number)
    if (kind === 'rut') {
      this.#rut = parseRut(input, from, to)
      this.#out.number(this.#rut)
      return this.#rut > 0
    }
    if (kind === 'ignored') return true
    if (kind === 'whole_rut') {
      const dash = input.lastIndexOf(DASH, to - 1)
      if (dash !== to - 2 || dash <= from) return false
      return this.#writeColumn('rut', input, from, dash) && this.#writeColumn('dv', input, dash + 1, to)
    }
    if (kind === 'text' || kind === 'needed_text') {
      if (from < to) this.#out.text(input, from, to, this.#latin1)
      else this.#out.null()
      return from < to || kind === 'text'
    }
    if (kind === 'flag') {
      const letter = from < to ? (input[from] as number) & ~32 : 0
      if (letter === LETTER_S || letter === LETTER_N) this.#out.flag(letter === LETTER_S)
      else this.#out.null()
      return true
    }
    const date = from < to ? parseDate(input, from, to) : 0
    if (date > 0) this.#out.date(date)
    else this.#out.null()
    return date > 0 || from === to || kind === 'loose_date'
  }
}
