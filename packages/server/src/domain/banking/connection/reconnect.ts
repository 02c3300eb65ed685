import type { LinkBeginning } from '../../../ports/bank.ts'
import type { EmpresaContext } from '../../context.ts'
import { type Asked, ask, toldBy } from './asked.ts'
import { begin } from './create.ts'
import { moveConnection } from './move.ts'
import { offerPage } from './page.ts'
import { wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath, ConnectionWithLink } from './schema.ts'
import { type ConnectionRow, showConnection } from './show.ts'

/** One whose page expired before anybody used it is begun anew as well. */
function refuseLinked(row: ConnectionRow): void {
  if (row.status !== 'needs_reconnect' && row.status !== 'pending_link') throw wrongStatus(row)
}

interface Begun {
  readonly beginning: Asked<LinkBeginning>
}

export async function beginAgain(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<Begun> {
  const beginning = await ask(async () => {
    const row = await requireConnection(ctx, connection_id)
    refuseLinked(row)
    return begin(ctx, connection_id, row.holder_type)
  })
  return { beginning }
}

/** Lets a person link the bank again. The page that was there before ends. */
export async function reconnect(
  ctx: EmpresaContext,
  { connection_id, beginning }: ConnectionPath & Begun,
): Promise<ConnectionWithLink> {
  const begun = toldBy(beginning)
  const row = await requireConnection(ctx, connection_id, { hold: true })
  refuseLinked(row)
  if (row.status === 'needs_reconnect') await moveConnection(ctx, ctx.empresa, connection_id, 'reconnecting')
  const link = await offerPage(ctx, connection_id, begun)
  return { ...showConnection(await requireConnection(ctx, connection_id)), link }
}
