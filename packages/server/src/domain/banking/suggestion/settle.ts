import { advanceMany } from '../../../kernel/advance.ts'
import { part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { type SuggestionTrigger, suggestionMachine } from './machine.ts'
import type { WithdrawnBecause } from './schema.ts'
import { type SuggestionRow, showSuggestion } from './show.ts'
import { listOpenIds } from './store.ts'

export type SettleContext = Pick<Acting, 'sql' | 'now' | 'emit'>

/** The facts that a transition leaves on a suggestion. */
export interface SuggestionFacts {
  readonly document_id?: string
  readonly dismissal?: SuggestionRow['dismissal']
  readonly withdrawn_because?: WithdrawnBecause
}

type NullableFacts = { readonly [K in keyof SuggestionFacts]: SuggestionFacts[K] | null }

const UNSETTLED = {
  status: 'open',
  document_id: null,
  dismissal: null,
  withdrawn_because: null,
  settled_at: null,
} as const

/** Settles open suggestions and emits their events. Those that are no longer open are left alone. */
export async function settleSuggestions(
  tx: SettleContext,
  scope: EmpresaScope,
  ids: readonly string[],
  trigger: Exclude<SuggestionTrigger, 'found'>,
  { document_id = null, dismissal = null, withdrawn_because = null }: NullableFacts = {},
): Promise<SuggestionRow[]> {
  if (ids.length === 0) return []
  const set = part`, document_id = ${document_id}, withdrawn_because = ${withdrawn_because}, settled_at = ${tx.now()},
    dismissal = ${dismissal === null ? null : JSON.stringify(dismissal)}::json`
  const advance = advanceMany<SuggestionRow, typeof suggestionMachine>
  const moved = (await advance(tx.sql, suggestionMachine, scope, ids, trigger, set)).map(({ row }) => row)
  const step = suggestionMachine.rows.find(({ on }) => on === trigger)
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  for (const row of moved) {
    if (!step || !('event' in step)) continue
    const object = showSuggestion(row)
    const previous_attributes = previousAttributes(showSuggestion({ ...row, ...UNSETTLED }), object) ?? {}
    tx.emit({ type: step.event, object, empresa, previous_attributes })
  }
  return moved
}

/** Withdraws the open suggestions of movements that need no document any more. */
export async function withdrawFor(
  tx: SettleContext,
  scope: EmpresaScope,
  movement_ids: readonly string[],
  withdrawn_because: WithdrawnBecause,
): Promise<void> {
  if (movement_ids.length === 0) return
  const ids = await listOpenIds(tx.sql, scope, { movement_ids })
  await settleSuggestions(tx, scope, ids, 'withdrawn', { withdrawn_because })
}
