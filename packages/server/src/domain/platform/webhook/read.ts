import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import type { AccountContext } from '../../context.ts'
import { reachOf, requireEndpoint } from './find.ts'
import type { EndpointPath, WebhookEndpoint } from './schema.ts'
import { showEndpoint } from './show.ts'
import { listEndpoints } from './store.ts'

export async function listOwnEndpoints(ctx: AccountContext, input: PageInput): Promise<ListPage<WebhookEndpoint>> {
  const fetch = (page: { before: string | null; take: number }) =>
    listEndpoints(ctx.sql, ctx.account, reachOf(ctx), page)
  return pageById('webhook_endpoints', ctx.account, input, fetch, showEndpoint)
}

export async function readEndpoint(ctx: AccountContext, input: EndpointPath): Promise<WebhookEndpoint> {
  return showEndpoint(await requireEndpoint(ctx, input.webhook_endpoint_id))
}
