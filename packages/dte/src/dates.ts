/** Civil dates and times of America/Santiago, the only calendar the SII knows. The instant is always an argument. */

const SANTIAGO = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Santiago',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

const CIVIL_DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** `YYYY-MM-DD` that exists in the calendar. */
export function isCivilDate(text: string): boolean {
  const match = CIVIL_DATE.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month)
}

/** Days of a month, counted from 1. */
export function monthLength(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (MONTH_LENGTHS[month - 1] ?? 0)
}

/** The schema's own bounds for any date (SiiTypes_v10.xsd, FechaType). */
export function isDocumentDate(text: string): boolean {
  return isCivilDate(text) && text >= '2000-01-01' && text <= '2050-12-31'
}

// Asking the calendar is slow and is asked for every document: within one minute only the seconds differ.
let known = { minute: Number.NaN, text: '' }

/** Local time in Santiago as the SII writes it, without zone: `2026-10-05T12:00:00`. */
export function santiagoTimestamp(instant: Date): string {
  const seconds = Math.floor(instant.getTime() / 1000)
  const minute = Math.floor(seconds / 60)
  if (minute !== known.minute) {
    const part: Record<string, string> = {}
    for (const { type, value } of SANTIAGO.formatToParts(minute * 60_000)) part[type] = value
    known = { minute, text: `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}` }
  }
  return `${known.text}:${String(seconds - minute * 60).padStart(2, '0')}`
}

/** The day it is in Santiago. */
export function santiagoDate(instant: Date): string {
  return santiagoTimestamp(instant).slice(0, 10)
}

/** A day of the civil calendar; those of Santiago last an hour more or less twice a year. */
export const DAY_MS = 86_400_000

/** A civil date some days later, or earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The same day some months later, or the last day of that month when it is shorter. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const index = year * 12 + month - 1 + months
  const [later, at] = [Math.floor(index / 12), (index % 12) + 1]
  const last = Math.min(day, monthLength(later, at))
  return `${later}-${String(at).padStart(2, '0')}-${String(last).padStart(2, '0')}`
}

/** The tax month of a civil date: `2026-10`. */
export function periodOf(date: string): string {
  return date.slice(0, 7)
}

/** The tax month it is in Santiago. */
export function santiagoPeriod(instant: Date): string {
  return periodOf(santiagoDate(instant))
}

/** The tax month some months later, or earlier. */
export function addPeriods(period: string, months: number): string {
  return periodOf(addMonths(`${period}-01`, months))
}

export function lastDayOf(period: string): string {
  return addDays(`${addPeriods(period, 1)}-01`, -1)
}
