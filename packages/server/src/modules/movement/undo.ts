import type { Sql } from '../../kernel/db.ts'
import type { MovementScope } from './record.ts'
import { showBehind } from './twin-store.ts'
import { decidedOf, dropMovements, handOver, lockOf } from './undo-store.ts'

export interface Undone {
  /** Movements of a cartola that somebody decided about: nothing was undone because of them. */
  readonly decided: readonly string[]
  /** How many went to each of the other cartolas that told them too. */
  readonly handed_over: ReadonlyMap<string, number>
}

const NAMED = 10

/**
 * Takes back what one cartola brought, with expenses, guesses and open suggestions. What another cartola told too is
 * that one's from now on; what was hidden because this one told it first is shown again. What was dismissed stays
 * remembered, behind movements that nobody sees.
 */
export async function undoStatement(sql: Sql, scope: MovementScope, statement_id: string, at: Date): Promise<Undone> {
  await lockOf(sql, scope, statement_id)
  const handed_over = await handOver(sql, scope, statement_id)
  const decided = await decidedOf(sql, scope, statement_id, NAMED)
  if (decided.length > 0) return { decided, handed_over }
  const gone = await dropMovements(sql, scope, statement_id, at)
  await showBehind(sql, scope, gone, at)
  return { decided, handed_over }
}
