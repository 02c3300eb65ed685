import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { deleteLock, findLock, insertLock } from './lock-store.ts'

/**
 * Whether a period is closed to changes because its F29 was filed: what the declaration was computed from must stay as
 * it was. The SII takes later changes as a rectification only.
 */
export function isLocked(sql: Sql, scope: EmpresaScope, period: string): Promise<boolean> {
  return findLock(sql, scope, period)
}

/** Closes a period, in the transaction that notes its filing. Again is no harm. */
export function lockPeriod(sql: Sql, scope: EmpresaScope, period: string, at: Date): Promise<void> {
  return insertLock(sql, scope, period, at)
}

/** Opens it again: the filing came to nothing, or is being rectified. */
export function unlockPeriod(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  return deleteLock(sql, scope, period)
}

export async function refuseLocked(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  if (await isLocked(sql, scope, period)) throw new Problem('period_locked', { details: { period } })
}
