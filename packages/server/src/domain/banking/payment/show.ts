import { ID_PREFIXES } from '../../../catalog/ids.ts'
import type { Mode } from '../../../catalog/modes.ts'
import type { Payment, PaymentMethod } from './schema.ts'

export interface PaymentRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly target_id: string
  readonly amount: number
  readonly paid_on: string
  readonly method: PaymentMethod | null
  readonly note: string | null
  readonly created_at: Date
}

export function showPayment(row: PaymentRow): Payment {
  const ours = row.target_id.startsWith(ID_PREFIXES.document)
  return {
    object: 'payment',
    id: row.id,
    mode: row.mode,
    document_id: ours ? row.target_id : null,
    received_document_id: ours ? null : row.target_id,
    amount: row.amount,
    paid_on: row.paid_on,
    method: row.method,
    note: row.note,
    created_at: row.created_at.toISOString(),
  }
}
