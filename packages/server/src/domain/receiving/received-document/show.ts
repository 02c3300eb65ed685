import type { Mode } from '../../../catalog/modes.ts'
import { RETENTION } from '../../../catalog/retention.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import type { Fault } from '../../../ports/inspection.ts'
import type { Addresses } from '../../../ports/ports.ts'
import { balanceOf } from './balance.ts'
import type { Reception } from './reception-schema.ts'
import type { Authenticity, Claim, ReceiptStatus, ReceivedDocument, ReceivedItem, ReceivedStatus } from './schema.ts'

export interface ReceivedRow {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly reception_id: string
  readonly status: ReceivedStatus
  readonly receipt_status: ReceiptStatus | null
  readonly emisor_rut: string
  readonly emisor_name: string
  readonly emisor_giro: string | null
  readonly tipo_dte: number
  readonly folio: number
  readonly issue_date: string
  readonly net: number
  readonly exempt: number
  readonly iva: number
  readonly total: number
  readonly payment_form: 'cash' | 'credit' | 'free' | null
  readonly due_date: string | null
  readonly items: ReceivedItem[]
  readonly received_at: Date
  readonly sii_received_at: Date
  readonly deadline_at: Date | null
  readonly deadline_told: number | null
  readonly answered_at: Date | null
  readonly acknowledged_at: Date | null
  readonly claims: Claim[]
  readonly digest: string
  readonly authenticity: Authenticity
  readonly replaced_at: Date | null
  /** What a nota is about. */
  readonly about_tipo: number | null
  readonly about_folio: number | null
  readonly credited_amount: number
  readonly paid_amount: number
  readonly paid_at: Date | null
}

export function showReceived(row: ReceivedRow, { base_url }: Pick<Addresses, 'base_url'>): ReceivedDocument {
  const { id, net, iva, exempt, total } = row
  return {
    object: 'received_document',
    id,
    mode: row.mode,
    status: row.status,
    tipo_dte: row.tipo_dte,
    folio: row.folio,
    emisor: { rut: row.emisor_rut, legal_name: row.emisor_name, giro: row.emisor_giro },
    issue_date: row.issue_date,
    totals: { net, iva, exempt, total },
    payment_form: row.payment_form,
    ...balanceOf(row),
    items: row.items,
    authenticity: row.authenticity,
    receipt: { status: row.receipt_status, acknowledged_at: row.acknowledged_at?.toISOString() ?? null },
    claims: row.claims,
    received_at: row.received_at.toISOString(),
    sii_received_at: row.sii_received_at.toISOString(),
    deadline_at: row.deadline_at?.toISOString() ?? null,
    answered_at: row.answered_at?.toISOString() ?? null,
    replaced_at: row.replaced_at?.toISOString() ?? null,
    pdf_url: `${base_url}/received_documents/${id}/pdf`,
    xml_url: `${base_url}/received_documents/${id}/xml`,
  }
}

/** How a file came in. */
export type Source = 'mail' | 'test_helper'

/** A file as it came, and from whom. */
export interface Arrival {
  readonly source: Source
  readonly sender: string | null
  readonly file_name: string
  readonly bytes: Uint8Array
  readonly received_at: Date
}

export interface ReceptionRow extends Omit<Arrival, 'bytes'> {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly number: number
  readonly emisor_rut: string | null
}

/** A file as the events of reception show it: the documents it became, or its quarantine. */
export function showReception(
  row: Omit<ReceptionRow, 'account_id' | 'empresa_id' | 'number'>,
  outcome: { readonly documents: readonly string[]; readonly fault: Fault | null },
): Reception {
  return {
    object: 'reception',
    id: row.id,
    mode: row.mode,
    source: row.source,
    sender: row.sender,
    file_name: row.file_name,
    emisor_rut: row.emisor_rut,
    received_at: row.received_at.toISOString(),
    documents: [...outcome.documents],
    quarantine: outcome.fault && {
      reason: outcome.fault.reason,
      message: outcome.fault.message,
      bytes_kept_until: daysFrom(row.received_at, RETENTION.quarantined_bytes_days).toISOString(),
    },
  }
}
