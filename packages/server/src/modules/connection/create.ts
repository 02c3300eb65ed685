import type { EmpresaContext } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import type { HolderType, LinkBeginning } from '../../ports/bank.ts'
import { moveConnection } from './move.ts'
import { offerPage } from './page.ts'
import { asProblem, wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath, ConnectionWithLink, CreateConnection } from './schema.ts'
import { showConnection } from './show.ts'
import { insertConnection } from './store.ts'

interface Begun {
  readonly connection_id: string
  readonly beginning: LinkBeginning
}

async function begin(ctx: EmpresaContext, connection_id: string, holder_type: HolderType): Promise<Begun> {
  const { ports, empresa } = ctx
  try {
    const question = { empresa, connection_id, holder_type, at: ctx.now() }
    return { connection_id, beginning: await ports.bank[empresa.mode].begin(question) }
  } catch (error) {
    throw asProblem(error)
  }
}

/** Asks the provider to let a person in, before the transaction. What is not used expires there by itself. */
export function beginConnection(ctx: EmpresaContext, { holder_type }: CreateConnection): Promise<Begun> {
  return begin(ctx, newId('connection'), holder_type)
}

export async function createConnection(
  ctx: EmpresaContext,
  { connection_id, beginning, ...input }: CreateConnection & Begun,
): Promise<ConnectionWithLink> {
  const { sql, empresa, ports } = ctx
  await insertConnection(sql, empresa, {
    id: connection_id,
    provider: ports.bank[empresa.mode].provider,
    name: input.name ?? null,
    holder_type: input.holder_type,
    requested_institution: input.institution ?? null,
    created_at: ctx.now(),
  })
  const link = await offerPage(ctx, connection_id, beginning)
  const object = showConnection(await requireConnection(ctx, connection_id))
  ctx.emit({ type: 'connection.created', object })
  return { ...object, link }
}

export async function beginAgain(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<{ begun: Begun }> {
  const row = await requireConnection(ctx, connection_id)
  if (!mayReconnect(row.status)) throw wrongStatus(row)
  return { begun: await begin(ctx, connection_id, row.holder_type) }
}

/** One whose page expired before anybody used it is begun anew as well. */
function mayReconnect(status: string): boolean {
  return status === 'needs_reconnect' || status === 'pending_link'
}

export async function reconnect(
  ctx: EmpresaContext,
  { connection_id, begun }: ConnectionPath & { begun: Begun },
): Promise<ConnectionWithLink> {
  const row = await requireConnection(ctx, connection_id, { hold: true })
  if (!mayReconnect(row.status)) throw wrongStatus(row)
  if (row.status === 'needs_reconnect') await moveConnection(ctx, ctx.empresa, connection_id, 'reconnecting')
  const link = await offerPage(ctx, connection_id, begun.beginning)
  return { ...showConnection(await requireConnection(ctx, connection_id)), link }
}
