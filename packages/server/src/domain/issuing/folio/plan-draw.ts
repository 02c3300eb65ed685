import type { Fragment, Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { lowBelow } from './availability.ts'
import { type DrawnFolio, takeFrom } from './draw.ts'
import { sizeOf } from './show.ts'
import { alertsFor, stockOf } from './stock-alerts.ts'
import { chainUnmoved, readChain, recordPlanned } from './store.ts'

/** Folios that come next, and the statement parts that draw them. */
export interface PlannedDraw {
  readonly folios: readonly DrawnFolio[]
  /** A select of one boolean: whether the ranges are as they were read. */
  readonly unchanged: Fragment
  readonly parts: (when: Fragment) => readonly Fragment[]
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
    unchanged: chainUnmoved(scope, moved),
    parts: (when) => recordPlanned(scope, moved, { tipo_dte, on, used: count }, when),
  }
}
