import type { Mode } from '../../../catalog/modes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { part, type Sql } from '../../../kernel/db.ts'
import { type EventData, openEventData } from '../../../kernel/event-data.ts'
import { grantStands } from '../agent-grant/sql.ts'
import { joinEvent } from '../event/lookup.ts'
import type { EventRow } from '../event/show.ts'
import type { DeliveryError } from './schema.ts'
import type { DeliveryRow } from './show.ts'

export interface DeliveryName {
  readonly endpoint_id: string
  readonly delivery_id: string
}

/** A delivery with everything its next attempt needs. Endpoint and event are null when they are gone. */
export interface Task extends Pick<DeliveryRow, 'id' | 'endpoint_id' | 'trigger'> {
  readonly account_id: string
  readonly mode: Mode
  readonly event_id: string
  readonly status: DeliveryRow['status']
  readonly attempts: number
  readonly next_attempt_at: Date | null
  readonly endpoint: {
    readonly url: string
    readonly enabled: boolean
    /** False once the grant of the agent that made it has ended: nothing is sent there any more. */
    readonly stands: boolean
    /** Sealed: the current one and, while it is being replaced, the previous one. */
    readonly secrets: readonly Buffer[]
    readonly failing: boolean
  } | null
  /** Its data as the JSON text that was written. */
  readonly event: (Omit<EventRow, 'data'> & { readonly data: string }) | null
  /** Of this event at this endpoint: attempts made so far, and other deliveries that are pending. */
  readonly made: number
  readonly others_waiting: number
}

interface TaskRow extends Omit<Task, 'endpoint' | 'event'>, Pick<DeliveryRow, 'event_type' | 'empresa_rut'>, EventData {
  readonly url: string | null
  readonly enabled: boolean
  readonly stands: boolean
  readonly failing: boolean
  readonly secret: Buffer
  readonly previous_secret: Buffer | null
  readonly event_at: Date | null
  readonly empresa_id: string | null
}

/** One that is not kept any more carries nothing. */
function dataOf({ event_at, data, packed, base_id }: TaskRow): EventData {
  return event_at === null ? { data: '', packed: null, base_id: null } : { data, packed, base_id }
}

function taskOf(row: TaskRow, data: string): Task {
  const { account_id, mode, endpoint_id, id, event_id, event_type, empresa_rut, empresa_id } = row
  const { url, enabled, stands, failing, secret, previous_secret, event_at: created_at } = row
  const secrets = previous_secret === null ? [secret] : [secret, previous_secret]
  return {
    account_id,
    mode,
    endpoint_id,
    id,
    event_id,
    trigger: row.trigger,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at,
    made: row.made,
    others_waiting: row.others_waiting,
    endpoint: url === null ? null : { url, enabled, stands, secrets, failing },
    event:
      created_at === null ? null : { id: event_id, mode, empresa_id, empresa_rut, type: event_type, created_at, data },
  }
}

// Every row is looked up by a lateral join that only one index can serve: a plan is made while a table is small and
// any way through it looks as good, and it is kept when the table has grown.
const PAIR = part`
  select sum(o.attempts) as made, count(*) filter (where o.status = 'pending' and o.id <> d.id) as waiting
  from webhook_delivery o
  where (d.attempts > 0 or d.trigger = 'replay') and o.event_id = d.event_id and o.endpoint_id || '' = d.endpoint_id`

/** Tasks in the order of the names; null for a delivery that is not there any more. */
export async function loadTasks(sql: Sql, names: readonly DeliveryName[]): Promise<(Task | null)[]> {
  const now = new Date(systemNow())
  const rows = await sql<TaskRow>`
    select d.account_id, d.mode, d.endpoint_id, d.id, d.event_id, d.event_type, d.empresa_rut, d.trigger, d.status,
      d.attempts, d.next_attempt_at, e.url, e.status = 'enabled' as enabled, 
      ${grantStands(part`e.id`)} and e.disabled_reason is distinct from 'account_recovered' as stands,
      e.failing_since is not null as failing, e.secret,
      case when e.previous_secret_until > ${now} then e.previous_secret end as previous_secret,
      v.created_at as event_at, v.empresa_id, v.data::text as data, v.packed, v.base_id,
      coalesce(p.made, 0) as made, coalesce(p.waiting, 0) as others_waiting
    from unnest(${names.map((n) => n.endpoint_id)}::text[], ${names.map((n) => n.delivery_id)}::text[]) as n (e, d)
    cross join lateral (select * from webhook_delivery d where d.id = n.d and d.endpoint_id || '' = n.e limit 1) d
    left join lateral (select * from webhook_endpoint e where e.id = d.endpoint_id limit 1) e on true
    ${joinEvent('d')}
    left join lateral (${PAIR}) p on true`
  const texts = await openEventData(sql, rows.map(dataOf))
  const found = new Map(rows.map((row, i) => [row.id, taskOf(row, texts[i] as string)]))
  return names.map(({ delivery_id }) => found.get(delivery_id) ?? null)
}

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

/** Records the outcomes of many deliveries and every request made. A delivery that is settled stays as it is. */
export async function recordOutcomes(sql: Sql, outcomes: readonly Outcome[]): Promise<void> {
  const column = <T>(pick: (outcome: Outcome) => T): T[] => outcomes.map(pick)
  const pending = (o: Outcome) => o.next_attempt_at !== null
  // An upsert of rows that are there: it goes through the primary key, whatever the planner thinks of the table.
  await sql`
    with o as (
      select d.account_id, d.mode, d.endpoint_id, d.event_id, d.event_type, d.trigger, d.created_at, o.*
      from unnest(${column((o) => o.task.id)}::text[], ${column((o) => o.attempt)}::integer[],
        ${column((o) => o.at.toISOString())}::timestamptz[],
        ${column((o) => (pending(o) ? null : o.succeeded))}::boolean[], ${column((o) => o.error)}::text[],
        ${column((o) => o.response_status)}::integer[], ${column((o) => o.response_excerpt)}::text[],
        ${column((o) => o.duration_ms)}::integer[],
        ${column((o) => o.next_attempt_at?.toISOString() ?? null)}::timestamptz[])
        as o (id, attempt, at, succeeded, error, response_status, response_excerpt, duration_ms, next_attempt_at)
      cross join lateral (select * from webhook_delivery d where d.id = o.id limit 1) d
    ), made as (
      insert into webhook_attempt (account_id, mode, delivery_id, attempt, at, response_status, error, duration_ms)
      select account_id, mode, id, attempt, at, response_status, error, duration_ms from o where attempt is not null
    )
    insert into webhook_delivery as d (account_id, mode, endpoint_id, id, event_id, event_type, trigger, created_at,
      attempts, succeeded, error, response_status, response_excerpt, duration_ms, next_attempt_at, finished_at)
    select account_id, mode, endpoint_id, id, event_id, event_type, trigger, created_at,
      case when attempt is null then 0 else 1 end, succeeded, error, response_status, response_excerpt,
      case when attempt is not null then duration_ms end, next_attempt_at, case when succeeded is not null then at end
    from o
    on conflict (id) do update set attempts = d.attempts + excluded.attempts,
      succeeded = excluded.succeeded, error = excluded.error, response_status = excluded.response_status,
      response_excerpt = excluded.response_excerpt, duration_ms = excluded.duration_ms,
      next_attempt_at = excluded.next_attempt_at, finished_at = excluded.finished_at
    where d.succeeded is null`
}
