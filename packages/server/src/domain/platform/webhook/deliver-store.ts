import { type Fragment, listed, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { DeliveryError } from './schema.ts'
import type { Task } from './task-store.ts'

/** The result of one turn of a delivery. */
export interface Outcome {
  readonly task: Task
  /** The `Svc-Delivery-Attempt` header; null when no request was made. */
  readonly attempt: number | null
  readonly at: Date
  readonly succeeded: boolean
  readonly error: DeliveryError | null
  readonly response_status: number | null
  readonly response_excerpt: string | null
  readonly duration_ms: number
  readonly next_attempt_at: Date | null
}

/** Nothing more will be tried. */
export const isOver = ({ next_attempt_at }: Outcome) => next_attempt_at === null

/**
 * Records the outcomes of many deliveries and, in the same statement, the end of jobs that are over with them. A
 * delivery that is settled stays as it is. Every request is told in a row of its own but for the one of a delivery that arrived at
 * the first attempt: that one is told by the delivery itself (`attempt-log.ts`).
 */
export async function recordOutcomes(sql: Sql, outcomes: readonly Outcome[], endJobs?: Fragment): Promise<void> {
  const column = <T>(pick: (outcome: Outcome) => T): T[] => outcomes.map(pick)
  const ended = endJobs ? part`ended as (${endJobs}),` : nothing
  // An upsert of rows that are there: it goes through the primary key, whatever the planner thinks of the table.
  await sql`
    with ${ended} o as (
      select d.account_id, d.mode, d.event_id, d.event_type, d.trigger, d.created_at, o.*
      from (select ${listed.text(column((o) => o.task.endpoint_id))} as endpoint_id,
        ${listed.text(column((o) => o.task.id))} as id, ${listed.integer(column((o) => o.attempt))} as attempt,
        ${listed.timestamptz(column((o) => o.at.toISOString()))} as at,
        ${listed.boolean(column((o) => (isOver(o) ? o.succeeded : null)))} as succeeded,
        ${listed.text(column((o) => o.error))} as error,
        ${listed.integer(column((o) => o.response_status))} as response_status,
        ${listed.text(column((o) => o.response_excerpt))} as response_excerpt,
        ${listed.integer(column((o) => o.duration_ms))} as duration_ms,
        ${listed.timestamptz(column((o) => o.next_attempt_at?.toISOString() ?? null))} as next_attempt_at) o
      cross join lateral (
        select * from webhook_delivery d where d.endpoint_id = o.endpoint_id and d.id = o.id limit 1) d
    ), written as (
      insert into webhook_delivery as d (account_id, mode, endpoint_id, id, event_id, event_type, trigger, created_at,
        attempts, succeeded, error, response_status, response_excerpt, duration_ms, next_attempt_at, finished_at)
      select account_id, mode, endpoint_id, id, event_id, event_type, trigger, created_at,
        case when attempt is null then 0 else 1 end, succeeded, error, response_status, response_excerpt,
        case when attempt is not null then duration_ms end, next_attempt_at, case when succeeded is not null then at end
      from o
      on conflict (endpoint_id, id) do update set attempts = d.attempts + excluded.attempts,
        succeeded = excluded.succeeded, error = excluded.error, response_status = excluded.response_status,
        response_excerpt = excluded.response_excerpt, duration_ms = excluded.duration_ms,
        next_attempt_at = excluded.next_attempt_at, finished_at = excluded.finished_at
      where d.succeeded is null
      returning d.id, d.attempts = 1 and d.succeeded as tells_all
    )
    insert into webhook_attempt (account_id, mode, delivery_id, attempt, at, response_status, error, duration_ms)
    select o.account_id, o.mode, o.id, o.attempt, o.at, o.response_status, o.error, o.duration_ms
    from o left join written w on w.id = o.id
    where o.attempt is not null and not (o.attempt = 1 and coalesce(w.tells_all, false))`
}
