import { advanceMany } from '../../../kernel/advance.ts'
import { part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Acting } from '../../context.ts'
import { type SuggestionTrigger, suggestionMachine } from './machine.ts'
import type { SuggestionRow } from './row.ts'
import type { WithdrawnBecause } from './schema.ts'
import { showSuggestion } from './show.ts'

export type Moving = Pick<Acting, 'sql' | 'now' | 'emit'>

/** What a step leaves on a suggestion. */
export interface SuggestionFacts {
  readonly document_id?: string
  readonly dismissal?: SuggestionRow['dismissal']
  readonly withdrawn_because?: WithdrawnBecause
}

const UNSETTLED = { status: 'open', document_id: null, dismissal: null, settled_at: null } as const

/** What the event says that the changed fields used to be. */
function previousOf({ document_id, dismissal }: SuggestionRow) {
  const { status, settled_at } = UNSETTLED
  return {
    status,
    ...(document_id !== null && { document_id: null }),
    ...(dismissal && { dismissal: null }),
    settled_at,
  }
}

/** Settles open suggestions, each with its event where it has one. Those that are no longer open are left alone. */
export async function settleSuggestions(
  tx: Moving,
  scope: EmpresaScope,
  ids: readonly string[],
  trigger: Exclude<SuggestionTrigger, 'found'>,
  { document_id = null, dismissal = null, withdrawn_because = null }: NullableFacts = {},
): Promise<SuggestionRow[]> {
  if (ids.length === 0) return []
  const set = part`, document_id = ${document_id}, withdrawn_because = ${withdrawn_because}, settled_at = ${tx.now()},
    dismissal = ${dismissal === null ? null : JSON.stringify(dismissal)}::json`
  const moves = advanceMany<SuggestionRow, typeof suggestionMachine>
  const moved = await moves(tx.sql, suggestionMachine, scope, ids, trigger, set)
  const step = suggestionMachine.rows.find(({ on }) => on === trigger)
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  for (const row of moved) {
    if (!step || !('event' in step)) continue
    const object = showSuggestion(row)
    tx.emit({ type: step.event, object, empresa, previous_attributes: previousOf(row) })
  }
  return moved
}

type NullableFacts = { readonly [K in keyof SuggestionFacts]: SuggestionFacts[K] | null }
