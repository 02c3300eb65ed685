import { CEILINGS } from '../../../catalog/limits.ts'
import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { attemptLog } from './attempt-log.ts'
import {
  attemptsOf,
  countAttempts,
  findDelivery,
  insertDelivery,
  listDeliveryRows,
  type NewDelivery,
  shiftAttemptsBack,
} from './delivery-store.ts'
import { reachOf, requireEndpoint } from './endpoint.ts'
import { deliverWebhook } from './jobs.ts'
import type {
  DeliveryPath,
  DeliveryQuery,
  EndpointPath,
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
} from './schema.ts'
import { type DeliveryRow, type EndpointRow, showDelivery, showEndpoint, showWithAttempts } from './show.ts'
import { shiftFailuresBack } from './store.ts'

export async function listDeliveries(
  ctx: AccountContext,
  { webhook_endpoint_id, status, event_id, ...page }: EndpointPath & DeliveryQuery,
): Promise<ListPage<WebhookDelivery>> {
  const endpoint = await requireEndpoint(ctx, webhook_endpoint_id)
  const filter = { ...(status && { status }), ...(event_id !== undefined && { event_id }) }
  const fetch = (place: { before: string | null; take: number }) =>
    listDeliveryRows(ctx.sql, endpoint, reachOf(ctx), filter, place)
  return pageById(ctx, `deliveries of ${endpoint.id}`, filter, page, fetch, showDelivery)
}

async function requireDelivery(ctx: AccountContext, endpoint: EndpointRow, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(ctx.sql, endpoint, reachOf(ctx), id)
  if (!row) throw new Problem('delivery_not_found')
  return row
}

export async function readDelivery(ctx: AccountContext, input: DeliveryPath): Promise<WebhookDeliveryWithAttempts> {
  const endpoint = await requireEndpoint(ctx, input.webhook_endpoint_id)
  const delivery = await requireDelivery(ctx, endpoint, input.delivery_id)
  return showWithAttempts(delivery, attemptLog(delivery, await attemptsOf(ctx.sql, endpoint, delivery.id)))
}

/** A delivery that somebody asked for: a replay is one attempt, a ping is tried again as any event is. */
async function requestDelivery(
  ctx: AccountContext,
  endpoint: EndpointRow,
  of: Pick<NewDelivery, 'event_id' | 'event_type' | 'empresa_rut' | 'trigger'>,
): Promise<WebhookDelivery> {
  const row = await insertDelivery(ctx.sql, ctx.account, {
    ...of,
    id: newId('webhook_delivery'),
    endpoint_id: endpoint.id,
    created_at: ctx.now(),
  })
  const payload = { endpoint_id: endpoint.id, delivery_ids: [row.id] }
  await ctx.enqueue(deliverWebhook, { payload, lane: endpoint.id })
  return showDelivery(row)
}

/** Its address or its secret may be an intruder's, or an agent's that is gone: nothing is signed for it until its owner enables it. */
function requireTrusted(endpoint: EndpointRow): EndpointRow {
  const { disabled_reason, secret_exposed, grant_ended, secret_grant_ended } = endpoint
  if (disabled_reason === 'account_recovered' || secret_exposed || grant_ended || secret_grant_ended) {
    throw new Problem('webhook_endpoint_distrusted')
  }
  return endpoint
}

/** An event for this endpoint alone, also while it is disabled: it is how one finds out whether to enable it. */
export async function pingEndpoint(ctx: AccountContext, input: EndpointPath): Promise<WebhookDelivery> {
  const endpoint = requireTrusted(await requireEndpoint(ctx, input.webhook_endpoint_id))
  const event_id = ctx.emit({ type: 'ping', object: showEndpoint(endpoint), empresa: null })
  return requestDelivery(ctx, endpoint, { event_id, event_type: 'ping', empresa_rut: null, trigger: 'ping' })
}

/**
 * Sends an event once more, as a delivery of its own. The endpoint is locked, so that of many concurrent replays none
 * slips past the ceiling.
 */
export async function retryDelivery(ctx: AccountContext, input: DeliveryPath): Promise<WebhookDelivery> {
  const endpoint = requireTrusted(await requireEndpoint(ctx, input.webhook_endpoint_id, { lock: true }))
  const { event_id, event_type, empresa_rut } = await requireDelivery(ctx, endpoint, input.delivery_id)
  if ((await countAttempts(ctx.sql, endpoint, event_id)) >= CEILINGS.delivery_attempts) {
    throw new Problem('too_many_replays')
  }
  return requestDelivery(ctx, endpoint, { event_id, event_type, empresa_rut, trigger: 'replay' })
}

/** A sandbox clock goes back: pending attempts and the count of failures go back with it. */
export async function shiftDeliveriesBack(sql: Sql, account_id: string, ms: number): Promise<void> {
  await shiftAttemptsBack(sql, account_id, ms)
  await shiftFailuresBack(sql, account_id, ms)
}
