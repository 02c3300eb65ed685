import type { Mode } from '../../../catalog/modes.ts'

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
  /** The bank, where it is told: with the number of the account it tells one account from another. */
  readonly bank?: string | null
}

/** Whose movements: nothing else is read or written. */
export interface MovementScope {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
}

/** Where lines come from: an uploaded cartola or a bank connection. */
export interface MovementSource {
  readonly type: 'statement' | 'connection'
  readonly id: string
}
