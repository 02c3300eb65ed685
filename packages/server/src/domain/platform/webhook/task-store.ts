import type { Mode } from '../../../catalog/modes.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { listed, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { grantStands } from '../agent-grant/sql.ts'
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
export interface Task extends Pick<DeliveryRow, 'id' | 'endpoint_id' | 'event_id' | 'trigger' | 'status' | 'attempts'> {
  readonly account_id: string
  readonly mode: Mode
  /** Null before the first attempt, which is due when its job is. */
  readonly next_attempt_at: Date | null
  readonly endpoint: TaskEndpoint | null
  /** The event as it is sent. */
  readonly body: Uint8Array | null
  /** Of this event at this endpoint: attempts made so far, and other deliveries that are pending. */
  readonly made: number
  readonly others_waiting: number
}

type TaskDelivery = Pick<Task, 'event_id' | 'trigger' | 'status' | 'attempts' | 'next_attempt_at'>

/** What is told of an endpoint stands in the first row of it, beside its id. A row without a delivery has nulls in its place. */
interface TaskRow extends TaskDelivery {
  readonly endpoint_id: string | null
  readonly id: string | null
  readonly url: string | null
  readonly enabled: boolean
  readonly stands: boolean
  readonly failing: boolean
  readonly secret: Buffer
  readonly previous_secret: Buffer | null
}

function endpointOf({ url, enabled, stands, failing, secret, previous_secret }: TaskRow): TaskEndpoint | null {
  if (url === null) return null
  return { url, enabled, stands, failing, secrets: previous_secret === null ? [secret] : [secret, previous_secret] }
}

interface Found {
  readonly endpoints: ReadonlyMap<string, TaskEndpoint | null>
  /** By their ids. */
  readonly deliveries: ReadonlyMap<string, TaskDelivery>
}

/**
 * Deliveries by the list of their ids and, once each, their endpoints. What is looked up stands in subqueries that only one index
 * can serve: a plan is made while a table is small and any way through it looks as good, and it is kept when the table has grown.
 */
async function findDeliveries(sql: Sql, { account_id }: AccountScope, names: readonly DeliveryName[]): Promise<Found> {
  const now = new Date(systemNow())
  const ids = names.map(({ delivery_id }) => delivery_id).sort()
  // The bounds tell which months to look in: PostgreSQL does not see that in a list.
  const rows = await sql<TaskRow>`
    select x.*, e.*
    from (
      select case when lag(n.endpoint_id) over () is distinct from n.endpoint_id then n.endpoint_id end as endpoint_id,
        d.id, d.event_id, d.trigger, d.status, d.attempts, case when d.attempts > 0 then d.next_attempt_at end as next_attempt_at
      from unnest(${[...new Set(names.map(({ endpoint_id }) => endpoint_id))]}::text[]) as n (endpoint_id)
      left join lateral (
        select * from webhook_delivery d
        where d.endpoint_id = n.endpoint_id and d.id = any(${ids}::text[]) and d.id >= ${ids[0]} and d.id <= ${ids.at(-1)}
          and d.account_id = ${account_id}
        offset 0) d on true
    ) x
    left join lateral (
      select e.url, e.status = 'enabled' as enabled, e.failing_since is not null as failing, e.secret,
        ${grantStands(part`e.id`)} and e.disabled_reason is distinct from 'account_recovered' as stands,
        case when e.previous_secret_until > ${now} then e.previous_secret end as previous_secret
      from webhook_endpoint e
      where x.endpoint_id is not null and e.id = x.endpoint_id and e.account_id || '' = ${account_id} limit 1) e on true`
  const endpoints = new Map<string, TaskEndpoint | null>()
  const deliveries = new Map<string, TaskDelivery>()
  for (const row of rows) {
    if (row.endpoint_id !== null) endpoints.set(row.endpoint_id, endpointOf(row))
    if (row.id !== null) deliveries.set(row.id, row)
  }
  return { endpoints, deliveries }
}

type Tally = Pick<Task, 'made' | 'others_waiting'>

const FIRST: Tally = { made: 0, others_waiting: 0 }

/** What else was, or is to be, tried of the events of these deliveries at their endpoints, by delivery. */
async function tallyOthers(
  sql: Sql,
  { account_id }: AccountScope,
  names: readonly DeliveryName[],
): Promise<ReadonlyMap<string, Tally>> {
  if (names.length === 0) return new Map()
  const rows = await sql<Tally & { readonly id: string }>`
    select n.d as id, p.made, p.waiting as others_waiting
    from (select ${listed.text(names.map((n) => n.endpoint_id))} as e,
      ${listed.text(names.map((n) => n.delivery_id))} as d) n
    cross join lateral (
      select * from webhook_delivery d
      where d.endpoint_id = n.e and d.id = n.d and d.account_id = ${account_id} limit 1) d
    cross join lateral (
      select coalesce(sum(o.attempts), 0) as made, count(*) filter (where o.status = 'pending' and o.id <> d.id) as waiting
      from webhook_delivery o where o.event_id = d.event_id and o.endpoint_id || '' = d.endpoint_id) p`
  return new Map(rows.map(({ id, ...tally }) => [id, tally]))
}

/** Gives events by their ids, as they are sent. */
export type ReadEvents = (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>

/** Tasks in the order of the names; null for a delivery that is not there any more. */
export async function loadTasks(
  sql: Sql,
  scope: AccountScope,
  names: readonly DeliveryName[],
  readEvents: ReadEvents,
): Promise<(Task | null)[]> {
  const { endpoints, deliveries } = await findDeliveries(sql, scope, names)
  // Most deliveries are of an event that was never sent there.
  const again = names.filter(({ delivery_id }) => {
    const found = deliveries.get(delivery_id)
    return found && (found.attempts > 0 || found.trigger === 'replay')
  })
  const pending = [...deliveries.values()].filter(({ status }) => status === 'pending')
  const [events, tallies] = await Promise.all([
    readEvents([...new Set(pending.map(({ event_id }) => event_id))]),
    tallyOthers(sql, scope, again),
  ])
  const { account_id, mode } = scope
  return names.map(({ endpoint_id, delivery_id: id }) => {
    const found = deliveries.get(id)
    if (!found) return null
    const { event_id, trigger, status, attempts, next_attempt_at } = found
    const { made, others_waiting } = tallies.get(id) ?? FIRST
    const [endpoint, body] = [endpoints.get(endpoint_id) ?? null, events.get(event_id) ?? null]
    // Spelt out, as every object here that is made a thousand times a second: to spread one is slow.
    return {
      account_id,
      mode,
      endpoint_id,
      id,
      event_id,
      trigger,
      status,
      attempts,
      next_attempt_at,
      made,
      others_waiting,
      endpoint,
      body,
    }
  })
}
