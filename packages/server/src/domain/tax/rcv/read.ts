import { signOf, standsIn } from '@timbre/dte/values'
import { pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { RcvRow, Side } from './row.ts'
import type { EntryPath, PurchaseQuery, RcvEntry, RcvList, SaleQuery } from './schema.ts'
import { showEntry } from './show.ts'
import {
  differencesIn,
  type EntryFilter,
  findPurchase,
  listEntries,
  type SummaryLine,
  summaryLines,
  summaryTaxes,
} from './store.ts'
import { suggestionsFor } from './suggest.ts'
import type { RcvSummary, SummaryQuery } from './summary-schema.ts'
import { readSync } from './sync-status.ts'

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
  const page = await pageById(ctx, `tax.${side}s`, filters, { limit, cursor }, fetch, show)
  return { ...page, sync: await readSync(ctx.sql, ctx.empresa, input.period) }
}

export function listPurchases(ctx: EmpresaContext, input: PurchaseQuery): Promise<RcvList> {
  return listSide(ctx, 'purchase', input)
}

export function listSales(ctx: EmpresaContext, input: SaleQuery): Promise<RcvList> {
  return listSide(ctx, 'sale', input)
}

/** An entry as every operation answers it. */
export async function showWithSuggestion(ctx: Pick<EmpresaContext, 'sql' | 'empresa'>, row: RcvRow): Promise<RcvEntry> {
  const suggested = await suggestionsFor(ctx.sql, ctx.empresa, [row])
  return showEntry(row, suggested.get(row.id) ?? null)
}

export async function readPurchase(ctx: EmpresaContext, { entry_id }: EntryPath): Promise<RcvEntry> {
  const row = await findPurchase(ctx.sql, ctx.empresa, entry_id)
  if (!row) throw new Problem('rcv_entry_not_found')
  return showWithSuggestion(ctx, row)
}

/** Adds up what the declaration takes in: what it has no line for counts in neither. */
function added(lines: readonly SummaryLine[], amountOf: (line: SummaryLine) => number): number {
  const counted = lines.filter(({ side, tipo_doc }) => standsIn(side, tipo_doc))
  const sum = counted.reduce((total, line) => total + signOf(line.tipo_doc) * amountOf(line), 0)
  if (!Number.isSafeInteger(sum)) throw new Problem('amounts_too_large')
  return sum
}

type LineKey = Pick<SummaryLine, 'side' | 'tipo_doc' | 'estado_contable'>

function isOfLine(one: LineKey, { side, tipo_doc, estado_contable }: LineKey): boolean {
  return one.side === side && one.tipo_doc === tipo_doc && one.estado_contable === estado_contable
}

/** The totals of a period, and where our own documents and the register differ. */
export async function summarizePeriod(ctx: EmpresaContext, { period }: SummaryQuery): Promise<RcvSummary> {
  const sync = await readSync(ctx.sql, ctx.empresa, period)
  const lines = await summaryLines(ctx.sql, ctx.empresa, period)
  const taxes = await summaryTaxes(ctx.sql, ctx.empresa, period)
  // A period that was never read differs in everything, which says nothing.
  const found = sync.last_synced_at === null ? [] : await differencesIn(ctx.sql, ctx.empresa, period)
  return {
    object: 'rcv_summary',
    mode: ctx.empresa.mode,
    period,
    lines: lines.map(({ owed: _, ...line }) => ({
      ...line,
      sign: signOf(line.tipo_doc),
      other_taxes: taxes.filter((tax) => isOfLine(tax, line)).map(({ code, rate, amount }) => ({ code, rate, amount })),
    })),
    iva_debit: added(lines, ({ side, owed }) => (side === 'sale' ? owed : 0)),
    iva_credit: added(lines, ({ estado_contable, iva }) => (estado_contable === 'REGISTRO' ? iva : 0)),
    differences: found.map(({ in_all: _, ...difference }) => difference),
    differences_total: found[0]?.in_all ?? 0,
    sync,
  }
}
