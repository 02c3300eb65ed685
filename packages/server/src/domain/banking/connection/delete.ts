import type { EmpresaContext } from '../../context.ts'
import { forgetLinked } from './link.ts'
import { moveConnection } from './move.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath } from './schema.ts'
import { wipeSecrets } from './store.ts'

/** Nothing here can read the bank from now on, and the provider is told to forget it. What was read stays. */
export async function deleteConnection(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<null> {
  const row = await requireConnection(ctx, connection_id, { hold: true })
  await forgetLinked(ctx, row)
  await wipeSecrets(ctx.sql, ctx.empresa, connection_id)
  await moveConnection(ctx, ctx.empresa, connection_id, 'deleted')
  return null
}
