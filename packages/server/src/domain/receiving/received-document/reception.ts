import type { Mode } from '../../../catalog/modes.ts'
import type { Fault } from '../../../ports/inspection.ts'

/** By which door something came in. */
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

/** What the events of reception tell of a file: what became of it, as documents or in quarantine. */
export function showReception(
  row: Omit<ReceptionRow, 'account_id' | 'empresa_id' | 'number'>,
  became: { readonly documents: readonly string[]; readonly fault: Fault | null },
) {
  return {
    object: 'reception',
    id: row.id,
    mode: row.mode,
    source: row.source,
    sender: row.sender,
    file_name: row.file_name,
    emisor_rut: row.emisor_rut,
    received_at: row.received_at.toISOString(),
    documents: became.documents,
    quarantine: became.fault && { reason: became.fault.reason, message: became.fault.message },
  }
}
