import { createHash } from 'node:crypto'
import { santiagoDate } from '@timbre/dte/values'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Early in the morning in Santiago, and not all at the same minute. */
const FROM = 'T09:00:00Z'
const SPREAD_MINUTES = 180

/** The next time the register of an empresa is read unasked: always at the same minute of the day. */
export function nextSweep(empresa_id: string, now: Date): Date {
  const minute = createHash('sha256').update(empresa_id).digest().readUInt16BE() % SPREAD_MINUTES
  const today = Date.parse(`${santiagoDate(now)}${FROM}`) + minute * MINUTE_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}
