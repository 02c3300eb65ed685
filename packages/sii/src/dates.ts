import { santiagoTimestamp } from '@timbre/dte/values'

/** The SII writes and reads local time of Santiago, in several orders and without saying so. */

const DAY_FIRST = /^(\d{2})[-/](\d{2})[-/](\d{4})(?:[ T]+(\d{2}):(\d{2})(?::(\d{2}))?)?(?:\.\d+)?$/
const YEAR_FIRST = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[ T]+(\d{2}):(\d{2})(?::(\d{2}))?)?(?:\.\d+)?$/

/** An instant as the SII gives it: `DD-MM-AAAA HH:MM:SS`, or with the year first, or with bars. Null when it is none. */
export function readSiiInstant(text: string): Date | null {
  const trimmed = text.trim()
  const day_first = DAY_FIRST.exec(trimmed)
  const match = day_first ?? YEAR_FIRST.exec(trimmed)
  if (match === null) return null
  const [, first = '', month = '', last = '', hour = '00', minute = '00', second = '00'] = match
  const [year, day] = day_first ? [last, first] : [first, last]
  return santiagoInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}`)
}

/**
 * The instant of a local time. Where the clock went back and the time was twice, the first one: a term that runs from
 * it must not be thought longer than it is.
 */
function santiagoInstant(local: string): Date | null {
  const as_utc = Date.parse(`${local}Z`)
  if (Number.isNaN(as_utc) || new Date(as_utc).toISOString().slice(0, 19) !== local) return null
  // Santiago has been three or four hours behind since 1947, the earlier instant being the one of the lesser distance.
  for (const hours of [3, 4]) {
    const instant = new Date(as_utc + hours * 3_600_000)
    if (santiagoTimestamp(instant) === local) return instant
  }
  // A time that the clock skipped: the hour before it and the hour after it are the same one.
  return new Date(as_utc + 4 * 3_600_000)
}

/** A civil date as the status services read it: `DDMMAAAA`. */
export function compactDate(date: string): string {
  return date.split('-').reverse().join('')
}

/** A civil date as the boleta API reads it: `DD-MM-AAAA`. */
export function dashedDate(date: string): string {
  return date.split('-').reverse().join('-')
}
