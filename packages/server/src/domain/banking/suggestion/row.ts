import type { Mode } from '../../../catalog/modes.ts'
import type { SuggestionStatus } from './machine.ts'
import type { DismissScope, WithdrawnBecause } from './schema.ts'

/** A suggestion as it rests. */
export interface SuggestionRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly type: 'emit_46'
  readonly status: SuggestionStatus
  readonly period: string
  readonly provider: string
  readonly movement_id: string
  readonly post_date: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly register_read: boolean
  readonly document_id: string | null
  readonly dismissal: { readonly reason: string | null; readonly scope: DismissScope } | null
  readonly withdrawn_because: WithdrawnBecause | null
  readonly created_at: Date
  readonly settled_at: Date | null
}
