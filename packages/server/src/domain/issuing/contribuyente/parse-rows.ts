import { isUtf8 } from 'node:buffer'
import { checkDigit } from '@timbre/dte/values'
import { CopyRows } from './copy-rows.ts'
import { readDate } from './date-bytes.ts'
import { type ColumnKind, LAYOUTS, type Layout, layoutOf, storedColumns } from './layout.ts'
import { NominaRefused } from './refusal.ts'

const [TAB, NEWLINE, RETURN, SPACE, DOT, ZERO, NINE] = [9, 10, 13, 32, 46, 48, 57] as const
const [LETTER_N, LETTER_S] = [78, 83] as const
const LONGEST_ROW = 64 * 1024
const REPORTED = 20
const BIGGEST_RUT = 99_999_999

export interface RefusedRow {
  readonly line: number
  readonly why: string
}

/**
 * Turns a published file into COPY's binary format, chunk by chunk. It works on bytes and makes nothing per row: the
 * files have millions. A row that cannot be right is counted and left out; it never stops the others.
 */
export class RowReader {
  accepted = 0
  refused = 0
  readonly firstRefused: RefusedRow[] = []
  readonly #file: string
  readonly #out = new CopyRows()
  #layout: Layout | null = null
  #kinds: readonly ColumnKind[] = []
  #stored = 0
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
    // Asked once for all whole rows; only where the answer is no, row by row.
    this.#allUtf8 = isUtf8(input.subarray(0, input.lastIndexOf(NEWLINE) + 1))
    let from = 0
    for (let end = input.indexOf(NEWLINE); end !== -1; end = input.indexOf(NEWLINE, from)) {
      this.#take(input, from, end)
      from = end + 1
    }
    this.#carry = input.subarray(from)
    if (this.#carry.length > LONGEST_ROW) {
      throw new NominaRefused(`${this.#file}: line ${this.#line + 1} never ends. This is not a published text file.`)
    }
    return this.#out.written()
  }

  /** The last row, where the file does not end in a line break. */
  end(): Buffer {
    this.#out.open(this.#carry.length)
    this.#allUtf8 = isUtf8(this.#carry)
    if (this.#carry.length > 0) this.#take(this.#carry, 0, this.#carry.length)
    if (this.#layout === null) throw new NominaRefused(`${this.#file} is empty.`)
    return this.#out.written()
  }

  #take(input: Buffer, from: number, end: number): void {
    const to = end > from && input[end - 1] === RETURN ? end - 1 : end
    this.#line++
    if (to === from) return
    if (this.#layout === null) {
      this.#takeHeader(input.toString('latin1', from, Math.min(to, from + 1000)))
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
    if (this.firstRefused.length < REPORTED) this.firstRefused.push({ line: this.#line, why: wrong })
  }

  #takeHeader(header: string): void {
    const layout = layoutOf(header.replace(/^\u00ef\u00bb\u00bf/, ''))
    if (!layout) {
      const known = LAYOUTS.flatMap(({ members }) => members).join(', ')
      throw new NominaRefused(
        `${this.#file}: its first row is not the header of a file we know, so its columns cannot be trusted. ` +
          `Known files: ${known}.`,
      )
    }
    this.#layout = layout
    this.#kinds = layout.columns.map(({ kind }) => kind)
    this.#stored = storedColumns(layout).length
    this.#ends = new Int32Array(layout.columns.length)
  }

  /** Null when the row was written, otherwise what is wrong with it. */
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
    let found = 0
    let bits = 0
    for (let i = from; i < to; i++) {
      const byte = input[i] as number
      bits |= byte
      if (byte !== TAB) continue
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
      this.#rut = readRut(input, from, to)
      this.#out.number(this.#rut)
      return this.#rut > 0
    }
    if (kind === 'text' || kind === 'needed_text') {
      if (from < to) this.#out.text(input, from, to, this.#latin1)
      else this.#out.none()
      return from < to || kind === 'text'
    }
    if (kind === 'flag') {
      const letter = from < to ? (input[from] as number) & ~32 : 0
      if (letter === LETTER_S || letter === LETTER_N) this.#out.flag(letter === LETTER_S)
      else this.#out.none()
      return true
    }
    const date = from < to ? readDate(input, from, to) : 0
    if (date > 0) this.#out.date(date)
    else this.#out.none()
    return date > 0 || from === to || kind === 'loose_date'
  }
}

/** The number of a RUT, with or without dots; 0 when it is none. */
function readRut(input: Buffer, from: number, to: number): number {
  let number = 0
  for (let i = from; i < to; i++) {
    const byte = input[i] as number
    if (byte === DOT) continue
    if (byte < ZERO || byte > NINE) return 0
    number = number * 10 + byte - ZERO
    if (number > BIGGEST_RUT) return 0
  }
  return number
}

function isCheckDigit(rut: number, byte: number): boolean {
  return checkDigit(rut).charCodeAt(0) === (byte > NINE ? byte & ~32 : byte)
}
