import type { Resolucion } from './resolucion-schema.ts'
import type { EmpresaRow } from './row.ts'

/** Null until one is declared. */
export function showResolucion(row: EmpresaRow): Resolucion | null {
  const { resolucion_numero, resolucion_fecha, resolucion_status } = row
  if (resolucion_numero === null || resolucion_fecha === null || resolucion_status === null) return null
  return {
    numero: resolucion_numero,
    fecha: resolucion_fecha,
    verified: resolucion_status === 'verified',
    verified_at: row.resolucion_verified_at?.toISOString() ?? null,
    verification_status: resolucion_status,
    verification_request: row.resolucion_request,
    refusal: row.resolucion_refusal,
  }
}
