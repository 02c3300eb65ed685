import { santiagoTimestamp } from '@timbre/dte/values'
import { ANSWERABLE_TIPOS, DEADLINE_WARNING_DAYS } from '../../../catalog/reception.ts'
import { RETENTION } from '../../../catalog/retention.ts'

const DAY_MS = 86_400_000

/** Eight calendar days from the SII's reception (Ley 19.983, art. 3); null where the tipo takes no answer. */
export function deadlineOf(tipo_dte: number, sii_received_at: Date): Date | null {
  if (!ANSWERABLE_TIPOS.includes(tipo_dte)) return null
  return new Date(sii_received_at.getTime() + RETENTION.received_document_answer_days * DAY_MS)
}

/** The next moment at which a document without an answer is looked at: 3 days and 1 day before the end, and at the end. */
export function nextLook(deadline_at: Date, now: Date): Date | null {
  const looks = [...DEADLINE_WARNING_DAYS, 0].map((days) => new Date(deadline_at.getTime() - days * DAY_MS))
  return looks.find((look) => look > now) ?? null
}

/** The warning that is due: the smallest number of days that the rest still fits in. Null while there is more time. */
export function warningDue(deadline_at: Date, now: Date): number | null {
  const left = (deadline_at.getTime() - now.getTime()) / DAY_MS
  return DEADLINE_WARNING_DAYS.findLast((days) => left <= days) ?? null
}

/** The first look at a document that just came: at once where little time is left, for then it is warned about at once. */
export function firstLook(deadline_at: Date, now: Date): Date {
  return warningDue(deadline_at, now) === null ? (nextLook(deadline_at, now) ?? now) : now
}

/** The instant that a local time of Santiago names, as documents carry it; null for what is not one. */
function instantOf(local: string): Date | null {
  const guess = new Date(`${local}Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(local) || Number.isNaN(guess.getTime())) return null
  const shown = new Date(`${santiagoTimestamp(guess)}Z`)
  return new Date(2 * guess.getTime() - shown.getTime())
}

const LEAST_DAYS_LEFT = 1

/**
 * When the SII received a document, as far as the document itself tells: not before it was signed. The clock then
 * starts early rather than late, for a warning too soon costs nothing and one too late costs the claim. But whoever
 * signs also writes the date, so a day is always left: nothing is taken for accepted before it was warned about.
 */
export function siiReceivedAt(signed_at: string | null, received_at: Date): Date {
  const signed = signed_at === null ? null : instantOf(signed_at)
  if (!signed || signed > received_at) return received_at
  const days = RETENTION.received_document_answer_days - LEAST_DAYS_LEFT
  return new Date(Math.max(signed.getTime(), received_at.getTime() - days * DAY_MS))
}
