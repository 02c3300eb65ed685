import type { Mode } from '../../../catalog/modes.ts'
import type { Expense } from './schema.ts'

export interface ExpenseRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly source: 'manual' | 'movement'
  readonly movement_id: string | null
  readonly date: string
  readonly description: string
  readonly provider_name: string
  readonly provider_rut: string | null
  readonly provider_country: string | null
  readonly amount: number
  readonly currency: string
  readonly category: string | null
  readonly created_at: Date
  readonly changed_at: Date
}

export function showExpense(row: ExpenseRow): Expense {
  return {
    object: 'expense',
    id: row.id,
    mode: row.mode,
    source: row.source,
    movement_id: row.movement_id,
    date: row.date,
    description: row.description,
    provider: { name: row.provider_name, rut: row.provider_rut, country: row.provider_country },
    amount: row.amount,
    currency: row.currency,
    category: row.category,
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}
