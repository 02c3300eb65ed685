import { santiagoDate } from '@timbre/dte/values'
import type { EmpresaContext } from '../../kernel/context.ts'
import { type ListPage, pageById } from '../../kernel/cursor.ts'
import { Problem } from '../../kernel/problem.ts'
import { readAvailabilities } from './availability.ts'
import type { Caf, CafQuery, FolioAvailability, FolioQuery } from './schema.ts'
import { showCaf } from './show.ts'
import { findCaf, listCafs } from './store.ts'

/** One row for each declared tipo, in one page: there are eight at most. */
export async function listAvailability(
  ctx: EmpresaContext,
  { tipo_dte }: FolioQuery,
): Promise<ListPage<FolioAvailability>> {
  const all = await readAvailabilities(ctx.sql, ctx.empresa, santiagoDate(ctx.now()))
  const data = tipo_dte === undefined ? all : all.filter((row) => row.tipo_dte === tipo_dte)
  return { object: 'list', data, has_more: false, next_cursor: null }
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
