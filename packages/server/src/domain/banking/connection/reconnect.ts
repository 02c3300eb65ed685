import type { LinkBeginning } from '../../../ports/bank.ts'
import type { EmpresaContext } from '../../context.ts'
import { advanceConnection } from './advance.ts'
import { createConnectPage } from './connect-page.ts'
import { beginLink } from './create.ts'
import { type Attempt, attempt, unwrap, wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath, ConnectionWithLink } from './schema.ts'
import { type ConnectionRow, showConnection } from './show.ts'

/** A pending one is allowed too: its page may have expired before anybody used it. */
function refuseLinked(row: ConnectionRow): void {
  if (row.status !== 'needs_reconnect' && row.status !== 'pending_link') throw wrongStatus(row)
}

interface Begun {
  readonly beginning: Attempt<LinkBeginning>
}

export async function beginReconnect(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<Begun> {
  const beginning = await attempt(async () => {
    const row = await requireConnection(ctx, connection_id)
    refuseLinked(row)
    return beginLink(ctx, connection_id, row.holder_type)
  })
  return { beginning }
}

/** Lets a person link the bank again. The former page ends. */
export async function reconnect(
  ctx: EmpresaContext,
  { connection_id, beginning }: ConnectionPath & Begun,
): Promise<ConnectionWithLink> {
  const begun = unwrap(beginning)
  const row = await requireConnection(ctx, connection_id, { lock: true })
  refuseLinked(row)
  if (row.status === 'needs_reconnect') await advanceConnection(ctx, ctx.empresa, row, 'reconnecting')
  const link = await createConnectPage(ctx, connection_id, begun)
  return { ...showConnection(await requireConnection(ctx, connection_id)), link }
}
