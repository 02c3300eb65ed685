import { CEILINGS } from '../../../catalog/limits.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { reachOf } from './find.ts'
import type { CreateWebhookEndpoint, WebhookEndpointWithSecret } from './schema.ts'
import { newSigningSecret, sealSecret } from './secret.ts'
import { checkEmpresas, checkUrl, normalEvents } from './settings.ts'
import { showEndpoint } from './show.ts'
import { countEndpoints, insertEndpoint } from './store.ts'

export async function createEndpoint(
  ctx: AccountContext,
  input: CreateWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  const { account, sql } = ctx
  const url = checkUrl(ctx, input.url)
  const empresas = checkEmpresas(ctx, input.empresas ?? reachOf(ctx) ?? ['*'])
  if ((await countEndpoints(sql, account)) >= CEILINGS.webhook_endpoints) {
    throw new Problem('webhook_endpoint_limit_reached')
  }
  const id = newId('webhook_endpoint')
  const secret = newSigningSecret()
  const row = await insertEndpoint(sql, {
    account_id: account.account_id,
    id,
    mode: account.mode,
    url,
    description: input.description ?? '',
    enabled_events: normalEvents(input.enabled_events ?? ['*']),
    empresas,
    secret: sealSecret(ctx.ports.vault, id, secret),
    created_at: ctx.now(),
  })
  return { ...showEndpoint(row), secret }
}
