import { santiagoDate } from '@timbre/dte/values'
import { type ListPage, pageById, paginate } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { readAvailabilities } from './availability.ts'
import type { Caf, CafQuery, FolioAvailability, FolioQuery } from './schema.ts'
import { showCaf } from './show.ts'
import { findCaf, listCafs } from './store.ts'

/** One row for each declared tipo, by its number. There are eight at most: without a `limit` they are all in one page. */
export function listAvailability(
  ctx: EmpresaContext,
  { tipo_dte, limit, cursor }: FolioQuery,
): Promise<ListPage<FolioAvailability>> {
  return paginate<FolioAvailability, FolioAvailability, readonly [number]>(
    { limit, cursor },
    {
      list: 'folios',
      filters: { tipo_dte: tipo_dte ?? null, empresa: ctx.empresa.empresa_id },
      async fetch({ place }) {
        const all = await readAvailabilities(ctx.sql, ctx.empresa, santiagoDate(ctx.now()))
        const after = place?.[0] ?? 0
        return all.filter((row) => row.tipo_dte > after && (tipo_dte === undefined || row.tipo_dte === tipo_dte))
      },
      placeOf: (row) => [row.tipo_dte],
      show: (rows) => [...rows],
    },
  )
}

/** Every CAF of the empresa, newest first, those that were put away too. */
export async function listOwnCafs(
  ctx: EmpresaContext,
  { tipo_dte, status, ...page }: CafQuery,
): Promise<ListPage<Caf>> {
  const filters = { ...(tipo_dte !== undefined && { tipo_dte }), ...(status !== undefined && { status }) }
  const on = santiagoDate(ctx.now())
  const fetch = (place: { before: string | null; take: number }) =>
    listCafs(ctx.sql, ctx.empresa, { ...filters, ...place })
  // Bound to its empresa too: a cursor must not open on the list of another.
  return pageById('cafs', { ...filters, empresa: ctx.empresa.empresa_id }, page, fetch, (row) => showCaf(row, on))
}

export async function readCaf(ctx: EmpresaContext, { caf_id }: { caf_id: string }): Promise<Caf> {
  const row = await findCaf(ctx.sql, ctx.empresa, caf_id)
  if (!row) throw new Problem('caf_not_found')
  return showCaf(row, santiagoDate(ctx.now()))
}
