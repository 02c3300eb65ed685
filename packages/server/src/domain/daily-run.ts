import { createHash } from 'node:crypto'
import { DAY_MS, santiagoDate } from '@timbre/dte/values'

const MINUTE_MS = 60_000
/** Early in the morning in Santiago, and not all at the same minute. */
const FROM = 'T09:00:00Z'
const SPREAD_MINUTES = 180

/** The next daily run of an empresa or of a bank connection, by its id: always at the same minute of the day. */
export function nextDailyRun(id: string, now: Date): Date {
  const minute = createHash('sha256').update(id).digest().readUInt16BE() % SPREAD_MINUTES
  const today = Date.parse(`${santiagoDate(now)}${FROM}`) + minute * MINUTE_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}
