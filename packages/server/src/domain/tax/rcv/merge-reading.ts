import { hash } from 'node:crypto'
import { type EstadoContable, type IvaCode, NOT_INCLUDED, placeIva, type TipoCompra } from '../../../catalog/rcv.ts'
import type { Characterization, RcvReading, RcvRow, Snapshot } from './row.ts'

/** The part of an entry that a person may decide otherwise. */
export function snapshotOf(reading: Snapshot): Snapshot {
  return {
    tipo_compra: reading.tipo_compra,
    iva: reading.iva,
    iva_not_recoverable: reading.iva_not_recoverable,
    iva_not_recoverable_code: reading.iva_not_recoverable_code,
    iva_common_use: reading.iva_common_use,
    iva_fixed_assets: reading.iva_fixed_assets,
    net_fixed_assets: reading.net_fixed_assets,
    estado_contable: reading.estado_contable,
  }
}

/** A hash of everything the SII shows of an entry: a reading with the same one writes nothing. */
export function contentHashOf(reading: RcvReading): string {
  return hash('sha256', JSON.stringify(reading), 'base64url').slice(0, 22)
}

/** The amounts of a purchase under a decision. Where the SII agrees with the decision, its own amounts are better. */
export function applyDecision(
  sii: Characterization,
  net: number,
  tipo_compra: TipoCompra,
  code: IvaCode | null,
): Characterization {
  const agrees = sii.tipo_compra === tipo_compra && (code === null || sii.iva_not_recoverable_code === code)
  return { tipo_compra, ...(agrees ? sii : placeIva({ ...sii, net }, tipo_compra, code)) }
}

/** The characterization that counts after a reading: a decision stays, and so does what the SII was not told yet. */
export function mergedCharacterization(reading: RcvReading, row: RcvRow | null): Characterization {
  const shown = snapshotOf(reading)
  if (row === null || row.tipo_compra === null) return shown
  if (row.characterized_by !== 'sii') {
    return applyDecision(shown, reading.net, row.tipo_compra, row.iva_not_recoverable_code)
  }
  return row.untold ? snapshotOf(row) : shown
}

/** The estado contable after a reading. A claim outweighs every decision of ours. */
export function mergedEstado(reading: RcvReading, row: RcvRow): EstadoContable | null {
  if (reading.estado_contable === 'RECLAMADO') return 'RECLAMADO'
  if (row.untold) return row.estado_contable
  if (row.characterized_by !== 'sii' && row.tipo_compra === NOT_INCLUDED) return 'NO_INCLUIR'
  return reading.estado_contable
}
