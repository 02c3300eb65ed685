import { DAY_MS } from '@timbre/dte/values'
import { CellFault } from './refusal.ts'
import type { Cell } from './sheet.ts'

export interface ParsedDate {
  /** YYYY-MM-DD */
  readonly date: string
  readonly format: string
}

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']
const OTHER_MONTHS: Readonly<Record<string, number>> = { jan: 1, apr: 4, aug: 8, set: 9, dec: 12 }
const FIRST_YEAR = 2000
const LAST_YEAR = 2099

const two = (value: number) => String(value).padStart(2, '0')

function civil(year: number, month: number, day: number, format: string): ParsedDate {
  if (month < 1 || month > 12) {
    throw new CellFault(`is read as day, month and year, and there is no month ${month}`)
  }
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day < 1 || day > last) throw new CellFault('is no day of the calendar')
  if (year < FIRST_YEAR || year > LAST_YEAR) throw new CellFault(`is in the year ${year}, which no cartola is from`)
  return { date: `${year}-${two(month)}-${two(day)}`, format }
}

/** Excel counts days from the end of 1899 and takes 1900 for a leap year; on old Macs from 1904. */
function fromSerial(serial: number, epoch1904: boolean): ParsedDate {
  const days = Math.floor(serial) + (epoch1904 ? 1462 : 0)
  const at = new Date(Date.UTC(1899, 11, 30) + days * DAY_MS)
  const year = at.getUTCFullYear()
  // Beyond what a calendar holds the year is no number, and neither more nor less than any.
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) throw new CellFault('is not a date')
  return { date: at.toISOString().slice(0, 10), format: 'excel' }
}

function fullYear(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year)
}

/** A date without a year is of the last year in which it was not after the end of the cartola. */
function yearBefore(month: number, day: number, end: string): number {
  const year = Number(end.slice(0, 4))
  return `${two(month)}-${two(day)}` <= end.slice(5) ? year : year - 1
}

function monthNumber(name: string): number | null {
  const short = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 3)
  const at = MONTHS.indexOf(short)
  return at >= 0 ? at + 1 : (OTHER_MONTHS[short] ?? null)
}

const NAMED = /^(\d{1,2})[\s\-/.]*(?:de\s+)?(\p{L}{3,10})\.?(?:[\s\-/.]*(?:del?\s+)?(\d{4}|\d{2}))?$/u

function named(text: string, end: string): ParsedDate | null {
  const [, day = '', name = '', year] = NAMED.exec(text) ?? []
  const month = monthNumber(name)
  if (day === '' || month === null) return null
  if (year !== undefined)
    return civil(fullYear(year), month, Number(day), year.length === 2 ? 'dd mmm yy' : 'dd mmm yyyy')
  return civil(yearBefore(month, Number(day), end), month, Number(day), 'dd mmm')
}

function eightDigits(text: string): ParsedDate {
  const year = Number(text.slice(4))
  if (year >= FIRST_YEAR && year <= LAST_YEAR) {
    return civil(year, Number(text.slice(2, 4)), Number(text.slice(0, 2)), 'ddmmyyyy')
  }
  return civil(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)), 'yyyymmdd')
}

function written(text: string, end: string): ParsedDate | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (iso) return civil(Number(iso[1]), Number(iso[2]), Number(iso[3]), 'yyyy-mm-dd')
  const [, day = '', mark = '', month = '', , year] =
    /^(\d{1,2})([-/.])(\d{1,2})([-/.](\d{4}|\d{2}))?$/.exec(text) ?? []
  if (day === '') return null
  const [d, m] = [Number(day), Number(month)]
  if (year === undefined) return civil(m > 12 ? LAST_YEAR : yearBefore(m, d, end), m, d, `dd${mark}mm`)
  return civil(fullYear(year), m, d, `dd${mark}mm${mark}${'y'.repeat(year.length)}`)
}

/** The day of a moment, whatever hour is written behind it. */
function withoutHour(text: string): string {
  const hour = text.search(/[T\s]\d{1,2}:\d{2}/)
  return hour < 0 ? text : text.slice(0, hour).trim()
}

export interface DateContext {
  /** The last day that the cartola can hold, YYYY-MM-DD. */
  readonly end: string
  readonly epoch1904: boolean
}

/**
 * Parses a date as banks in Chile write it: the day always before the month. Null where the cell is blank; refuses
 * anything else that is no day of the calendar.
 */
export function parseDate(cell: Cell | undefined, { end, epoch1904 }: DateContext): ParsedDate | null {
  if (cell === undefined) return null
  if (typeof cell === 'object') throw new CellFault('is a formula, and formulas are not calculated')
  if (typeof cell === 'number') return fromSerial(cell, epoch1904)
  const text = cell.replace(/\u00a0/g, ' ').trim()
  if (text === '') return null
  const day = withoutHour(text)
  if (/^\d{8}$/.test(day)) return eightDigits(day)
  if (/^\d{5}$/.test(day)) return fromSerial(Number(day), epoch1904)
  const found = written(day, end) ?? named(day, end)
  if (!found) throw new CellFault('is not a date')
  return found
}
