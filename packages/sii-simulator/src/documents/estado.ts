import type { Ambiente } from '../hosts.ts'
import type { Simulator } from '../simulator.ts'
import { documentKey } from '../state/state.ts'
import type { SiiDocument } from '../state/types.ts'
import { standingOf, taxpayerOf } from '../taxpayers.ts'

/** State of one document with its number and words (OI2004_CEDTE; those of DOK, FAU and ANC were seen). */
export const ESTADOS = {
  DOK: [0, 'DTE Recibido', 'Documento Recibido por el SII. Datos Coinciden con los Registrados'],
  DNK: [1, 'DTE Recibido', 'Documento Recibido por el SII pero Datos NO Coinciden con los registrados'],
  FAU: [3, 'DTE No Recibido', 'Documento No Recibido por el SII'],
  FNA: [4, 'DTE No Recibido', 'Documento No Autorizado'],
  FAN: [5, 'DTE No Recibido', 'Documento Anulado'],
  EMP: [6, 'DTE No Recibido', 'Empresa no autorizada a Emitir Documentos Tributarios Electronicos'],
  TMD: [10, 'DTE Recibido', 'Existe Nota de Debito que Modifica Texto Documento'],
  TMC: [11, 'DTE Recibido', 'Existe Nota de Credito que Modifica Textos Documento'],
  MMD: [12, 'DTE Recibido', 'Existe Nota de Debito que Modifica Montos Documento'],
  MMC: [13, 'DTE Recibido', 'Existe Nota de Credito que Modifica Montos Documento'],
  AND: [14, 'DTE Recibido', 'Existe Nota de Debito que Anula Documento'],
  ANC: [15, 'DTE Recibido', 'Existe Nota de Credito que anula Documento'],
} as const satisfies Record<string, readonly [number: number, glosa: string, error: string]>

export type DocumentEstado = keyof typeof ESTADOS

export type DocumentQuestion = {
  ambiente: Ambiente
  emisor: string
  tipo: number
  folio: number
  receptor: string | null
  /** Civil date. */
  fecha: string
  monto: number
  /** SignatureValue; null where the service does not ask for it. */
  signature_value: string | null
}

export function documentEstado(
  ctx: Simulator,
  question: DocumentQuestion,
): { estado: DocumentEstado; document: SiiDocument | null } {
  const { ambiente, emisor, tipo, folio } = question
  const key = documentKey(ambiente, emisor, tipo, folio)
  const document = ctx.state.documents.get(key) ?? null
  if (document) return { estado: matches(document, question) ? afterNotes(ctx, document) : 'DNK', document }
  const taxpayer = taxpayerOf(ctx, emisor)
  const standing = taxpayer === null ? null : standingOf(taxpayer, ambiente)
  const may = standing?.authorised && (standing.tipos === null || standing.tipos.includes(tipo))
  if (!may) return { estado: 'EMP', document }
  if (ctx.state.annulled_folios.get(key)) return { estado: 'FAN', document }
  return { estado: wasStamped(ctx, question) ? 'FAU' : 'FNA', document }
}

function matches(document: SiiDocument, { receptor, fecha, monto, signature_value }: DocumentQuestion): boolean {
  return (
    (receptor === null || document.receptor === receptor) &&
    document.fecha === fecha &&
    document.monto === monto &&
    (signature_value === null || document.signature_value === signature_value.replace(/\s/g, ''))
  )
}

/** What notes have done to it: annulling beats changing amounts, which beats changing text. */
function afterNotes(ctx: Simulator, document: SiiDocument): DocumentEstado {
  const notes = document.notes.filter(({ tipo, folio }) => !isAnnulled(ctx, document, tipo, folio))
  for (const [code, byCredit, byDebit] of [
    [1, 'ANC', 'AND'],
    [3, 'MMC', 'MMD'],
    [2, 'TMC', 'TMD'],
  ] as const) {
    const note = notes.findLast(({ cod_ref }) => cod_ref === code)
    if (note) return note.tipo === 61 ? byCredit : byDebit
  }
  return 'DOK'
}

/** A note that another note annuls does nothing any more. */
function isAnnulled({ state }: Simulator, { ambiente, emisor }: SiiDocument, tipo: number, folio: number): boolean {
  const note = state.documents.get(documentKey(ambiente, emisor, tipo, folio))
  return note?.notes.some(({ cod_ref }) => cod_ref === 1) ?? false
}

/** Whether some CAF covers the folio. Those of the free portal have none of their own. */
function wasStamped({ state }: Simulator, { ambiente, emisor, tipo, folio }: DocumentQuestion): boolean {
  const prefix = documentKey(ambiente, emisor, tipo, 0).slice(0, -10)
  return state.cafs.values(prefix).some(({ desde, hasta }) => desde <= folio && folio <= hasta)
}
