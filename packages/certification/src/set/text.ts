import { isUtf8 } from 'node:buffer'
import { readWindows, writeWindows } from '@timbre/dte/values'
import { SetError } from './set-error.ts'

/** A real set has 11 KB and 270 lines. */
const MAX_BYTES = 256 * 1024
const MAX_LINES = 5000

export interface Line {
  readonly number: number
  readonly raw: string
  /** Without blanks around it and with single blanks inside. */
  readonly text: string
  /** `text` in capitals without accents, for comparing. */
  readonly folded: string
}

const LOST = '\uFFFD'
const MARKS = /[\u0300-\u036f]/g
const BLANKS = /[ \t\u00a0]+/g

/** The SII writes ISO-8859-1; browsers and mail programs hand it over as UTF-8, at times encoded twice. */
export function readLines(bytes: Uint8Array): readonly Line[] {
  if (bytes.byteLength === 0) throw new SetError('empty', 'The file is empty.')
  if (bytes.byteLength > MAX_BYTES) throw new SetError('too_large', `The file has more than ${MAX_BYTES} bytes.`)
  const raw_lines = decode(bytes).split(/\r\n|\r|\n/)
  if (raw_lines.length > MAX_LINES) throw new SetError('too_many_lines', `The file has more than ${MAX_LINES} lines.`)
  const lines = raw_lines.map((raw, index) => lineOf(raw, index + 1))
  if (lines.every(({ text }) => text === '')) throw new SetError('empty', 'The file has no text.')
  return lines
}

function lineOf(raw: string, number: number): Line {
  const text = raw.replace(BLANKS, ' ').trim()
  return { number, raw, text, folded: fold(text) }
}

/** Capitals without accents; a letter that was lost stays as it is. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(MARKS, '').toUpperCase()
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.includes(0)) throw new SetError('not_text', 'The file is not text, or it is in UTF-16.')
  if (!isUtf8(buffer)) return readWindows(buffer.toString('latin1'))
  return undoDoubleEncoding(buffer.toString('utf8').replace(/^\uFEFF/, ''))
}

/** UTF-8 that was read as one byte per letter and encoded again: what its letters spell as bytes is UTF-8 once more. */
function undoDoubleEncoding(text: string): string {
  let current = text
  for (let times = 0; times < 2 && /[\u00c2\u00c3]/.test(current); times++) {
    const bytes = writeWindows(current)
    if (bytes === null || !isUtf8(bytes)) return current
    current = bytes.toString('utf8')
  }
  return current
}

/** Cells of a row: tabs, or runs of two blanks and more, stand between them. */
export function cellsOf({ raw }: Line): readonly string[] {
  return raw
    .replaceAll('\t', '  ')
    .split(/ {2,}/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
}

const TAB = 8

/** The text as a terminal shows it, so that what stands in which column can be told. */
export function expandTabs(raw: string): string {
  let expanded = ''
  for (const character of raw) expanded += character === '\t' ? ' '.repeat(TAB - (expanded.length % TAB)) : character
  return expanded
}

/** Words of the SII's own sets that lose a letter when the file is saved in the wrong alphabet. */
const KNOWN_WORDS: readonly (readonly [string, string])[] = [
  [`Caj${LOST}n`, 'Cajón'],
  [`Pa${LOST}uelo`, 'Pañuelo'],
  [`CIGUE${LOST}ALES`, 'CIGUEÑALES'],
]

/** The text with its letters back, or null when one was lost that nobody can tell. */
export function restoreLetters(text: string): string | null {
  const restored = KNOWN_WORDS.reduce((known, [broken, whole]) => known.replaceAll(broken, whole), text)
  return restored.includes(LOST) ? null : restored
}

/** Whether a folded text has a phrase, taking a lost letter for any. The phrase is short, so this is linear. */
export function says(folded: string, phrase: string): boolean {
  if (!folded.includes(LOST)) return folded.includes(phrase)
  for (let start = 0; start + phrase.length <= folded.length; start++) {
    let matched = 0
    while (matched < phrase.length && fits(folded.charAt(start + matched), phrase.charAt(matched))) matched++
    if (matched === phrase.length) return true
  }
  return false
}

const fits = (found: string, asked: string) => found === asked || found === LOST

const RULE = /^[-=*_]+$/

/** A line that only draws. */
export function isRule({ text }: Line): boolean {
  return RULE.test(text)
}

/**
 * A number of the set: whole, or with a decimal point. Three decimals are not read, for they may be thousands; neither
 * is anything else.
 */
export function readNumber(text: string): number | null {
  const found = /^(\d{1,12})(?:[.,](\d{1,6}))?$/.exec(text)
  if (found === null || found[2]?.length === 3) return null
  return Number(`${found[1]}.${found[2] ?? '0'}`)
}

export function readPercent(text: string): number | null {
  const found = /^(\d{1,3}(?:[.,]\d{1,2})?) ?%$/.exec(text)
  const percent = found === null ? null : Number(found[1]?.replace(',', '.'))
  return percent === null || percent <= 0 || percent > 100 ? null : percent
}
