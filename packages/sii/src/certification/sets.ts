import { fold } from '../portal/fold.ts'

/** The sets that a taxpayer certifies with, by the words of the SII's own texts. */
export type SetKind =
  | 'basico'
  | 'libro_ventas'
  | 'libro_compras'
  | 'guias'
  | 'libro_guias'
  | 'exenta'
  | 'factura_compra'
  | 'liquidacion'
  | 'exportacion'
  | 'simulacion'

/** The first that matches wins: "SET BASICO DOCUMENTOS DE EXPORTACION" is one of exportación. */
const KINDS: readonly (readonly [SetKind, RegExp])[] = [
  ['simulacion', /simulacion/],
  ['exportacion', /exportacion/],
  ['liquidacion', /liquidacion/],
  ['libro_ventas', /libro (de )?ventas?/],
  ['libro_compras', /libro (de )?compras?/],
  ['libro_guias', /libro (de )?guias?/],
  ['factura_compra', /factura (electronica )?(de )?compra/],
  ['guias', /guias?( de)?( despacho)?/],
  ['exenta', /exent[ao]/],
  ['basico', /basico/],
]

/** Null for a set that we do not know: its label is shown as it is. */
export function setKind(label: string): SetKind | null {
  const folded = fold(label)
  return KINDS.find(([, pattern]) => pattern.test(folded))?.[0] ?? null
}

export type SetState = 'to_do' | 'in_review' | 'approved' | 'refused'

const STATES: readonly (readonly [SetState, RegExp])[] = [
  ['refused', /\bsrh\b|rechazad|no conforme|disconforme/],
  ['approved', /\bsok\b|revisado conforme/],
  ['in_review', /en revision/],
  ['to_do', /por realizar/],
]

/** Null where the words are not those of a state. */
export function setState(words: string): SetState | null {
  const folded = fold(words)
  return STATES.find(([, pattern]) => pattern.test(folded))?.[0] ?? null
}
