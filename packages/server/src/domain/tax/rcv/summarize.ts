import type { EmpresaContext } from '../../context.ts'
import { syncOf } from './entries.ts'
import type { RcvSummary, SummaryQuery } from './summary-schema.ts'
import { differencesIn, type SummaryLine, summaryLines } from './summary-store.ts'
import { signOf } from './tipos.ts'

function ivaOf(lines: readonly SummaryLine[], counts: (line: SummaryLine) => boolean): number {
  return lines.filter(counts).reduce((sum, { tipo_doc, iva }) => sum + signOf(tipo_doc) * iva, 0)
}

/** A period at a glance, and where our own books and the register do not agree. */
export async function summarizePeriod(ctx: EmpresaContext, { period }: SummaryQuery): Promise<RcvSummary> {
  const sync = await syncOf(ctx.sql, ctx.empresa, period)
  const lines = await summaryLines(ctx.sql, ctx.empresa, period)
  // A period that was never read differs in everything, which says nothing.
  const found = sync.last_synced_at === null ? [] : await differencesIn(ctx.sql, ctx.empresa, period)
  return {
    object: 'rcv_summary',
    mode: ctx.empresa.mode,
    period,
    lines: lines.map((line) => ({ ...line, sign: signOf(line.tipo_doc) })),
    iva_debit: ivaOf(lines, ({ side }) => side === 'sale'),
    iva_credit: ivaOf(lines, ({ side, estado_contable }) => side === 'purchase' && estado_contable === 'REGISTRO'),
    differences: found.map(({ in_all: _, ...difference }) => difference),
    differences_total: found[0]?.in_all ?? 0,
    sync,
  }
}
