import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Moving, settleSuggestions } from './move.ts'
import type { WithdrawnBecause } from './schema.ts'
import { openAbout } from './store.ts'

/** Takes back what is open about movements that call for nothing any more. */
export async function withdrawAbout(
  tx: Moving,
  scope: EmpresaScope,
  movement_ids: readonly string[],
  withdrawn_because: WithdrawnBecause,
): Promise<void> {
  if (movement_ids.length === 0) return
  const ids = await openAbout(tx.sql, scope, { movement_ids })
  await settleSuggestions(tx, scope, ids, 'withdrawn', { withdrawn_because })
}
