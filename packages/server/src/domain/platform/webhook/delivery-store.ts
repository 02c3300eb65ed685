import { ID_PREFIXES } from '../../../catalog/ids.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { AttemptRow, DeliveryRow, EndpointRow } from './show.ts'
import { type EndpointReach, inSandbox } from './store.ts'

const COLUMNS = part`id, mode, endpoint_id, event_id, event_type, empresa_rut, trigger, status, attempts,
  response_status, response_excerpt, error, duration_ms, next_attempt_at, created_at, finished_at`

// An endpoint may have heard of more empresas before than it does now; a credential sees no more than its own.
function below(endpoint: EndpointRow, reach: EndpointReach): Fragment {
  return part`account_id = ${endpoint.account_id} and endpoint_id = ${endpoint.id}
    ${reach === null ? nothing : part`and (empresa_rut is null or empresa_rut = any(${reach}))`}`
}

const HEAD = ID_PREFIXES.event.length
const COARSE_CHARS = 7
const FLOOR = idFloor('webhook_delivery', new Date(0))

/**
 * The smallest id that a delivery of this event can have, so that older partitions are left alone. Cut to
 * about half a minute: the clocks of two processes need not agree to the millisecond.
 */
function firstDeliveryOf(event_id: string): string {
  const time = event_id.slice(HEAD, HEAD + COARSE_CHARS)
  const prefix = ID_PREFIXES.webhook_delivery
  return prefix + time + FLOOR.slice(prefix.length + time.length)
}

// `offset 0` is a fence: there are few of them, and walking an endpoint's whole history in order would meet them last.
function deliveriesOf(event_id: string): Fragment {
  return part`(
    select * from webhook_delivery where event_id = ${event_id} and id >= ${firstDeliveryOf(event_id)} offset 0) d`
}

export interface DeliveryFilter {
  readonly status?: DeliveryRow['status']
  readonly event_id?: string
}

export async function listDeliveryRows(
  sql: Sql,
  endpoint: EndpointRow,
  reach: EndpointReach,
  { status, event_id }: DeliveryFilter,
  page: { before: string | null; take: number },
): Promise<DeliveryRow[]> {
  return sql<DeliveryRow>`
    select ${COLUMNS} from ${event_id === undefined ? part`webhook_delivery` : deliveriesOf(event_id)}
    where ${below(endpoint, reach)}
      ${status === undefined ? nothing : part`and status = ${status}`}
      ${status === 'pending' || status === 'failed' ? part`and status <> 'succeeded'` : nothing}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export async function findDelivery(
  sql: Sql,
  endpoint: EndpointRow,
  reach: EndpointReach,
  id: string,
): Promise<DeliveryRow | null> {
  const [row] = await sql<DeliveryRow>`
    select ${COLUMNS} from webhook_delivery where ${below(endpoint, reach)} and id = ${id}`
  return row ?? null
}

export async function attemptsOf(sql: Sql, endpoint: EndpointRow, delivery_id: string): Promise<AttemptRow[]> {
  return sql<AttemptRow>`
    select attempt, at, response_status, error, duration_ms from webhook_attempt
    where account_id = ${endpoint.account_id} and delivery_id = ${delivery_id} order by at, attempt`
}

/** Attempts made of an event at an endpoint, and those sure to come: the next one of every pending delivery. */
export async function countAttempts(sql: Sql, endpoint: EndpointRow, event_id: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select coalesce(sum(attempts), 0) + count(*) filter (where status = 'pending') as count
    from ${deliveriesOf(event_id)} where account_id = ${endpoint.account_id} and endpoint_id = ${endpoint.id}`
  return row?.count ?? 0
}

export type NewDelivery = Pick<
  DeliveryRow,
  'id' | 'endpoint_id' | 'event_id' | 'event_type' | 'empresa_rut' | 'trigger' | 'created_at'
>

export async function insertDelivery(sql: Sql, scope: AccountScope, row: NewDelivery): Promise<DeliveryRow> {
  const [made] = await sql<DeliveryRow>`
    insert into webhook_delivery (account_id, mode, endpoint_id, id, event_id, event_type, empresa_rut, trigger,
      next_attempt_at, created_at)
    values (${scope.account_id}, ${scope.mode}, ${row.endpoint_id}, ${row.id}, ${row.event_id}, ${row.event_type},
      ${row.empresa_rut}, ${row.trigger}, ${row.created_at}, ${row.created_at})
    returning ${COLUMNS}`
  return made as DeliveryRow
}

export async function shiftAttemptsBack(sql: Sql, account_id: string, ms: number): Promise<void> {
  const sandbox = inSandbox(account_id)
  await sql`
    update webhook_delivery set next_attempt_at = next_attempt_at - make_interval(secs => ${ms / 1000})
    where ${sandbox} and endpoint_id in (select id from webhook_endpoint where ${sandbox})
      and succeeded is null and status <> 'succeeded'`
}
