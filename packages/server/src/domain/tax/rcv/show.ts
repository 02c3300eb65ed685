import { signOf } from '@timbre/dte/values'
import type { RcvRow } from './row.ts'
import type { RcvEntry } from './schema.ts'

export type Suggested = RcvEntry['suggested_tipo_compra']

const instant = (at: Date | null) => at?.toISOString() ?? null

function referenceOf({ reference_tipo_doc, reference_folios }: RcvRow): RcvEntry['reference'] {
  if (reference_tipo_doc === null && reference_folios.length === 0) return null
  return { tipo_doc: reference_tipo_doc, folios: [...reference_folios] }
}

export function showEntry(row: RcvRow, suggested: Suggested = null): RcvEntry {
  return {
    object: 'rcv_entry',
    id: row.id,
    mode: row.mode,
    period: row.period,
    side: row.side,
    tipo_doc: row.tipo_doc,
    folio: row.folio,
    counterparty_rut: row.counterparty_rut,
    counterparty_name: row.counterparty_name,
    issue_date: row.issue_date,
    received_at: instant(row.received_at),
    acknowledged_at: instant(row.acknowledged_at),
    claimed_at: instant(row.claimed_at),
    net: row.net,
    exempt: row.exempt,
    iva: row.iva,
    iva_not_recoverable: row.iva_not_recoverable,
    iva_not_recoverable_code: row.iva_not_recoverable_code,
    iva_common_use: row.iva_common_use,
    iva_fixed_assets: row.iva_fixed_assets,
    net_fixed_assets: row.net_fixed_assets,
    iva_late: row.iva_late,
    other_taxes: row.other_taxes.map(({ code, rate, amount }) => ({ code, rate, amount })),
    total: row.total,
    sign: signOf(row.tipo_doc),
    documents: row.documents,
    estado_contable: row.estado_contable,
    tipo_compra: row.tipo_compra,
    tipo_venta: row.tipo_venta,
    characterized_by: row.characterized_by,
    pending_at_sii: row.untold,
    sii_refusal: row.untold && row.sii_refusal ? { ...row.sii_refusal } : null,
    suggested_tipo_compra: suggested,
    reference: referenceOf(row),
    other_columns: row.other_columns,
    document_id: row.document_id,
    received_document_id: row.received_document_id,
    first_seen_at: row.first_seen_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
    withdrawn_at_sii: instant(row.withdrawn_at_sii),
  }
}
