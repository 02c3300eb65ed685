import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type CafRow, type MovedRange, remainingOf } from './show.ts'
import { alertOfFall, type StockContext, stockOf } from './stock-alerts.ts'
import { lockChain, recordDraw } from './store.ts'
import { linesOf } from './use-store.ts'

export interface DrawnFolio {
  readonly caf_id: string
  readonly folio: number
}

/** The next `count` folios of a chain, the lowest range first, or as many as there are. */
export function takeFrom(chain: readonly CafRow[], count: number): { drawn: DrawnFolio[]; moved: MovedRange[] } {
  const drawn: DrawnFolio[] = []
  const moved: MovedRange[] = []
  for (const range of chain) {
    const { id, next_folio } = range
    const take = Math.min(count - drawn.length, remainingOf(range))
    if (take <= 0) break
    for (let step = 0; step < take; step++) drawn.push({ caf_id: id, folio: next_folio + step })
    moved.push({ id, was: next_folio, next_folio: next_folio + take })
  }
  return { drawn, moved }
}

/**
 * Draws the next `count` folios of a tipo inside the caller's transaction: the lowest range first, on to the next where
 * one ends. The ranges stay locked until that transaction ends, so no two documents share a folio, and one that rolls
 * back, or dies, gives its folios back. Fewer come back when the chain ends, or when another draw ended it meanwhile.
 *
 * A range past its last day is passed over: its folios can never be used (a later signature is CAF-3-517 to the SII),
 * and the SII wants them annulled. `on` is the day of the signature, in Santiago.
 */
export async function drawFolios(
  tx: StockContext,
  scope: EmpresaScope,
  tipo_dte: number,
  count: number,
  on: string,
): Promise<DrawnFolio[]> {
  const chain = await lockChain(tx.sql, scope, tipo_dte, on)
  const { drawn, moved } = takeFrom(chain, count)
  if (drawn.length === 0) return []
  const line = await recordDraw(tx.sql, scope, moved, { tipo_dte, on, used: drawn.length })
  const lines = await linesOf(tx.sql, scope, tipo_dte, on, line)
  await alertOfFall(tx, scope, on, { chain, left: stockOf(chain) - drawn.length, lines })
  return drawn
}
