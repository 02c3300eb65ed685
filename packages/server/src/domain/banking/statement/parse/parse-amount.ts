import { CellFault } from './refusal.ts'
import type { Cell } from './sheet.ts'

/** Digits after the point of each currency a cartola may be in (ISO 4217). Pesos have none. */
export const CURRENCY_DIGITS = { CLP: 0, USD: 2, EUR: 2 } as const
export type StatementCurrency = keyof typeof CURRENCY_DIGITS

const DECORATION = /US\$|USD|CLP|EUR|[$€\s\u00a0]/gi
const LARGEST = 999_999_999_999_999

// Chilean banks write 1.234.567,89; some of their exports, and every spreadsheet set to English, 1,234,567.89.
const SHAPES = [
  /^(\d+)$/,
  /^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,4}))?$/,
  /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,4}))?$/,
  /^(\d+)[.,](\d{1,2}|\d{4})$/,
]

/** Whether a spreadsheet would calculate the text: then it is no amount, whatever its result. */
function isFormula(text: string): boolean {
  return /^[=@]/.test(text) || (/^[+-]/.test(text) && /[a-z(*/]|\d[+-]\d/i.test(text.replace(DECORATION, '')))
}

function units(whole: string, decimals: string, digits: number): number {
  const kept = decimals.padEnd(digits, '0').slice(0, digits)
  if (/[1-9]/.test(decimals.slice(digits))) {
    throw new CellFault(digits === 0 ? 'has decimals, and pesos have none' : `has more than ${digits} decimals`)
  }
  const amount = Number(whole.replace(/[.,]/g, '') + kept)
  if (amount > LARGEST) throw new CellFault('is larger than any amount of a bank')
  return amount
}

function fromNumber(value: number, digits: number): number {
  const scaled = value * 10 ** digits
  const whole = Math.round(scaled)
  if (!Number.isFinite(value) || Math.abs(whole) > LARGEST) throw new CellFault('is larger than any amount of a bank')
  // A spreadsheet stores 0.1 + 0.2 with its binary error; a larger difference is a decimal that somebody wrote.
  if (Math.abs(scaled - whole) > 1e-4) {
    throw new CellFault(digits === 0 ? 'has decimals, and pesos have none' : `has more than ${digits} decimals`)
  }
  return whole === 0 ? 0 : whole
}

/** Parses an amount into the smallest unit of its currency; null where the cell is blank. Parentheses and a trailing minus negate. */
export function parseAmount(cell: Cell | undefined, digits: number): number | null {
  if (cell === undefined) return null
  if (typeof cell === 'object') throw new CellFault('is a formula, and formulas are not calculated')
  if (typeof cell === 'number') return fromNumber(cell, digits)
  const text = cell.replace(DECORATION, '').replace(/[\u2212\u2013]/g, '-')
  if (/^-*$/.test(text)) return null
  if (isFormula(cell.trim())) throw new CellFault('is a formula, and formulas are not calculated')
  const inside = /^\((.*)\)$/.exec(text)?.[1] ?? /^(.*)-$/.exec(text)?.[1] ?? /^-(.*)$/.exec(text)?.[1]
  const plain = (inside ?? text).replace(/^\+/, '')
  for (const shape of SHAPES) {
    const found = shape.exec(plain)
    if (!found) continue
    const amount = units(found[1] ?? '', found[2] ?? '', digits)
    return inside === undefined || amount === 0 ? amount : -amount
  }
  throw new CellFault('is not an amount')
}
