/** Never evaluated: its text is kept, and its value only as the spreadsheet last showed it. */
export interface Formula {
  readonly formula: string
  readonly shown: string
}

/** Text as it is written, a number of a spreadsheet, or a formula. */
export type Cell = string | number | Formula

/** A row by the number a person sees beside it. */
export interface SheetRow {
  readonly number: number
  readonly cells: readonly Cell[]
}

/** One table of a file. Its rows stream from the beginning as often as needed: no file is held in memory as a whole. */
export interface Sheet {
  readonly format: 'csv' | 'xlsx'
  /** Null in a spreadsheet, which says so itself. */
  readonly encoding: string | null
  readonly separator: string | null
  /** The name of its tab; null in a file that has none. */
  readonly name: string | null
  readonly epoch1904: boolean
  rows(): AsyncIterable<readonly SheetRow[]>
}

// How windows-1252 writes the bytes from 80 to 9F, in order.
const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const TWICE = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

/** Whether text is UTF-8 that a careless program read as windows-1252 and wrote again. */
export function isTwiceEncoded(text: string): boolean {
  return TWICE.test(text)
}

function encodedOnce(text: string): string {
  const bytes = Buffer.from(
    [...text].map((letter) => {
      const at = CP1252.indexOf(letter)
      return at >= 0 ? 0x80 + at : letter.charCodeAt(0)
    }),
  )
  const read = bytes.toString('utf8')
  return read.includes('\ufffd') || [...text].some((letter) => letter.charCodeAt(0) > 0xff && !CP1252.includes(letter))
    ? text
    : read
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to be found
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u00a0\u2028\u2029]+/g

/** A cell as a person reads it, on one line. */
export function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = typeof cell === 'string' ? cell : cell.shown === '' ? `=${cell.formula}` : cell.shown
  const once = isTwiceEncoded(text) ? encodedOnce(text) : text
  return once.replace(UNPRINTABLE, ' ').toWellFormed().trim()
}

export function isBlank(cell: Cell | undefined): boolean {
  return cell === undefined || (typeof cell === 'string' && cell.trim() === '')
}
