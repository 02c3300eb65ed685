import { FOLIO_REFUSALS, type FolioRefusalReason } from '../../../catalog/folio-refusals.ts'
import { FOLIOS } from '../../../catalog/limits.ts'
import type { RefusalRow } from './refusal-store.ts'

const HOUR_MS = 3_600_000

const isReason = (reason: string): reason is FolioRefusalReason => Object.hasOwn(FOLIO_REFUSALS, reason)

/** When the service asks again by itself after a refusal: later each time, and never where only a person can mend it. */
export function afterRefusal(before: RefusalRow | null, reason: string, now: Date): RefusalRow {
  const refusals = (before?.refusals ?? 0) + 1
  if (isReason(reason) && FOLIO_REFUSALS[reason].mended_by === 'person') return { refusals, reason, retry_at: null }
  const hours = FOLIOS.ask_again_hours[Math.min(refusals, FOLIOS.ask_again_hours.length) - 1] ?? 0
  return { refusals, reason, retry_at: new Date(now.getTime() + hours * HOUR_MS) }
}

/** What became of the request that a low stock calls for, as `detail.request` of the alerts tells it. */
export type RefillOutcome = 'asked' | 'off' | 'waits' | 'needs_person'

/** Whether a refusal stands in the way of asking. */
export function standsInTheWay(refusal: RefusalRow | null, now: Date): 'waits' | 'needs_person' | null {
  if (refusal === null) return null
  if (refusal.retry_at === null) return 'needs_person'
  return refusal.retry_at > now ? 'waits' : null
}
