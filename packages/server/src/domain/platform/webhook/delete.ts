import type { Sql } from '../../../kernel/db.ts'
import type { AccountContext } from '../../context.ts'
import { requireEndpoint } from './find.ts'
import type { EndpointPath } from './schema.ts'
import { eraseEndpoint, eraseEndpointsOf } from './store.ts'

/** Gone with its secrets. Deliveries that still waited end when their turn comes; none can be read any more. */
export async function deleteEndpoint(ctx: AccountContext, input: EndpointPath): Promise<null> {
  await eraseEndpoint(ctx.sql, await requireEndpoint(ctx, input.webhook_endpoint_id, { hold: true }))
  return null
}

/** The same for every endpoint of an account that closes. */
export async function dropEndpointsOf(sql: Sql, account_id: string): Promise<void> {
  await eraseEndpointsOf(sql, account_id)
}
