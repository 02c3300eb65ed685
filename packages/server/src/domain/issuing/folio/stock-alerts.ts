import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { readAutomationSettings } from '../automation-settings/automation-settings.ts'
import { lowBelow, readAvailability } from './availability.ts'
import { enqueueRequest } from './request.ts'
import { type CafRow, remainingOf, sizeOf } from './show.ts'

/** A transaction with its events and its jobs: requests and jobs both have one. */
export type StockContext = Pick<JobTransaction, 'sql' | 'now' | 'enqueue' | 'emit' | 'request_id'>

export type StockAlert = 'folios.low' | 'folios.exhausted'

/** The alerts of thresholds that lie between two stocks. Each threshold is crossed by one transaction only. */
export function alertsFor(before: number, after: number, low_below: number): StockAlert[] {
  const alerts: StockAlert[] = []
  if (before >= low_below && after < low_below) alerts.push('folios.low')
  if (before > 0 && after === 0) alerts.push('folios.exhausted')
  return alerts
}

export const stockOf = (ranges: readonly CafRow[]): number =>
  ranges.reduce((total, range) => total + remainingOf(range), 0)

/**
 * Emits the alerts of a stock that fell, in the transaction that made it fall, and requests more where the empresa lets
 * us. `chain` is what could be used before, locked by this transaction; `left` is what can be used now.
 */
export async function alertOfFall(
  tx: StockContext,
  scope: EmpresaScope,
  on: string,
  chain: readonly CafRow[],
  left: number,
): Promise<void> {
  const last = chain.at(-1)
  if (!last) return
  const low_below = lowBelow(sizeOf(last))
  const alerts = alertsFor(stockOf(chain), left, low_below)
  if (alerts.length === 0) return
  const object = await readAvailability(tx.sql, scope, last.tipo_dte, on)
  if (object.status === 'sfg_managed') return
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  for (const type of alerts) tx.emit({ type, object, empresa, detail: { low_below } })
  const { request_folios_when_low } = await readAutomationSettings({ sql: tx.sql, empresa: scope })
  if (request_folios_when_low) await enqueueRequest(tx, scope, last.tipo_dte, sizeOf(last), 'low')
}
