import type { AttemptRow, DeliveryRow } from './show.ts'

/** The request of a delivery that arrived at the first attempt, which has no row of its own: the delivery tells all of it. */
function onlyAttempt({ status, finished_at, response_status, error, duration_ms }: DeliveryRow): AttemptRow | null {
  if (status !== 'succeeded' || finished_at === null) return null
  return { attempt: 1, at: finished_at, response_status, error, duration_ms: duration_ms ?? 0 }
}

/** Every request that was made, in order, from the rows there are. */
export function attemptLog(delivery: DeliveryRow, rows: readonly AttemptRow[]): readonly AttemptRow[] {
  const only = onlyAttempt(delivery)
  if (only === null || rows.some(({ at }) => at.getTime() === only.at.getTime())) return rows
  return [...rows, only].sort((one, other) => one.at.getTime() - other.at.getTime() || one.attempt - other.attempt)
}
