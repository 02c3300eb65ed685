import type { Sql } from '../../../kernel/db.ts'
import { showBehind } from './duplicate-store.ts'
import type { MovementScope } from './row.ts'
import { decidedOf, dropMovements, handOver, hideMovements, keepOut, lockOf } from './undo-store.ts'

/**
 * Whether cartolas of an empresa may be undone now. Never waited for: an undoing may take long, and whoever waits holds
 * a connection to the database that others need.
 */
export function mayUndo(sql: Sql, scope: MovementScope): Promise<boolean> {
  return keepOut(sql, scope)
}

export interface Undone {
  /** Movements of a cartola that somebody decided about: nothing was undone because of them. */
  readonly decided: readonly string[]
  /** How many went to each of the other cartolas that told them too. */
  readonly handed_over: ReadonlyMap<string, number>
}

const NAMED = 10
/** No statement may run for long, however many movements a cartola had. */
const LOT = 10_000

async function handOverAll(sql: Sql, scope: MovementScope, statement_id: string): Promise<Map<string, number>> {
  const heirs = new Map<string, number>()
  for (;;) {
    const taken = await handOver(sql, scope, statement_id, LOT)
    if (taken.length === 0) return heirs
    for (const { id, count } of taken) heirs.set(id, (heirs.get(id) ?? 0) + count)
  }
}

/**
 * Takes back what one cartola brought, with expenses, guesses and open suggestions. What another cartola told too is
 * that one's from now on; what was hidden because this one told it first is shown again. What was dismissed stays
 * remembered, behind movements that nobody sees.
 */
export async function undoStatement(sql: Sql, scope: MovementScope, statement_id: string, at: Date): Promise<Undone> {
  await lockOf(sql, scope, statement_id)
  const handed_over = await handOverAll(sql, scope, statement_id)
  const decided = await decidedOf(sql, scope, statement_id, NAMED)
  if (decided.length > 0) return { decided, handed_over }
  let gone = await dropMovements(sql, scope, statement_id, LOT)
  while (gone.length > 0) {
    await showBehind(sql, scope, gone, at)
    gone = await dropMovements(sql, scope, statement_id, LOT)
  }
  await showBehind(sql, scope, await hideMovements(sql, scope, statement_id, at), at)
  return { decided, handed_over }
}
