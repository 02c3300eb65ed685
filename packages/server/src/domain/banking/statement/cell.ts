import { Problem } from '../../../kernel/problem.ts'

/** Never evaluated: what is written is known, and what it last came to only as it was shown. */
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

// How windows-1252 writes the bytes from 80 to 9F, in order.
const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const TWICE = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

/** Whether text was written in UTF-8, read as windows-1252 and written again, as a careless program does. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u00a0\u2028\u2029]+/g

/** What a person reads in a cell, on one line. */
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

const QUOTED_CHARS = 60

/** A cell as a refusal quotes it. */
export function quoted(cell: Cell | undefined): string {
  const text = typeof cell === 'object' ? `=${cell.formula}` : textOf(cell)
  return `"${text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text}"`
}

/** The name of a column as a path: `Fecha Contable` -> `fecha_contable`. */
export function pathName(column: string): string {
  const plain = column.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'column'
}

/** What is wrong with a value, before it is known where it stands. */
export class CellFault extends Error {}

/** A refusal that names the row and the column, and quotes what stands there. */
export function refusedCell(row: number, column: string, cell: Cell | undefined, reason: string): Problem {
  const param = `file.rows[${row}].${pathName(column)}`
  const message = `${param}: ${isBlank(cell) ? 'the cell' : quoted(cell)} ${reason}.`
  return new Problem('invalid_field', { param, message, details: { row, column } })
}

export function refusedFile(reason: string): Problem {
  return new Problem('invalid_field', { param: 'file', message: `file: ${reason}.` })
}
