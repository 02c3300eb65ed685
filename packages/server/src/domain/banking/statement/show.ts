import type { Mode } from '../../../catalog/modes.ts'
import type { StatementStatus } from './machine.ts'
import type { Statement, Understood } from './schema.ts'

export interface StatementRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly status: StatementStatus
  readonly filename: string | null
  readonly content_hash: string
  readonly bank_account: string
  readonly currency: string
  readonly first_date: string
  readonly last_date: string
  readonly rows: number
  readonly imported: number
  readonly duplicates: number
  readonly skipped: number
  readonly understood: Understood
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly created_at: Date
  readonly imported_at: Date | null
}

export function showStatement(row: StatementRow): Statement {
  return {
    object: 'statement',
    id: row.id,
    mode: row.mode,
    status: row.status,
    filename: row.filename,
    bank_account: row.bank_account,
    currency: row.currency,
    first_date: row.first_date,
    last_date: row.last_date,
    rows: row.rows,
    skipped: row.skipped,
    imported: row.imported,
    duplicates: row.duplicates,
    // Cartolas imported before banks were recognised have no bank, and those before tables were told apart no warnings.
    understood: { ...row.understood, bank: row.understood.bank ?? null, warnings: row.understood.warnings ?? [] },
    failure: row.failure,
    created_at: row.created_at.toISOString(),
    imported_at: row.imported_at?.toISOString() ?? null,
  }
}
