import { pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { syncOf } from './entries.ts'
import type { RcvRow, Side } from './row.ts'
import type { EntryPath, PurchaseQuery, RcvEntry, RcvList, SaleQuery } from './schema.ts'
import { showEntry } from './show.ts'
import { type EntryFilter, findPurchase, listEntries } from './store.ts'
import { suggestionsFor } from './suggest.ts'

async function listSide(ctx: EmpresaContext, side: Side, input: PurchaseQuery): Promise<RcvList> {
  const { limit, cursor, ...filter } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...filter }
  let suggested: Awaited<ReturnType<typeof suggestionsFor>> = new Map()
  const fetch = async (page: { before: string | null; take: number }) => {
    const rows = await listEntries(ctx.sql, ctx.empresa, side, filter as EntryFilter, page)
    suggested = await suggestionsFor(ctx.sql, ctx.empresa, rows)
    return rows
  }
  const show = (row: RcvRow) => showEntry(row, suggested.get(row.id) ?? null)
  const page = await pageById(`tax.${side}s`, filters, { limit, cursor }, fetch, show)
  return { ...page, sync: await syncOf(ctx.sql, ctx.empresa, input.period) }
}

export function listPurchases(ctx: EmpresaContext, input: PurchaseQuery): Promise<RcvList> {
  return listSide(ctx, 'purchase', input)
}

export function listSales(ctx: EmpresaContext, input: SaleQuery): Promise<RcvList> {
  return listSide(ctx, 'sale', input)
}

/** An entry as every operation answers it. */
export async function showWhole(ctx: Pick<EmpresaContext, 'sql' | 'empresa'>, row: RcvRow): Promise<RcvEntry> {
  const suggested = await suggestionsFor(ctx.sql, ctx.empresa, [row])
  return showEntry(row, suggested.get(row.id) ?? null)
}

export async function readPurchase(ctx: EmpresaContext, { entry_id }: EntryPath): Promise<RcvEntry> {
  const row = await findPurchase(ctx.sql, ctx.empresa, entry_id)
  if (!row) throw new Problem('rcv_entry_not_found')
  return showWhole(ctx, row)
}
