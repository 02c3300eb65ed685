import { CEILINGS } from '../../../catalog/limits.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { countAttempts, insertDelivery } from './delivery-store.ts'
import { requireEndpoint } from './find.ts'
import { deliverWebhook } from './jobs.ts'
import { requireDelivery } from './read-deliveries.ts'
import type { DeliveryPath, WebhookDelivery } from './schema.ts'
import { showDelivery } from './show.ts'

/**
 * Sends an event once more, as a delivery of its own with one attempt. The endpoint is held meanwhile, so that of many
 * replays at the ceiling none slips past the count.
 */
export async function retryDelivery(ctx: AccountContext, input: DeliveryPath): Promise<WebhookDelivery> {
  const endpoint = await requireEndpoint(ctx, input.webhook_endpoint_id, { hold: true })
  const { event_id, event_type, empresa_rut } = await requireDelivery(ctx, endpoint, input.delivery_id)
  if ((await countAttempts(ctx.sql, endpoint, event_id)) >= CEILINGS.delivery_attempts) {
    throw new Problem('too_many_replays')
  }
  const row = await insertDelivery(ctx.sql, ctx.account, {
    id: newId('webhook_delivery'),
    endpoint_id: endpoint.id,
    event_id,
    event_type,
    empresa_rut,
    trigger: 'replay',
    created_at: ctx.now(),
  })
  const payload = { delivery_id: row.id, endpoint_id: endpoint.id }
  await ctx.enqueue(deliverWebhook, { payload, lane: endpoint.id })
  return showDelivery(row)
}
