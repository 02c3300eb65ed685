import type { Mode } from '../../../catalog/modes.ts'
import type { F29Filing, FilingError } from './filing-schema.ts'
import type { FilingStatus } from './machine.ts'
import { dueIn, type FiledCode } from './show.ts'

export interface FilingRow {
  readonly id: string
  readonly mode: Mode
  readonly period: string
  readonly status: FilingStatus
  readonly proposal_version: number
  readonly codes: readonly FiledCode[]
  readonly total: number
  readonly due_date: string
  readonly track_id: string | null
  readonly folio: string | null
  readonly errors: readonly FilingError[]
  readonly failure: FilingError | null
  readonly created_at: Date
  readonly submitted_at: Date | null
  readonly settled_at: Date | null
  readonly rectifies: string | null
}

/** Of a declaration that corrects another, the codes that differ. */
function correctionsOf({ codes, rectifies }: FilingRow): F29Filing['corrections'] {
  if (rectifies === null) return []
  return codes.flatMap(({ code, amount, rate, before = null }) => {
    const after = amount ?? rate
    return (before ?? 0) === (after ?? 0) ? [] : [{ code, before, after }]
  })
}

export function showFiling(row: FilingRow): F29Filing {
  return {
    object: 'f29_filing',
    id: row.id,
    mode: row.mode,
    period: row.period,
    status: row.status,
    proposal_version: row.proposal_version,
    rectifies: row.rectifies,
    codes: row.codes.map(({ code, amount, rate }) => ({ code, amount, rate })),
    corrections: correctionsOf(row),
    total: row.total,
    total_due: dueIn(row.codes),
    due_date: row.due_date,
    folio: row.folio,
    errors: row.errors.map(({ code, message }) => ({ code, message })),
    failure: row.failure && { code: row.failure.code, message: row.failure.message },
    created_at: row.created_at.toISOString(),
    submitted_at: row.submitted_at?.toISOString() ?? null,
    settled_at: row.settled_at?.toISOString() ?? null,
  }
}
