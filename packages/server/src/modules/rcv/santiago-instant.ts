import { santiagoTimestamp } from '@timbre/dte/values'

const HOUR_MS = 3_600_000
/** What Chile is behind UTC: three hours in summer and four in winter; five was the law for some months long ago. */
const HOURS_BEHIND = [3, 4, 5] as const

/**
 * The instant of a time that the SII wrote without zone (`2026-10-05T12:00:00`): Santiago is meant. The hour that is
 * skipped in spring does not exist; it is read as if the clock had not moved yet.
 */
export function santiagoInstant(local: string): Date {
  const utc = Date.parse(`${local}Z`)
  const found = HOURS_BEHIND.find((hours) => santiagoTimestamp(new Date(utc + hours * HOUR_MS)) === local)
  return new Date(utc + (found ?? 4) * HOUR_MS)
}
