/**
 * The register of acceptance and claims (Ley 19.983 as changed by Ley 20.956; SII, WS Registro de Aceptación o Reclamo
 * v1.2): what the buyer may say about a document, when, and with which code the SII answers.
 */
export const ACTIONS = ['ACD', 'ERM', 'RCD', 'RFP', 'RFT'] as const
export type ClaimAction = (typeof ACTIONS)[number]

export interface ClaimEvent {
  /** The buyer's acts, and the SII's own notes: NCA, a credit note annulled it; ENC, another credit note. */
  readonly code: ClaimAction | 'NCA' | 'ENC'
  /** The person who acted. */
  readonly rut: string
  readonly at: number
}

export const CLAIM_TIPOS: readonly number[] = [33, 34, 43]
const CLAIMS: readonly string[] = ['RCD', 'RFP', 'RFT']
const GOODS_CLAIMS: readonly string[] = ['RFP', 'RFT']

export const CLAIM_DAYS_MS = 8 * 86_400_000

export function isAction(code: string): code is ClaimAction {
  return (ACTIONS as readonly string[]).includes(code)
}

/** After eight days without an act the document counts as accepted and its goods as received. */
export function lapsed(received_at: number, now: number): boolean {
  return now > received_at + CLAIM_DAYS_MS
}

export function isClaimed(events: readonly ClaimEvent[]): boolean {
  return events.some(({ code }) => CLAIMS.includes(code))
}

/** When the buyer accepted or acknowledged; null where it did neither. */
export function acknowledgedAt(events: readonly ClaimEvent[]): number | null {
  return events.find(({ code }) => code === 'ACD' || code === 'ERM')?.at ?? null
}

export function claimedAt(events: readonly ClaimEvent[]): number | null {
  return events.find(({ code }) => CLAIMS.includes(code))?.at ?? null
}

/** What the SII answers to an act on a document that it holds, by the rules of combination. */
export function judgeAct(
  action: ClaimAction,
  events: readonly ClaimEvent[],
  received_at: number,
  now: number,
): ClaimCode {
  const said = new Set<string>(events.map(({ code }) => code))
  if (said.has(action)) return 7
  if (lapsed(received_at, now)) return 8
  if (CLAIMS.includes(action)) {
    if (said.has('ACD')) return 11
    if (said.has('ERM')) return 13
    if (GOODS_CLAIMS.includes(action) && GOODS_CLAIMS.some((claim) => said.has(claim))) return 19
    return 0
  }
  if (isClaimed(events)) return action === 'ACD' ? 12 : 6
  return 0
}

/** Whether the credit of a document may be ceded, by the same register. */
export function judgeCedible(events: readonly ClaimEvent[], received_at: number, now: number): ClaimCode {
  const annulled = events.find(({ code }) => code === 'NCA')
  if (annulled !== undefined && annulled.at <= received_at + CLAIM_DAYS_MS) return 21
  if (isClaimed(events)) return 24
  if (acknowledgedAt(events) !== null) return 23
  return lapsed(received_at, now) ? 25 : 22
}

export type ClaimCode = keyof typeof CLAIM_TEXTS

/** Those of which a sample exists are the SII's words; the others are ours, after the meaning in the manual. */
export const CLAIM_TEXTS = {
  [-1]: 'Error interno, intente mas tarde',
  0: 'Accion Completada OK',
  1: 'RUT emisor erroneo',
  2: 'Folio erroneo',
  3: 'Tipo de documento no corresponde',
  4: 'Accion invalida',
  5: 'Documento ya fue reclamado',
  6: 'No es posible otorgar recibo, documento ya fue reclamado',
  7: 'Evento registrado previamente',
  8: 'Pasados 8 dias despues de la recepcion no es posible registrar reclamos o eventos',
  9: 'No se encuentran registros',
  10: 'Documento no ha sido emitido ni recibido en el SII desde el 14-01-2017',
  11: 'No es posible reclamar, documento ya fue aceptado',
  12: 'No es posible aceptar, documento ya fue reclamado',
  13: 'No es posible reclamar, se otorgo recibo de mercaderias o servicios',
  14: 'Solo el emisor o el receptor pueden operar sobre el documento',
  15: 'Listado de eventos del documento',
  16: 'Documento no presenta eventos de reclamos o acuse de recibo',
  17: 'Solo el receptor puede operar sobre el documento',
  18: 'Documento no ha sido recibido en el SII',
  19: 'Ya existe un reclamo por falta de mercaderias',
  20: 'Tipo de documento no es cedible',
  21: 'DTE no cedible, anulado por nota de credito dentro de los primeros 8 dias',
  22: 'DTE no registra reclamos ni acuse de recibo',
  23: 'DTE cedible, no presenta reclamos',
  24: 'DTE no cedible, reclamado por el receptor',
  25: 'DTE Cedible, habiendo pasado 8 dias se entiende dado acuse de recibo',
} as const

export const EVENT_TEXTS: Readonly<Record<ClaimEvent['code'], string>> = {
  ACD: 'Acepta Contenido del Documento',
  ERM: 'Otorga Recibo de Mercaderias o Servicios',
  RCD: 'Reclamo al Contenido del Documento',
  RFP: 'Reclamo por Falta Parcial de Mercaderias',
  RFT: 'Reclamo por Falta Total de Mercaderias',
  NCA: 'Recepcion de Nota de Credito de Anulacion',
  ENC: 'Recepcion de Nota de Credito',
}
