import type { Sql } from '../../../../kernel/db.ts'
import { unhideBehind } from '../duplicate-store.ts'
import type { MovementScope } from '../row.ts'
import { deleteOfStatement, forgetRepeats, handOver, hideOfStatement, listDecided } from '../undo-store.ts'

/**
 * Locks out imports of the empresa; false where one runs. It never waits: an import may take long, and a request that
 * waits occupies a connection to the database that others need. Between requests, a batch of an undo may wait.
 */
export { lockForUndoBatch, tryLockForUndo as lockForUndo } from '../undo-store.ts'

const REPORTED = 10

/** Movements that somebody decided about and that the cartola alone tells: because of them it is not undone. */
export function decidedOf(sql: Sql, scope: MovementScope, statement_id: string): Promise<string[]> {
  return listDecided(sql, scope, statement_id, REPORTED)
}

/** How many rows one transaction touches, however many the cartola has: about a third of a second. */
const BATCH = 2_000

export interface UndoneBatch {
  /** How many went to each of the other cartolas that hold them too. */
  readonly handed_over: readonly { readonly id: string; readonly count: number }[]
  /** Nothing of the cartola is left. */
  readonly is_last: boolean
}

/**
 * Removes some movements of an undone cartola, with their expenses, automatic matches and open suggestions; first those
 * that pay something, for the sums of documents count them. Movements that another cartola holds too become that
 * one’s; duplicates that were hidden behind them are shown again. Movements of a settled suggestion are hidden and not
 * deleted, so that a dismissal is remembered.
 */
export async function undoBatch(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  at: Date,
  size = BATCH,
): Promise<UndoneBatch> {
  const handed_over = await handOver(sql, scope, statement_id, size)
  let left = handed_over.reduce((rest, { count }) => rest - count, size)
  const remove = async (some: (most: number) => Promise<string[]>) => {
    if (left === 0) return
    const gone = await some(left)
    await unhideBehind(sql, scope, gone, at)
    left -= gone.length
  }
  await remove((most) => deleteOfStatement(sql, scope, statement_id, most, { matched: true }))
  await remove((most) => deleteOfStatement(sql, scope, statement_id, most))
  await remove((most) => hideOfStatement(sql, scope, statement_id, most, at))
  if (left > 0) left -= await forgetRepeats(sql, scope, statement_id, left)
  return { handed_over, is_last: left > 0 }
}
