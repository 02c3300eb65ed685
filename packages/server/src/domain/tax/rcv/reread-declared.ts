import { periodOf, santiagoPeriod } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { Arrived } from '../../reactions.ts'
import { isLocked } from './period-lock.ts'
import { requestPeriod } from './request-sync.ts'

/**
 * A document that is dated into a month that was declared is owed all the same, and the declaration is corrected (D.L. 825,
 * art. 9 and 64; Código Tributario, art. 36 bis): the law does not forbid it, so nobody here does. The register of that month
 * is read at once, and the F29 proposal tells what differs from what was filed.
 */
export async function rereadDeclared(
  tx: Pick<BaseContext, 'enqueue' | 'now'> & { readonly sql: Sql },
  scope: EmpresaScope,
  documents: readonly Arrived[],
): Promise<void> {
  const present = santiagoPeriod(tx.now())
  const periods = new Set(documents.map(({ issue_date }) => periodOf(issue_date)).filter((period) => period < present))
  for (const period of periods) {
    if (await isLocked(tx.sql, scope, period)) await requestPeriod(tx, scope, period)
  }
}
