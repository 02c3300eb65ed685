import { santiagoPeriod } from '@timbre/dte/values'
import type { UsageKind } from '../../../catalog/usage.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { insertUsage, insertUsageParts, type NewUsageRow } from './store.ts'

export interface Usage {
  readonly empresa: EmpresaScope
  readonly kind: UsageKind
  readonly tipo_dte: number | null
  readonly quantity: number
  /** What was used: a `doc_`, a `job_`. */
  readonly subject_id: string
  /** When it happened, by the clock of the account. */
  readonly at: Date
}

/**
 * Records usage. Called inside the transaction in which it happened, once for all that happened there: what rolls back
 * was not used, and what a job does twice because it ran twice is recorded once.
 */
export async function recordUsage(sql: Sql, used: readonly Usage[]): Promise<void> {
  if (used.length > 0) await insertUsage(sql, rowsOf(used))
}

/** The same in the statement in which it happens. */
export const recordedUsage: RowWriter<Usage> = (used, when) => insertUsageParts(rowsOf(used), when)

function rowsOf(used: readonly Usage[]): NewUsageRow[] {
  const periods = new Map<number, string>()
  const periodAt = (at: Date) => {
    const known = periods.get(at.getTime()) ?? santiagoPeriod(at)
    periods.set(at.getTime(), known)
    return known
  }
  return used.map(({ empresa, kind, tipo_dte, quantity, subject_id, at }) => ({
    id: newId('usage_record'),
    account_id: empresa.account_id,
    mode: empresa.mode,
    empresa_id: empresa.empresa_id,
    empresa_rut: empresa.rut,
    kind,
    tipo_dte,
    quantity,
    subject_id,
    period: periodAt(at),
    created_at: at,
  }))
}
