import type { Sql } from '../../../../kernel/db.ts'
import { unhideBehind } from '../duplicate-store.ts'
import type { MovementScope } from '../row.ts'
import {
  deleteOfStatement,
  handOver,
  hideOfStatement,
  listDecided,
  lockOfStatement,
  tryLockForUndo,
} from '../undo-store.ts'

/**
 * Locks out imports of the empresa; false where one runs. It never waits: an import may take long, and a request that
 * waits occupies a connection to the database that others need.
 */
export function lockForUndo(sql: Sql, scope: MovementScope): Promise<boolean> {
  return tryLockForUndo(sql, scope)
}

export interface Undone {
  /** Movements that somebody decided about: because of them nothing was undone. */
  readonly decided: readonly string[]
  /** How many went to each of the other cartolas that hold them too. */
  readonly handed_over: ReadonlyMap<string, number>
}

const REPORTED = 10
/** Bounds how long one statement runs, however many movements the cartola has. */
const BATCH = 10_000

async function handOverAll(sql: Sql, scope: MovementScope, statement_id: string): Promise<Map<string, number>> {
  const heirs = new Map<string, number>()
  for (;;) {
    const taken = await handOver(sql, scope, statement_id, BATCH)
    if (taken.length === 0) return heirs
    for (const { id, count } of taken) heirs.set(id, (heirs.get(id) ?? 0) + count)
  }
}

/**
 * Removes the movements of a cartola, with their expenses, automatic matches and open suggestions. Movements that another
 * cartola holds too become that one's; duplicates that were hidden behind them are shown again. Movements of a settled
 * suggestion are hidden and not deleted, so that a dismissal is remembered.
 */
export async function undoStatement(sql: Sql, scope: MovementScope, statement_id: string, at: Date): Promise<Undone> {
  await lockOfStatement(sql, scope, statement_id)
  const handed_over = await handOverAll(sql, scope, statement_id)
  const decided = await listDecided(sql, scope, statement_id, REPORTED)
  if (decided.length > 0) return { decided, handed_over }
  let gone = await deleteOfStatement(sql, scope, statement_id, BATCH)
  while (gone.length > 0) {
    await unhideBehind(sql, scope, gone, at)
    gone = await deleteOfStatement(sql, scope, statement_id, BATCH)
  }
  await unhideBehind(sql, scope, await hideOfStatement(sql, scope, statement_id, at), at)
  return { decided, handed_over }
}
