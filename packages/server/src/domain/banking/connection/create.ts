import { newId } from '../../../kernel/id.ts'
import type { HolderType, LinkBeginning } from '../../../ports/bank.ts'
import type { EmpresaContext } from '../../context.ts'
import { createConnectPage } from './connect-page.ts'
import { type Attempt, asProblem, attempt, unwrap } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionWithLink, CreateConnection } from './schema.ts'
import { showConnection } from './show.ts'
import { insertConnection } from './store.ts'

/** Begins a link at the provider, for a person to complete. One that nobody uses expires there. */
export async function beginLink(
  ctx: EmpresaContext,
  connection_id: string,
  holder_type: HolderType,
): Promise<LinkBeginning> {
  const { ports, empresa } = ctx
  try {
    return await ports.bank[empresa.mode].begin({ empresa, connection_id, holder_type, at: ctx.now() })
  } catch (error) {
    throw asProblem(error)
  }
}

interface Begun {
  readonly connection_id: string
  readonly beginning: Attempt<LinkBeginning>
}

export async function beginConnection(
  ctx: EmpresaContext,
  { holder_type = 'business' }: CreateConnection,
): Promise<Begun> {
  const connection_id = newId('connection')
  return { connection_id, beginning: await attempt(() => beginLink(ctx, connection_id, holder_type)) }
}

export async function createConnection(
  ctx: EmpresaContext,
  { connection_id, beginning, ...input }: CreateConnection & Begun,
): Promise<ConnectionWithLink> {
  const { sql, empresa, ports } = ctx
  const begun = unwrap(beginning)
  await insertConnection(sql, empresa, {
    id: connection_id,
    provider: ports.bank[empresa.mode].provider,
    name: input.name ?? null,
    holder_type: input.holder_type ?? 'business',
    requested_institution: input.institution ?? null,
    created_at: ctx.now(),
  })
  const link = await createConnectPage(ctx, connection_id, begun)
  const object = showConnection(await requireConnection(ctx, connection_id))
  ctx.emit({ type: 'connection.created', object })
  return { ...object, link }
}
