import { santiagoDate } from '@timbre/dte/values'
import { advance } from '../../../kernel/advance.ts'
import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { cafMachine } from './machine.ts'
import type { Caf, CafQuery } from './schema.ts'
import { showCaf } from './show.ts'
import { alertOfFall, stockOf } from './stock-alerts.ts'
import { findCaf, listCafs as listRows, lockCaf, lockChain, recordDeactivation } from './store.ts'
import { linesOfFall } from './use-store.ts'

/** Every CAF of the empresa, newest first, deactivated ones too. */
export async function listCafs(ctx: EmpresaContext, { tipo_dte, status, ...page }: CafQuery): Promise<ListPage<Caf>> {
  const filters = { ...(tipo_dte !== undefined && { tipo_dte }), ...(status !== undefined && { status }) }
  const on = santiagoDate(ctx.now())
  const fetch = (place: { before: string | null; take: number }) =>
    listRows(ctx.sql, ctx.empresa, { ...filters, ...place })
  // Bound to its empresa too: a cursor must not open on the list of another.
  return pageById(ctx, 'cafs', { ...filters, empresa: ctx.empresa.empresa_id }, page, fetch, (row) => showCaf(row, on))
}

export async function readCaf(ctx: EmpresaContext, { caf_id }: { caf_id: string }): Promise<Caf> {
  const row = await findCaf(ctx.sql, ctx.empresa, caf_id)
  if (!row) throw new Problem('caf_not_found')
  return showCaf(row, santiagoDate(ctx.now()))
}

/** As people tell CAFs apart. */
export const nameOfCaf = ({ tipo_dte, from, to }: Caf) => `tipo ${tipo_dte}, folios ${from} a ${to}`

/**
 * Deactivates a CAF: no document gets a folio of it any more. It stays readable and keeps its folios, which the SII may
 * want annulled. A second call changes nothing.
 */
export async function deactivateCaf(ctx: EmpresaContext, { caf_id }: { caf_id: string }): Promise<null> {
  const found = await findCaf(ctx.sql, ctx.empresa, caf_id)
  if (!found) throw new Problem('caf_not_found')
  const on = santiagoDate(ctx.now())
  // Locked before its status is read, in the order in which a draw locks them.
  const chain = await lockChain(ctx.sql, ctx.empresa, found.tipo_dte, on)
  const row = await lockCaf(ctx.sql, ctx.empresa, caf_id)
  if (row?.status !== 'active') return null
  await advance(ctx.sql, cafMachine, ctx.empresa, caf_id, 'deactivated')
  await recordDeactivation(ctx.sql, ctx.empresa, caf_id, ctx.now())
  const left = stockOf(chain.filter(({ id }) => id !== caf_id))
  const lines = await linesOfFall(ctx.sql, ctx.empresa, found.tipo_dte, on)
  await alertOfFall(ctx, ctx.empresa, on, { chain, left, lines })
  return null
}
