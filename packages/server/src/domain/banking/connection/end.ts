import type { BaseContext, PublicContext } from '../../context.ts'
import type { Distrust } from '../../distrust.ts'
import { type Standing, standingInDistrust } from '../../platform/lasting-change/lookup.ts'
import { advanceConnection } from './advance.ts'
import { isLinked } from './machine.ts'
import { enqueueRevocation } from './revoke-link.ts'
import { deleteSecrets, findConnection } from './store.ts'

export type EndConnectionsContext = Pick<BaseContext, 'sql' | 'ports' | 'audit'> & Pick<PublicContext, 'actFor'>

export interface EndedConnections {
  readonly ended: readonly Standing[]
  readonly disabled: readonly Standing[]
}

/**
 * When an account is taken back: deletes the connections that were made in distrust. One that was there before and was
 * linked anew then is read no more until its owner links the bank. Movements that were read stay.
 */
export async function endDistrustedConnections(
  ctx: EndConnectionsContext,
  account_id: string,
  distrust: Distrust,
): Promise<EndedConnections> {
  const all = { ended: [] as Standing[], disabled: [] as Standing[] }
  for (const one of await standingInDistrust(ctx.sql, account_id, 'connection', distrust)) {
    const row = await findConnection(ctx.sql, one, one.id, { lock: true })
    if (!row || (!one.made && !isLinked(row.status))) continue
    const { emit, enqueue } = ctx.actFor(one)
    const tx = { sql: ctx.sql, ports: ctx.ports, empresa: one, emit, enqueue }
    await enqueueRevocation(tx, row.id, row.link_token, null)
    await deleteSecrets(ctx.sql, one, row.id)
    await advanceConnection(tx, one, row, one.made ? 'deleted' : 'distrusted')
    ctx.audit({ action: one.made ? 'connections.delete' : 'connections.reconnect', subject: row.id }, one)
    all[one.made ? 'ended' : 'disabled'].push(one)
  }
  return all
}
