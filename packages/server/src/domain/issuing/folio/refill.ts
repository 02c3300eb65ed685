import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { readAutomationSettings } from '../automation-settings/automation-settings.ts'
import { type RefillOutcome, standsInTheWay } from './back-off.ts'
import { paceOf, wantedOf } from './forecast.ts'
import { findRefusal } from './refusal-store.ts'
import { enqueueRequest } from './request.ts'
import { readUses } from './use-store.ts'

interface LowStock {
  readonly tipo_dte: number
  readonly available: number
  readonly last_range_size: number
  readonly on: string
}

/**
 * Asks for more folios of a tipo that runs low, as many as the forecast says, where the empresa lets us and no refusal
 * stands in the way. What only a person can mend is not asked for again: the alert says so instead.
 */
export async function refill(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue' | 'emit'>,
  scope: EmpresaScope,
  { tipo_dte, available, last_range_size, on }: LowStock,
): Promise<{ readonly request: RefillOutcome; readonly reason?: string }> {
  const { request_folios_when_low } = await readAutomationSettings({ sql: tx.sql, empresa: scope })
  if (!request_folios_when_low) return { request: 'off' }
  const refusal = await findRefusal(tx.sql, scope, tipo_dte)
  const obstacle = standsInTheWay(refusal, tx.now())
  if (refusal && obstacle) return { request: obstacle, reason: refusal.reason }
  const pace = paceOf(await readUses(tx.sql, scope, tipo_dte, on), on)
  const wanted = wantedOf({ pace, available, last_range_size, refusals: refusal?.refusals ?? 0 })
  await enqueueRequest(tx, scope, tipo_dte, wanted, 'low')
  return { request: 'asked' }
}
