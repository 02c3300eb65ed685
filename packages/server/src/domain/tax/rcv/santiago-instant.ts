import { santiagoTimestamp } from '@timbre/dte/values'

const HOUR_MS = 3_600_000
/** What Chile is behind UTC: three hours in summer and four in winter; five was the law for some months long ago. */
const HOURS_BEHIND = [3, 4, 5] as const
const HOUR_CHARS = 'YYYY-MM-DDTHH'.length
const KNOWN_MOST = 2_000

// Asking the calendar is slow and a register asks it for every line: within an hour the answer is the same.
const known = new Map<string, number>()

function hoursBehind(local: string): number {
  const hour = local.slice(0, HOUR_CHARS)
  const before = known.get(hour)
  if (before !== undefined) return before
  const start = `${hour}:00:00`
  const utc = Date.parse(`${start}Z`)
  const found = HOURS_BEHIND.find((hours) => santiagoTimestamp(new Date(utc + hours * HOUR_MS)) === start) ?? 4
  if (known.size >= KNOWN_MOST) known.clear()
  known.set(hour, found)
  return found
}

/**
 * The instant of a time that the SII wrote without zone (`2026-10-05T12:00:00`): Santiago is meant. The hour that is
 * skipped in spring does not exist; it is read as if the clock had not moved yet.
 */
export function santiagoInstant(local: string): Date {
  return new Date(Date.parse(`${local}Z`) + hoursBehind(local) * HOUR_MS)
}
