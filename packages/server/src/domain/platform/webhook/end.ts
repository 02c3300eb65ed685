import { advance } from '../../../kernel/advance.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { Acting, BaseContext } from '../../context.ts'
import type { Distrust } from '../../distrust.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { webhookEndpointMachine } from './machine.ts'
import { type EndpointRow, showEndpoint } from './show.ts'
import { deleteDistrusted, dropDistrustedSecrets, exposeSecret, listJudged, saveDisabledReason } from './store.ts'

export interface EndEndpointsContext extends Pick<BaseContext, 'sql' | 'audit'> {
  actFor(account: AccountScope): Pick<Acting, 'emit'>
}

export interface EndedEndpoints {
  readonly ended: readonly EndpointRow[]
  readonly disabled: readonly EndpointRow[]
  readonly kept: readonly EndpointRow[]
}

/** Its address, its secret or its working order may be the intruder's: it waits, disabled, for its owner to judge. */
async function disable(ctx: EndEndpointsContext, before: EndpointRow): Promise<void> {
  const whose = { account_id: before.account_id, mode: before.mode }
  const { status } = before
  if (status === 'enabled') await advance(ctx.sql, webhookEndpointMachine, whose, before.id, 'distrusted')
  const after = await saveDisabledReason(ctx.sql, before, 'account_recovered')
  await exposeSecret(ctx.sql, before)
  ctx.audit({ action: 'webhook_endpoints.update', subject: before.id }, whose)
  if (status === 'disabled') return
  const object = showEndpoint(after)
  const previous_attributes = previousAttributes(showEndpoint(before), object) ?? {}
  ctx.actFor(whose).emit({ type: 'webhook_endpoint.disabled', object, previous_attributes, empresa: null })
}

/** Deletes the endpoints that were made in distrust, and disables those that were changed in it. */
export async function endDistrustedEndpoints(
  ctx: EndEndpointsContext,
  account_id: string,
  distrust: Distrust,
): Promise<EndedEndpoints> {
  const ended = await deleteDistrusted(ctx.sql, account_id, distrust)
  for (const { id, mode } of ended) {
    ctx.audit({ action: 'webhook_endpoints.delete', subject: id }, { account_id, mode })
  }
  const judged = await listJudged(ctx.sql, account_id, distrust)
  const disabled = judged.filter(({ distrusted }) => distrusted)
  for (const row of disabled) await disable(ctx, row)
  await dropDistrustedSecrets(ctx.sql, account_id, distrust)
  return { ended, disabled, kept: judged.filter(({ distrusted }) => !distrusted) }
}
