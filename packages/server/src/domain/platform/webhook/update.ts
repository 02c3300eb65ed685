import { advance } from '../../../kernel/advance.ts'
import type { AccountContext } from '../../context.ts'
import { requireEndpoint } from './find.ts'
import { webhookEndpointMachine } from './machine.ts'
import type { EndpointPath, UpdateWebhookEndpoint, WebhookEndpoint } from './schema.ts'
import { checkEmpresas, checkUrl, normalEvents } from './settings.ts'
import { type EndpointRow, showEndpoint } from './show.ts'
import { noteReason, saveEndpoint } from './store.ts'

/** Asking for the status it has changes nothing. */
async function moveTo(ctx: AccountContext, row: EndpointRow, status: EndpointRow['status']): Promise<EndpointRow> {
  if (row.status === status) return row
  await advance(ctx.sql, webhookEndpointMachine, ctx.account, row.id, status)
  return noteReason(ctx.sql, row, status === 'disabled' ? 'requested' : null)
}

/** A field that was not sent stays as it was. The secret is untouched. */
export async function updateEndpoint(
  ctx: AccountContext,
  input: EndpointPath & UpdateWebhookEndpoint,
): Promise<WebhookEndpoint> {
  const row = await requireEndpoint(ctx, input.webhook_endpoint_id, { hold: true })
  const saved = await saveEndpoint(ctx.sql, row, {
    url: input.url === undefined ? row.url : checkUrl(ctx, input.url),
    description: input.description ?? row.description,
    enabled_events: input.enabled_events ? normalEvents(input.enabled_events) : row.enabled_events,
    empresas: input.empresas ? checkEmpresas(ctx, input.empresas) : row.empresas,
  })
  return showEndpoint(await moveTo(ctx, saved, input.status ?? saved.status))
}
