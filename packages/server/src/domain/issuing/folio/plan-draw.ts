import type { Sql } from '../../../kernel/db.ts'
import { type AsRead, asRead } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { lowBelow } from './availability.ts'
import { type DrawnFolio, takeFrom } from './draw.ts'
import { chainsUnmoved, type PlannedRecord, plannedDraws, rangesOf, readChain } from './planned-store.ts'
import { sizeOf } from './show.ts'
import { alertsFor, stockOf } from './stock-alerts.ts'

export { plannedDraws }

/** Folios that come next, and the statement parts that draw them. */
export interface PlannedDraw {
  readonly folios: readonly DrawnFolio[]
  /** The ranges, as they were read. */
  readonly as_read: AsRead
  /** What `plannedDraws` records of it. */
  readonly record: PlannedRecord
}

/**
 * The draw of an ordinary day, planned without a lock: all folios are there, the stock falls past no line that alerts, and
 * the line of the day is known. Null where any of that is not so: then `drawFolios` sees to it.
 */
export async function planDraw(
  sql: Sql,
  scope: EmpresaScope,
  tipo_dte: number,
  count: number,
  on: string,
): Promise<PlannedDraw | null> {
  const chain = await readChain(sql, scope, tipo_dte, on)
  const last = chain.at(-1)
  const line = last?.runway_line ?? null
  const { drawn, moved } = takeFrom(chain, count)
  if (!last || line === null || drawn.length < count) return null
  const stock = stockOf(chain)
  if (alertsFor(stock, stock - count, lowBelow(sizeOf(last)), { before: line, now: line }).length > 0) return null
  return {
    folios: drawn,
    as_read: asRead(chainsUnmoved, rangesOf(scope, moved)),
    record: { scope, moved, tipo_dte, on, used: count },
  }
}
