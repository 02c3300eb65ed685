import type { Mode } from '../../../catalog/modes.ts'
import type { F29Inputs, Figure } from './compute.ts'
import type { Override } from './override.ts'
import type { Warning } from './warnings.ts'

/** A figure as it is kept: what is behind it is in its lineage. */
export interface KeptFigure extends Omit<Figure, 'groups'> {
  readonly entries: number
}

export interface Change {
  readonly code: number
  readonly before: number | null
  readonly after: number | null
}

export interface SiiCode {
  readonly code: number
  readonly amount: number
}

export interface ProposalRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly period: string
  readonly version: number
  readonly inputs: F29Inputs
  readonly overrides: readonly Override[]
  readonly codes: readonly KeptFigure[]
  readonly diff: readonly Change[]
  readonly warnings: readonly Warning[]
  readonly sii_codes: readonly SiiCode[] | null
  readonly sii_read_at: Date | null
  readonly due_date: string
  readonly created_at: Date
  readonly computed_at: Date
}

/** With the filing of its period that has not failed, where there is one. */
export interface ProposalWithFiling extends ProposalRow {
  readonly filing_id: string | null
  readonly filing_status: string | null
}

/** A figure by its code, 0 where there is none. */
export function amountIn(codes: readonly KeptFigure[], code: number): number {
  return codes.find((one) => one.code === code)?.amount ?? 0
}
