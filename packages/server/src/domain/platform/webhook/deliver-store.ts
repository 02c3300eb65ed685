import type { Mode } from '../../../catalog/modes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import { type EventData, openEventData } from '../../../kernel/event-data.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { grantStands } from '../agent-grant/sql.ts'
import { joinEvent } from '../event/lookup.ts'
import type { EventRow } from '../event/show.ts'
import type { DeliveryError } from './schema.ts'
import type { DeliveryRow } from './show.ts'

export interface DeliveryName {
  readonly endpoint_id: string
  readonly delivery_id: string
}

/** An endpoint as the deliveries that were read together see it. */
interface TaskEndpoint {
  readonly url: string
  readonly enabled: boolean
  /** False once the grant of the agent that made it has ended: nothing is sent there any more. */
  readonly stands: boolean
  /** Sealed: the current one and, while it is being replaced, the previous one. */
  readonly secrets: readonly Buffer[]
  readonly failing: boolean
}

/** A delivery with everything its next attempt needs. Endpoint and event are null when they are gone. */
export interface Task extends Pick<DeliveryRow, 'id' | 'endpoint_id' | 'trigger'> {
  readonly account_id: string
  readonly mode: Mode
  readonly event_id: string
  readonly status: DeliveryRow['status']
  readonly attempts: number
  readonly next_attempt_at: Date | null
  readonly endpoint: TaskEndpoint | null
  /** Its data as the JSON text that was written. */
  readonly event: (Omit<EventRow, 'data'> & { readonly data: string }) | null
  /** Of this event at this endpoint: attempts made so far, and other deliveries that are pending. */
  readonly made: number
  readonly others_waiting: number
}

/** What is told of an endpoint stands in the first row of it. */
interface TaskRow
  extends Pick<DeliveryRow, 'event_id' | 'event_type' | 'empresa_rut' | 'trigger' | 'attempts'>,
    EventData {
  readonly status: DeliveryRow['status'] | null
  readonly next_attempt_at: Date | null
  readonly url: string | null
  readonly enabled: boolean
  readonly stands: boolean
  readonly failing: boolean
  readonly secret: Buffer
  readonly previous_secret: Buffer | null
  readonly event_at: Date | null
  readonly empresa_id: string | null
  readonly made: number | null
  readonly others_waiting: number | null
}

function endpointOf({ url, enabled, stands, failing, secret, previous_secret }: TaskRow): TaskEndpoint | null {
  if (url === null) return null
  return { url, enabled, stands, failing, secrets: previous_secret === null ? [secret] : [secret, previous_secret] }
}

/** One that is not kept any more carries nothing. */
function dataOf({ event_at, data, packed, base_id }: TaskRow): EventData {
  return event_at === null ? { data: '', packed: null, base_id: null } : { data, packed, base_id }
}

function eventOf({ mode }: AccountScope, row: TaskRow, data: string): Task['event'] {
  const { event_id: id, event_type: type, event_at: created_at, empresa_id, empresa_rut } = row
  return created_at === null ? null : { id, mode, empresa_id, empresa_rut, type, created_at, data }
}

function taskOf(
  scope: AccountScope,
  { endpoint_id, delivery_id }: DeliveryName,
  row: TaskRow,
  { endpoint, event }: Pick<Task, 'endpoint' | 'event'>,
): Task | null {
  if (row.status === null) return null
  return {
    account_id: scope.account_id,
    mode: scope.mode,
    endpoint_id,
    id: delivery_id,
    event_id: row.event_id,
    trigger: row.trigger,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at,
    made: row.made ?? 0,
    others_waiting: row.others_waiting ?? 0,
    endpoint,
    event,
  }
}

// Every row is looked up by a lateral join that only one index can serve: a plan is made while a table is small and
// any way through it looks as good, and it is kept when the table has grown.
const PAIR = part`
  select sum(o.attempts) as made, count(*) filter (where o.status = 'pending' and o.id <> d.id) as waiting
  from webhook_delivery o
  where (d.attempts > 0 or d.trigger = 'replay') and o.event_id = d.event_id and o.endpoint_id || '' = d.endpoint_id`

/** Tasks in the order of the names; null for a delivery that is not there any more. */
export async function loadTasks(
  sql: Sql,
  scope: AccountScope,
  names: readonly DeliveryName[],
): Promise<(Task | null)[]> {
  const now = new Date(systemNow())
  const seen = new Set<string>()
  // An endpoint is read once, with the first of its deliveries: most often there is one endpoint and a hundred of them.
  const is_first = names.map(({ endpoint_id }) => !seen.has(endpoint_id) && Boolean(seen.add(endpoint_id)))
  const rows = await sql<TaskRow>`
    select d.event_id, d.event_type, d.empresa_rut, d.trigger, d.status, d.attempts, d.next_attempt_at,
      e.url, e.enabled, e.stands, e.failing, e.secret, e.previous_secret,
      v.created_at as event_at, v.empresa_id, v.data::text as data, v.packed, v.base_id,
      p.made, p.waiting as others_waiting
    from unnest(${names.map((n) => n.endpoint_id)}::text[], ${names.map((n) => n.delivery_id)}::text[],
      ${is_first}::boolean[]) with ordinality as n (e, d, is_first, place)
    left join lateral (
      select * from webhook_delivery d
      where d.endpoint_id = n.e and d.id = n.d and d.account_id = ${scope.account_id} limit 1) d on true
    left join lateral (
      select e.url, e.status = 'enabled' as enabled, e.failing_since is not null as failing, e.secret,
        ${grantStands(part`e.id`)} and e.disabled_reason is distinct from 'account_recovered' as stands,
        case when e.previous_secret_until > ${now} then e.previous_secret end as previous_secret
      from webhook_endpoint e where n.is_first and e.id = n.e and e.account_id || '' = ${scope.account_id} limit 1) e on true
    ${joinEvent('d')}
    left join lateral (${PAIR}) p on true
    order by n.place`
  const texts = await openEventData(sql, rows.map(dataOf))
  const endpoints = new Map<string, TaskEndpoint | null>()
  return names.map((name, i) => {
    const row = rows[i] as TaskRow
    if (is_first[i]) endpoints.set(name.endpoint_id, endpointOf(row))
    const endpoint = endpoints.get(name.endpoint_id) ?? null
    return taskOf(scope, name, row, { endpoint, event: eventOf(scope, row, texts[i] as string) })
  })
}

/** The result of one turn of a delivery. */
export interface Outcome {
  readonly job_id: string
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

/** Ends jobs as a part of a statement. */
export type EndJobs = (ids: readonly string[]) => Fragment

/** Nothing more will be tried. */
const isOver = ({ next_attempt_at }: Outcome) => next_attempt_at === null

/**
 * Records the outcomes of many deliveries and, where `endJobs` is given, the end of the jobs of those that are over. A
 * delivery that is settled stays as it is. Every request is told in a row of its own but for the one of a delivery that arrived at
 * the first attempt: that one is told by the delivery itself (`attempt-log.ts`).
 */
export async function recordOutcomes(sql: Sql, outcomes: readonly Outcome[], endJobs?: EndJobs): Promise<void> {
  const column = <T>(pick: (outcome: Outcome) => T): T[] => outcomes.map(pick)
  const ended = endJobs ? part`ended as (${endJobs(outcomes.filter(isOver).map(({ job_id }) => job_id))}),` : nothing
  // An upsert of rows that are there: it goes through the primary key, whatever the planner thinks of the table.
  await sql`
    with ${ended} o as (
      select d.account_id, d.mode, d.event_id, d.event_type, d.trigger, d.created_at, o.*
      from unnest(${column((o) => o.task.endpoint_id)}::text[], ${column((o) => o.task.id)}::text[],
        ${column((o) => o.attempt)}::integer[],
        ${column((o) => o.at.toISOString())}::timestamptz[],
        ${column((o) => (isOver(o) ? o.succeeded : null))}::boolean[], ${column((o) => o.error)}::text[],
        ${column((o) => o.response_status)}::integer[], ${column((o) => o.response_excerpt)}::text[],
        ${column((o) => o.duration_ms)}::integer[],
        ${column((o) => o.next_attempt_at?.toISOString() ?? null)}::timestamptz[])
        as o (endpoint_id, id, attempt, at, succeeded, error, response_status, response_excerpt, duration_ms, next_attempt_at)
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
