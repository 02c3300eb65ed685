import type { Mode } from '../../../catalog/modes.ts'
import type { TwinReason } from '../movement/duplicates.ts'
import type { ReasonCode } from './score.ts'

export const MATCHERS = ['caller', 'review', 'confirmation'] as const
export type Matcher = (typeof MATCHERS)[number]

/** What a person or a document itself settles, beside what speaks for a guess. */
export const SETTLED = {
  said: 'Somebody matched it.',
  issued_for_it: 'The document was issued for this very payment.',
} as const
export type MatchReason = ReasonCode | keyof typeof SETTLED

/** Why a movement is matched, as it rests on its row. */
export interface MatchFacts {
  readonly confidence: number
  readonly reasons: readonly { readonly code: MatchReason; readonly message: string }[]
  readonly matched_by: Matcher
  readonly matched_at: string
}

export interface MovementRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly source_type: 'statement' | 'connection'
  readonly source_id: string
  readonly bank_account: string
  readonly post_date: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
  readonly match: MatchFacts | null
  readonly duplicate_of: string | null
  readonly duplicate_certain: boolean | null
  readonly duplicate_reason: TwinReason | null
  readonly created_at: Date
  readonly removed_at: Date | null
}

export type Direction = 'in' | 'out'

export function directionOf({ amount }: Pick<MovementRow, 'amount'>): Direction {
  return amount < 0 ? 'out' : 'in'
}

/** Documents are in pesos, so only what moved in pesos is compared with them. */
export const PESO = 'CLP'
