import { WEBHOOKS } from '../../../catalog/limits.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { Outcome } from './deliver-store.ts'

/** What went wrong at an endpoint since its last success. */
export interface Health {
  readonly id: string
  readonly failing_since: Date | null
  readonly failures: number
  readonly fails_several_events: boolean
}

const DAY_SECONDS = 86_400

/** Failures alone are not enough, nor time alone: one lost event, or a quiet endpoint, is no reason to give up. */
export function isBeyondHope({ failing_since, failures, fails_several_events }: Health, now: Date): boolean {
  if (failing_since === null || !fails_several_events || failures < WEBHOOKS.give_up_after_failures) return false
  return failing_since <= secondsFrom(now, -WEBHOOKS.give_up_after_days * DAY_SECONDS)
}

/** Counts failures, and forgets them all where anything succeeded. Gives the state of each endpoint named. */
export async function noteHealth(sql: Sql, outcomes: readonly Outcome[]): Promise<Map<string, Health>> {
  const byEndpoint = groups(outcomes)
  const notes = [...byEndpoint].map(([id, those]) => ({
    id,
    succeeded: those.some(({ succeeded }) => succeeded),
    failures: those.length,
    at: those[0]?.at,
    event_id: those[0]?.task.event_id,
    several: new Set(those.map(({ task }) => task.event_id)).size > 1,
  }))
  // Locked in order: two workers that meet at the same endpoints must not wait for each other in a circle.
  const rows = await sql<Health>`
    with held as (
      select id from webhook_endpoint where id = any(${notes.map(({ id }) => id)}::text[]) order by id for no key update
    )
    update webhook_endpoint e set
      failing_since = case when n.succeeded then null else coalesce(e.failing_since, n.at) end,
      failures = case when n.succeeded then 0 else e.failures + n.failures end,
      failing_event_id = case when n.succeeded then null else coalesce(e.failing_event_id, n.event_id) end,
      fails_several_events = not n.succeeded and (e.fails_several_events or n.several
        or coalesce(e.failing_event_id <> n.event_id, false))
    from held, unnest(${notes.map((n) => n.id)}::text[], ${notes.map((n) => n.succeeded)}::boolean[],
      ${notes.map((n) => n.failures)}::integer[], ${notes.map((n) => n.at)}::timestamptz[],
      ${notes.map((n) => n.event_id)}::text[], ${notes.map((n) => n.several)}::boolean[])
      as n (id, succeeded, failures, at, event_id, several)
    where e.id = held.id and n.id = e.id
    returning e.id, e.failing_since, e.failures, e.fails_several_events`
  return new Map(rows.map((row) => [row.id, row]))
}

function groups(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const found = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    const { endpoint_id } = outcome.task
    const those = found.get(endpoint_id)
    if (those) those.push(outcome)
    else found.set(endpoint_id, [outcome])
  }
  return found
}
