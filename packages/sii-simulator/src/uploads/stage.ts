import type { Upload } from '../state/types.ts'

/** Words of the states (those of EPR, RCT, LSO, LOK, LRH and LNC were seen; the others are ours). */
export const GLOSAS: Readonly<Record<string, string>> = {
  REC: 'Envio Recibido',
  SOK: 'Esquema Validado',
  CRT: 'Caratula OK',
  FOK: 'Firma de Envio Validada',
  PRD: 'Envio en Proceso',
  EPR: 'Envio Procesado',
  RSC: 'Rechazado por Error en Schema',
  RFR: 'Rechazado por Error en Firma',
  RCT: 'Rechazado por Error en Caratula',
  RPT: 'Rechazado por Repetido',
  RCH: 'Rechazado por Error en Informacion',
  VOF: 'El Archivo XML no Fue Encontrado',
  LSO: 'Schema de Envio de Libro Correcto',
  LOK: 'Envio de Libro Aceptado - Cuadrado',
  LRH: 'Envio de Libro Rechazado - Descuadrado',
  LNC: 'Tipo de Envio de Libro No Corresponde',
  LRS: 'Libro Rechazado por Error en Schema',
  LRF: 'Libro Rechazado por Error en Firma',
  LRC: 'Libro Rechazado por Error en Caratula',
}

const STAGES = ['REC', 'SOK', 'FOK', 'CRT', 'PRD'] as const
const BOOK_STAGES = ['REC', 'LSO'] as const

/** Where an envelope stands at an hour: one stage after the other until its verdict. */
export function estadoOf(upload: Upload, now: number): string {
  if (upload.verdict) return upload.verdict.estado
  const share = (now - upload.received_at) / Math.max(1, upload.verdict_at - upload.received_at)
  const stages = upload.kind === 'LibroCompraVenta' || upload.kind === 'LibroGuia' ? BOOK_STAGES : STAGES
  const stage = stages[Math.min(stages.length - 1, Math.max(0, Math.floor(share * stages.length)))] ?? 'PRD'
  return upload.fate.stuck && stage === 'PRD' ? 'CRT' : stage
}
