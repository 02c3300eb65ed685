import { FOLIOS } from '../../../catalog/limits.ts'
import type { CafRow } from './show.ts'

const DAY_MS = 86_400_000
/** By this hour the day has begun in Santiago, in summer and in winter. */
const DAY_HAS_BEGUN = 'T04:00:00Z'

const startOf = (civil_date: string) => new Date(`${civil_date}${DAY_HAS_BEGUN}`)

/** Whole days from one civil date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((startOf(to).getTime() - startOf(from).getTime()) / DAY_MS)
}

type Ending = Pick<CafRow, 'expires_on'>

/** When the end of a range is looked at: 30, 7 and 1 days before it, and when it is past. */
function looksAt({ expires_on }: Ending): Date[] {
  if (expires_on === null) return []
  const last_day = startOf(expires_on).getTime()
  return [...FOLIOS.expiring_days, -1].map((days) => new Date(last_day - days * DAY_MS))
}

/** The next moment at which the end of a range is looked at. */
export function nextLook(row: Ending, now: Date): Date | null {
  return looksAt(row).find((look) => look > now) ?? null
}

/** Whether anything is to be told yet: a test clock that went back brings whoever looks here too early. */
export function isLookDue(row: Ending, now: Date): boolean {
  return looksAt(row).some((look) => look <= now)
}
