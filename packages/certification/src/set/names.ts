import type { TipoDte } from '@timbre/dte/values'
import type { SectionKind } from './set.ts'
import { fold, says } from './text.ts'

/** What a case may ask for, by the name the SII gives it. */
const CASE_DOCUMENTS: Readonly<Record<string, TipoDte>> = {
  'FACTURA ELECTRONICA': 33,
  'FACTURA NO AFECTA O EXENTA ELECTRONICA': 34,
  'FACTURA EXENTA ELECTRONICA': 34,
  'FACTURA DE COMPRA ELECTRONICA': 46,
  'GUIA DE DESPACHO': 52,
  'GUIA DE DESPACHO ELECTRONICA': 52,
  'NOTA DE DEBITO ELECTRONICA': 56,
  'NOTA DE CREDITO ELECTRONICA': 61,
}

/** A purchases book also has paper: the tables of the SII give it numbers of its own. */
const BOOK_DOCUMENTS: Readonly<Record<string, number>> = {
  FACTURA: 30,
  'FACTURA NO AFECTA O EXENTA': 32,
  'FACTURA EXENTA': 32,
  'FACTURA DE COMPRA': 45,
  'NOTA DE DEBITO': 55,
  'NOTA DE CREDITO': 60,
  ...CASE_DOCUMENTS,
}

export function caseDocument(name: string): TipoDte | null {
  return lookUp(CASE_DOCUMENTS, name)
}

export function bookDocument(name: string): number | null {
  return lookUp(BOOK_DOCUMENTS, name)
}

function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | null {
  const folded = fold(name)
  const key = Object.keys(table).find((known) => known.length === folded.length && says(folded, known))
  return key === undefined ? null : (table[key] ?? null)
}

export function isExport(folded: string): boolean {
  return says(folded, 'EXPORTACION')
}

/** In this order: the title of the set for facturas de compra begins with SET BASICO too. */
const TITLES: readonly (readonly [string, SectionKind])[] = [
  ['EXPORTACION', 'exportacion'],
  ['LIBRO DE VENTAS', 'libro_ventas'],
  ['LIBRO DE GUIAS', 'libro_guias'],
  ['FACTURA DE COMPRA', 'compra'],
  ['GUIA DE DESPACHO', 'guias'],
  ['FACTURA EXENTA', 'exenta'],
  ['FACTURA NO AFECTA O EXENTA', 'exenta'],
  ['SET BASICO', 'basico'],
]

export function kindOfTitle(folded: string): SectionKind {
  // The book of a taxpayer with exempt sales alone has rules of its own, and no sample of its text is known.
  if (says(folded, 'LIBRO DE COMPRAS')) return says(folded, 'EXENTO') ? 'unknown' : 'libro_compras'
  return TITLES.find(([phrase]) => says(folded, phrase))?.[1] ?? 'unknown'
}

/** A file with cases and no title tells its kind by the documents that it asks for. */
export function kindOfCases(tipos: readonly TipoDte[]): SectionKind {
  if (tipos.includes(33)) return 'basico'
  if (tipos.includes(34)) return 'exenta'
  if (tipos.includes(46)) return 'compra'
  return tipos.includes(52) ? 'guias' : 'unknown'
}
