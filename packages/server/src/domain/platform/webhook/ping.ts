import { newId } from '../../../kernel/id.ts'
import type { AccountContext } from '../../context.ts'
import { insertDelivery } from './delivery-store.ts'
import { requireEndpoint } from './find.ts'
import { deliverWebhook } from './jobs.ts'
import type { EndpointPath, WebhookDelivery } from './schema.ts'
import { showDelivery, showEndpoint } from './show.ts'

/** An event of its own for this endpoint alone, also while it is disabled: it is how one finds out whether to enable it. */
export async function pingEndpoint(ctx: AccountContext, input: EndpointPath): Promise<WebhookDelivery> {
  const endpoint = await requireEndpoint(ctx, input.webhook_endpoint_id)
  const event_id = ctx.emit({ type: 'ping', object: showEndpoint(endpoint), empresa: null })
  const row = await insertDelivery(ctx.sql, ctx.account, {
    id: newId('webhook_delivery'),
    endpoint_id: endpoint.id,
    event_id,
    event_type: 'ping',
    empresa_rut: null,
    trigger: 'ping',
    created_at: ctx.now(),
  })
  const payload = { delivery_id: row.id, endpoint_id: endpoint.id }
  await ctx.enqueue(deliverWebhook, { payload, lane: endpoint.id })
  return showDelivery(row)
}
