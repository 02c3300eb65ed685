import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { lowBelow, readAvailability } from './availability.ts'
import { refill } from './refill.ts'
import { type CafRow, remainingOf, sizeOf } from './show.ts'
import type { RunwayLines } from './use-store.ts'

/** A transaction with its events and its jobs: requests and jobs both have one. */
export type StockContext = Pick<JobTransaction, 'sql' | 'now' | 'enqueue' | 'emit' | 'request_id'>

export type StockAlert = 'folios.low' | 'folios.exhausted'

/**
 * The alerts of lines that lie between two stocks: that of the count, and that of the runway, which is another one each
 * day. Each is crossed by one transaction only. A range may come and still be below the runway: then the count alerts.
 */
export function alertsFor(
  before: number,
  after: number,
  count: number,
  runway: RunwayLines = { before: 0, now: 0 },
): StockAlert[] {
  const alerts: StockAlert[] = []
  const below_count = before >= count && after < count
  const below_runway = before >= Math.max(count, runway.before) && after < runway.now
  if (below_count || below_runway) alerts.push('folios.low')
  if (before > 0 && after === 0) alerts.push('folios.exhausted')
  return alerts
}

/** A stock that fell. */
export interface Fall {
  /** What could be used before, locked by this transaction. */
  readonly chain: readonly CafRow[]
  /** What can be used now. */
  readonly left: number
  readonly lines: RunwayLines
}

export const stockOf = (ranges: readonly CafRow[]): number =>
  ranges.reduce((total, range) => total + remainingOf(range), 0)

/**
 * Emits the alerts of a stock that fell, in the transaction that made it fall, and requests more where the empresa lets
 * us.
 */
export async function alertOfFall(
  tx: StockContext,
  scope: EmpresaScope,
  on: string,
  { chain, left, lines }: Fall,
): Promise<void> {
  const last = chain.at(-1)
  if (!last) return
  const count = lowBelow(sizeOf(last))
  const alerts = alertsFor(stockOf(chain), left, count, lines)
  if (alerts.length === 0) return
  const object = await readAvailability(tx.sql, scope, last.tipo_dte, on)
  if (object.status === 'sfg_managed') return
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  const request = await refill(tx, scope, {
    tipo_dte: last.tipo_dte,
    available: left,
    last_range_size: sizeOf(last),
    on,
  })
  const detail = { low_below: Math.max(count, lines.now), by: left < count ? 'count' : 'runway', ...request }
  for (const type of alerts) tx.emit({ type, object, empresa, detail })
}
