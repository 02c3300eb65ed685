import type { Mode } from '../../../catalog/modes.ts'
import type { DuplicateReason } from './duplicate/find.ts'
import type { ReasonCode } from './match/score.ts'

/** A line of a cartola or of a bank's feed. */
export type MovementLine = {
  readonly external_id: string | null
  /** The account as the person knows it: its label or its number. */
  readonly bank_account: string
  /** YYYY-MM-DD */
  readonly post_date: string
  /** In the smallest unit of its currency (CLP has none smaller); positive when money came in. */
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
  /** The bank, where the source names it: with the number it identifies the account. */
  readonly bank?: string | null
}

/** The tenant whose movements are read or written. */
export interface MovementScope {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
}

/** The origin of lines: an uploaded cartola or a bank connection. */
export interface MovementSource {
  readonly type: 'statement' | 'connection'
  readonly id: string
}

export const MATCHERS = ['caller', 'review', 'confirmation'] as const
export type Matcher = (typeof MATCHERS)[number]

/** Reasons of a match that a person or the document itself settled, beside those of the score. */
export const SETTLED = {
  said: 'Somebody matched it.',
  issued_for_it: 'The document was issued for this very payment.',
} as const
export type MatchReason = ReasonCode | keyof typeof SETTLED

/** Why a movement is matched, as its row stores it. */
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
  readonly duplicate_reason: DuplicateReason | null
  readonly created_at: Date
  readonly removed_at: Date | null
}

export type Direction = 'in' | 'out'

export function directionOf({ amount }: Pick<MovementRow, 'amount'>): Direction {
  return amount < 0 ? 'out' : 'in'
}

/** Documents are in pesos, so only what moved in pesos is compared with them. */
export const PESO = 'CLP'
