import { canonicalRut, isCivilDate } from '@timbre/dte/values'
import { IVA_CODES, type IvaCode, type TipoCompra, type TipoVenta } from '../../../catalog/rcv.ts'
import type { OtherTax, Side } from './row.ts'
import { santiagoInstant } from './santiago-instant.ts'

/** A line cannot be read because of this column; null where the line as a whole is wrong. */
export class LineError extends Error {
  readonly column: string | null
  constructor(column: string | null, message: string) {
    super(message)
    this.name = 'LineFault'
    this.column = column
  }
}

/** A cell and the header above it. Quotes, spaces around it, control characters and the word `null` mean nothing. */
export interface Cell {
  readonly column: string
  readonly text: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g

export function cleanCell(raw: string): string {
  const text = raw.replace(CONTROL, ' ').trim()
  const bare = text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text
  return bare === 'null' || bare === '-' ? '' : bare
}

/** For comparing: the SII writes the same column with and without accents, dots and capitals. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

function fault({ column, text }: Cell, wanted: string): LineError {
  return new LineError(column, text === '' ? `it is empty: ${wanted}` : `it is not ${wanted}`)
}

const WHOLE = /^-?\d{1,15}$/

/** Whole pesos; an empty cell is zero. Anything else, a formula among it, is refused. */
export function parsePesos(cell: Cell): number {
  if (cell.text === '') return 0
  if (!WHOLE.test(cell.text)) throw fault(cell, 'an amount in whole pesos')
  return Number(cell.text)
}

export function parseNumber(cell: Cell, most: number): number {
  if (!/^\d{1,15}$/.test(cell.text) || Number(cell.text) < 1 || Number(cell.text) > most) {
    throw fault(cell, 'a number of the SII')
  }
  return Number(cell.text)
}

export function parseDate(cell: Cell): string {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell.text) ?? []
  const date = `${year}-${month}-${day}`
  if (!isCivilDate(date)) throw fault(cell, 'a date of the calendar, written dd/mm/yyyy')
  return date
}

export function parseInstant(cell: Cell | undefined): Date | null {
  if (cell === undefined || cell.text === '') return null
  const [, date = '', time = '00:00:00'] = /^(\S{10})(?: (([01]\d|2[0-3]):[0-5]\d:[0-5]\d))?$/.exec(cell.text) ?? []
  return santiagoInstant(`${parseDate({ ...cell, text: date })}T${time}`)
}

export function parseRut(cell: Cell): string {
  const rut = canonicalRut(cell.text)
  if (rut === null) throw fault(cell, 'a RUT with its check digit')
  return rut
}

export function parseIvaCode(cell: Cell | undefined): IvaCode | null {
  if (cell === undefined || cell.text === '' || cell.text === '0') return null
  const code = IVA_CODES.find((known) => String(known) === cell.text)
  if (code === undefined) throw fault(cell, 'a code of IVA without credit: 1, 2, 3, 4 or 9')
  return code
}

const TIPO_COMPRA_NAMES: Readonly<Record<string, TipoCompra>> = {
  'del giro': 1,
  supermercados: 2,
  supermercado: 2,
  'bienes raices': 3,
  'activo fijo': 4,
  'iva uso comun': 5,
  'iva no recuperable': 6,
  'no corresp incluir': 7,
  'no corresponde incluir': 7,
}

const TIPO_VENTA_NAMES: Readonly<Record<string, TipoVenta>> = {
  'del giro': 1,
  'activo fijo': 2,
  'bienes raices': 3,
  'bien raiz': 3,
}

/** The SII writes a tipo in words, or as the number that stands for them. */
export function parseTipo(side: Side, cell: Cell): TipoCompra | TipoVenta {
  const names: Readonly<Record<string, TipoCompra | TipoVenta>> =
    side === 'purchase' ? TIPO_COMPRA_NAMES : TIPO_VENTA_NAMES
  const tipo = names[normalizeText(cell.text)] ?? Object.values(names).find((known) => String(known) === cell.text)
  if (tipo === undefined) throw fault(cell, `a tipo of ${side} that the SII has`)
  return tipo
}

export function parseTax(code: Cell | undefined, amount: Cell | undefined, rate: Cell | undefined): OtherTax | null {
  if (!code || code.text === '') return null
  // The register writes the rate of a tax as it stores it: `31.5`, `20,50` or `31.500000`.
  const rate_text = (rate?.text ?? '').replace(',', '.')
  if (rate_text !== '' && !/^(\d{1,3}(\.\d*)?|\.\d+)$/.test(rate_text)) throw fault(rate ?? code, 'a percentage')
  return {
    code: parseNumber(code, 9_999),
    rate: rate_text === '' ? null : Number(rate_text),
    amount: amount ? parsePesos(amount) : 0,
  }
}

/** Several folios are joined by a dash. */
export function parseFolios(cell: Cell | undefined): string[] {
  if (!cell || cell.text === '' || cell.text === '0') return []
  return cell.text
    .split('-')
    .map((folio) => folio.trim())
    .filter((folio) => folio !== '')
}
