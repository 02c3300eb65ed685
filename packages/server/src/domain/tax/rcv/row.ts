import type { Mode } from '../../../catalog/modes.ts'
import type { EstadoContable, IvaCode, TipoCompra, TipoVenta } from '../../../catalog/rcv.ts'

export type Side = 'purchase' | 'sale'
export type CharacterizedBy = 'sii' | 'caller' | 'suggestion'

/** A tax beside IVA, by its code at the SII. `rate` is a percentage. */
export interface OtherTax {
  readonly code: number
  readonly rate: number | null
  readonly amount: number
}

/** The part of an entry that follows from how it is characterized. */
export interface Characterization {
  readonly tipo_compra: TipoCompra | null
  readonly iva: number
  readonly iva_not_recoverable: number
  readonly iva_not_recoverable_code: IvaCode | null
  readonly iva_common_use: number
  readonly iva_fixed_assets: number
  readonly net_fixed_assets: number
}

/** An entry as a reading of the register gives it. */
export interface RcvReading extends Characterization {
  readonly side: Side
  readonly estado_contable: EstadoContable | null
  readonly tipo_doc: number
  readonly folio: number | null
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
  readonly issue_date: string | null
  readonly received_at: Date | null
  readonly acknowledged_at: Date | null
  readonly claimed_at: Date | null
  readonly net: number
  readonly exempt: number
  /** Of a nota de crédito: IVA that came too late to lower the debit. */
  readonly iva_late: number
  readonly other_taxes: readonly OtherTax[]
  readonly total: number
  readonly documents: number
  readonly tipo_venta: TipoVenta | null
  readonly reference_tipo_doc: number | null
  readonly reference_folios: readonly string[]
  readonly other_columns: Readonly<Record<string, string>>
}

/** A purchase as the SII last showed it, or as it was shown when somebody decided otherwise. */
export interface Snapshot extends Characterization {
  readonly estado_contable: EstadoContable | null
}

/**
 * An entry of the mirror. Amounts are whole pesos as the SII writes them, positive on notas de crédito too: `signOf`
 * the tipo says whether they add or take away.
 */
export interface RcvRow extends RcvReading {
  readonly account_id: string
  readonly empresa_id: string
  readonly mode: Mode
  readonly id: string
  readonly period: string
  readonly natural_key: string
  readonly characterized_by: CharacterizedBy
  readonly untold: boolean
  /** What the SII said to the decision the last time that it refused it. */
  readonly sii_refusal: { readonly sentence: string; readonly refused_at: string } | null
  readonly document_id: string | null
  readonly received_document_id: string | null
  readonly first_seen_at: Date
  readonly changed_at: Date
  readonly withdrawn_at_sii: Date | null
  readonly sii: Snapshot
  readonly before: Snapshot | null
  readonly content_hash: string
}

/** Unique among the entries of its period and side. */
export function naturalKeyOf(entry: Pick<RcvReading, 'tipo_doc' | 'folio' | 'counterparty_rut'>): string {
  return `${entry.tipo_doc}:${entry.folio ?? ''}:${entry.counterparty_rut ?? ''}`
}
