import { RETENTION } from '../../../catalog/retention.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { AccountContext } from '../../context.ts'
import { requireEndpoint } from './find.ts'
import type { EndpointPath, WebhookEndpointWithSecret } from './schema.ts'
import { newSigningSecret, sealSecret } from './secret.ts'
import { showEndpoint } from './show.ts'
import { replaceSecret } from './store.ts'

/**
 * Gives an endpoint a new secret. The old one signs beside it for 24 hours of real time, also under a test clock: a
 * secret is not part of the simulated world.
 */
export async function rotateSecret(ctx: AccountContext, input: EndpointPath): Promise<WebhookEndpointWithSecret> {
  const row = await requireEndpoint(ctx, input.webhook_endpoint_id, { hold: true })
  const secret = newSigningSecret()
  const until = secondsFrom(new Date(systemNow()), RETENTION.secret_overlap_seconds)
  await replaceSecret(ctx.sql, row, sealSecret(ctx.ports.vault, row.id, secret), until)
  return { ...showEndpoint(row), secret }
}
