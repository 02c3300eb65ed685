import type { EmpresaContext } from '../../context.ts'
import { advanceConnection } from './advance.ts'
import { requireConnection } from './read.ts'
import { enqueueRevocation } from './revoke-link.ts'
import type { ConnectionPath } from './schema.ts'
import { deleteSecrets } from './store.ts'

/** Deletes every secret of a connection, and its link at the provider. Movements that were imported stay. */
export async function deleteConnection(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<null> {
  const row = await requireConnection(ctx, connection_id, { lock: true })
  await enqueueRevocation(ctx, row.id, row.link_token, null)
  await deleteSecrets(ctx.sql, ctx.empresa, connection_id)
  await advanceConnection(ctx, ctx.empresa, row, 'deleted')
  return null
}
