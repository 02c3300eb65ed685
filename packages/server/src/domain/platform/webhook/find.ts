import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import type { EndpointRow } from './show.ts'
import { type EndpointReach, findEndpoint } from './store.ts'

/** A credential that does not reach every empresa sees and touches only endpoints whose empresas it all reaches. */
export function reachOf({ caller }: Pick<AccountContext, 'caller'>): EndpointReach {
  return caller.kind === 'session' || caller.empresas.includes('*') ? null : caller.empresas
}

/** The endpoint, or a refusal. `hold` keeps it as it is until the transaction ends. */
export async function requireEndpoint(
  ctx: AccountContext,
  id: string,
  options: { hold?: boolean } = {},
): Promise<EndpointRow> {
  const row = await findEndpoint(ctx.sql, ctx.account, reachOf(ctx), id, options)
  if (!row) throw new Problem('webhook_endpoint_not_found')
  return row
}
