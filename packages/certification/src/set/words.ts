import type { ReferenceCode } from '@timbre/dte/draft'
import { fold } from './text.ts'

/** CodRef by the words of RAZON REFERENCIA: 1 annuls, 2 corrects text, 3 corrects amounts; null when they say none. */
export function referenceCode(reason: string): ReferenceCode | null {
  const folded = fold(reason)
  if (folded.startsWith('ANULA')) return 1
  if (folded.startsWith('MODIFICA MONTO') || folded.startsWith('CORRIGE MONTO')) return 3
  if (folded.startsWith('DEVOLUCION')) return 3
  return folded.startsWith('CORRIGE') ? 2 : null
}

/** IndTraslado by the motive of a guía: 1 is a sale, 5 moves goods between places of the emisor. */
export function transferType(motive: string): 1 | 5 | null {
  const folded = fold(motive)
  if (folded === 'VENTA') return 1
  return folded.startsWith('TRASLADO DE MATERIALES ENTRE BODEGAS') ? 5 : null
}

/** TipoDespacho by who carries: 1 the receptor, 2 the emisor to the client. */
export function dispatchType(carried_by: string): 1 | 2 | null {
  const folded = fold(carried_by)
  if (folded === 'CLIENTE') return 1
  return folded === 'EMISOR DEL DOCUMENTO AL LOCAL DEL CLIENTE' ? 2 : null
}
