import type { Mode } from '../../../catalog/modes.ts'
import { amountsOf } from './arithmetic.ts'
import type { SuggestionStatus } from './machine.ts'
import { type Provider, providerOf } from './providers.ts'
import {
  type DismissScope,
  SUGGESTION_REASONS,
  type SuggestionReason,
  type TaxSuggestion,
  type WithdrawnBecause,
} from './schema.ts'

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

const PESO = 'CLP'

/** The payment in pesos; null where only a foreign currency is known. */
export function pesosOf({ amount, currency }: Pick<SuggestionRow, 'amount' | 'currency'>): number | null {
  return currency === PESO ? amount : null
}

function reasonsOf(row: SuggestionRow, { charges_consumers }: Provider): TaxSuggestion['reasons'] {
  const codes: SuggestionReason[] = [
    'foreign_provider',
    row.register_read ? 'no_dte_in_register' : 'register_not_read',
    ...(charges_consumers ? (['charges_consumers'] as const) : []),
    ...(pesosOf(row) === null ? (['pesos_unknown'] as const) : []),
  ]
  return codes.map((code) => ({ code, message: SUGGESTION_REASONS[code] }))
}

export function showSuggestion(row: SuggestionRow): TaxSuggestion {
  const provider = providerOf(row.provider)
  const { key, name, country, rut } = provider
  const pesos = pesosOf(row)
  return {
    object: 'tax_suggestion',
    id: row.id,
    mode: row.mode,
    type: row.type,
    status: row.status,
    period: row.period,
    provider: { key, name, country, rut },
    movement: {
      id: row.movement_id,
      post_date: row.post_date,
      description: row.description,
      amount: row.amount,
      currency: row.currency,
    },
    amounts: pesos === null ? null : amountsOf(pesos, row.post_date),
    reasons: reasonsOf(row, provider),
    document_id: row.document_id,
    dismissal: row.dismissal && { reason: row.dismissal.reason, scope: row.dismissal.scope },
    withdrawn_because: row.withdrawn_because,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  }
}
