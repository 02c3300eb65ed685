import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { attemptsOf, findDelivery, listDeliveryRows } from './delivery-store.ts'
import { reachOf, requireEndpoint } from './find.ts'
import type {
  DeliveryPath,
  DeliveryQuery,
  EndpointPath,
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
} from './schema.ts'
import { type DeliveryRow, type EndpointRow, showDelivery, showWithAttempts } from './show.ts'

export async function listDeliveries(
  ctx: AccountContext,
  { webhook_endpoint_id, status, event_id, ...page }: EndpointPath & DeliveryQuery,
): Promise<ListPage<WebhookDelivery>> {
  const endpoint = await requireEndpoint(ctx, webhook_endpoint_id)
  const filter = { ...(status && { status }), ...(event_id !== undefined && { event_id }) }
  const fetch = (place: { before: string | null; take: number }) =>
    listDeliveryRows(ctx.sql, endpoint, reachOf(ctx), filter, place)
  return pageById(`deliveries of ${endpoint.id}`, filter, page, fetch, showDelivery)
}

export async function requireDelivery(ctx: AccountContext, endpoint: EndpointRow, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(ctx.sql, endpoint, reachOf(ctx), id)
  if (!row) throw new Problem('delivery_not_found')
  return row
}

export async function readDelivery(ctx: AccountContext, input: DeliveryPath): Promise<WebhookDeliveryWithAttempts> {
  const endpoint = await requireEndpoint(ctx, input.webhook_endpoint_id)
  const delivery = await requireDelivery(ctx, endpoint, input.delivery_id)
  return showWithAttempts(delivery, await attemptsOf(ctx.sql, endpoint, delivery.id))
}
