import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Connection, ConnectionPath, ConnectionQuery } from './schema.ts'
import { type ConnectionRow, showConnection } from './show.ts'
import { findConnection, listConnectionRows } from './store.ts'

export async function requireConnection(
  { sql, empresa }: Pick<EmpresaContext, 'sql' | 'empresa'>,
  id: string,
  options: { lock?: boolean } = {},
): Promise<ConnectionRow> {
  const row = await findConnection(sql, empresa, id, options)
  if (!row) throw new Problem('connection_not_found')
  return row
}

export async function readConnection(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<Connection> {
  return showConnection(await requireConnection(ctx, connection_id))
}

/** As people tell banks apart. */
export const nameOfConnection = ({ id, name, institution }: Pick<Connection, 'id' | 'name' | 'institution'>) =>
  name ?? institution?.name ?? id

export async function listConnections(ctx: EmpresaContext, input: ConnectionQuery): Promise<ListPage<Connection>> {
  const { limit: _limit, cursor: _cursor, ...filter } = input
  const list = `connections|${ctx.empresa.empresa_id}`
  const fetch = (page: { before: string | null; take: number }) =>
    listConnectionRows(ctx.sql, ctx.empresa, filter, page)
  return pageById(ctx, list, filter, input, fetch, showConnection)
}
