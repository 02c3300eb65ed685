import { isRut } from '@timbre/dte/values'
import type { MovementLine } from '../../movement/row.ts'
import { repeats } from './detail.ts'
import { type Column, parseHeader, plainWords } from './header.ts'
import { isEmptyRow, type Layout } from './layout.ts'
import { CURRENCY_DIGITS, parseAmount, type StatementCurrency } from './parse-amount.ts'
import { type ParsedDate, parseDate } from './parse-date.ts'
import { CellFault, refusedCell, refusedFile } from './refusal.ts'
import { type Cell, isBlank, type SheetRow, textOf } from './sheet.ts'

/** A movement of a cartola, with the values that only serve to check it. */
export interface StatementLine extends MovementLine {
  readonly row: number
  readonly format: string
  readonly balance: number | null
}

/** `skipped` is a row that holds no movement: a total, a note, a header again, an opening balance. */
export type ParsedRow = { readonly line: StatementLine } | 'skipped' | 'blank'

const DESCRIPTION_CHARS = 500
const TOTALS = /^(sub ?)?total(es)?\b|^saldo\b|^resumen\b|^pagina\b|^suma\b/

function parseCell<T>(row: SheetRow, column: Column, read: (cell: Cell | undefined) => T): T {
  const cell = row.cells[column.index]
  try {
    return read(cell)
  } catch (error) {
    if (!(error instanceof CellFault)) throw error
    throw refusedCell(row.number, column.name, cell, error.message)
  }
}

const moneyColumns = ({ columns: { charge, credit, amount, usd } }: Layout) =>
  [charge, credit, amount, usd].filter((column) => column !== undefined)

const holds = (row: SheetRow, columns: readonly Column[]) => columns.some(({ index }) => !isBlank(row.cells[index]))

function isTotal(row: SheetRow, { columns: { date, description } }: Layout): boolean {
  return [date, description].some((column) => TOTALS.test(plainWords(textOf(row.cells[column?.index ?? 0]))))
}

/** A row without a date is refused only if it has money and is no total; any other holds no movement. */
function dateOf(row: SheetRow, layout: Layout): ParsedDate | 'skipped' {
  const column = layout.columns.date as Column
  const cell = row.cells[column.index]
  try {
    const found = parseDate(cell, layout.dates)
    if (found) return found
  } catch (error) {
    if (!(error instanceof CellFault)) throw error
    const again = parseHeader(row)
    if (again && repeats(layout.header, again)) return 'skipped'
    if (again)
      throw refusedFile(`row ${row.number} names other columns than row ${layout.header.row}; send each table alone`)
    if (isTotal(row, layout) || !holds(row, moneyColumns(layout))) return 'skipped'
    throw refusedCell(row.number, column.name, cell, error.message)
  }
  if (isTotal(row, layout) || !holds(row, moneyColumns(layout))) return 'skipped'
  throw refusedCell(row.number, column.name, cell, 'is empty, and the row has an amount')
}

interface Money {
  readonly amount: number
  readonly currency: StatementCurrency
}

function fromPair(row: SheetRow, layout: Layout): Money | null {
  const { charge, credit } = layout.columns
  const { currency } = layout
  const read = (cell: Cell | undefined) => parseAmount(cell, CURRENCY_DIGITS[currency]) ?? 0
  const out = charge ? parseCell(row, charge, read) * (layout.charges_are_negative ? -1 : 1) : 0
  const came = credit ? parseCell(row, credit, read) : 0
  if (out !== 0 && came !== 0 && credit) {
    throw refusedCell(
      row.number,
      credit.name,
      row.cells[credit.index],
      'stands beside a charge; a movement is one of the two',
    )
  }
  const amount = came - out
  return amount === 0 ? null : { amount, currency }
}

/** The peso amount counts; of a charge abroad that the card has not turned into pesos there is only the other one. */
function single(row: SheetRow, layout: Layout): Money | null {
  const { amount, usd } = layout.columns
  const currency = currencyOf(row, layout)
  const pesos = amount ? parseCell(row, amount, (cell) => parseAmount(cell, CURRENCY_DIGITS[currency])) : null
  if (pesos) return { amount: pesos, currency }
  const dollars = usd ? parseCell(row, usd, (cell) => parseAmount(cell, CURRENCY_DIGITS.USD)) : null
  return dollars ? { amount: dollars, currency: 'USD' } : null
}

function currencyOf(row: SheetRow, layout: Layout): StatementCurrency {
  const column = layout.columns.currency
  if (!column || isBlank(row.cells[column.index])) return layout.currency
  const words = plainWords(textOf(row.cells[column.index]))
  if (/^(clp|peso|pesos|p|\$)$/.test(words) || textOf(row.cells[column.index]) === '$') return 'CLP'
  if (/^(usd|us|dolar|dolares|d)$/.test(words)) return 'USD'
  if (/^(eur|euros?)$/.test(words)) return 'EUR'
  throw refusedCell(
    row.number,
    column.name,
    row.cells[column.index],
    'is not a currency that is known here (CLP, USD, EUR)',
  )
}

function signed(row: SheetRow, layout: Layout): Money | null {
  if (layout.sign_rule === 'charge_and_credit_columns') return fromPair(row, layout)
  const money = single(row, layout)
  if (!money) return null
  if (!layout.direction) return layout.sign_rule === 'positive_is_out' ? { ...money, amount: -money.amount } : money
  const { column, out } = layout.direction
  const is_out = out(textOf(row.cells[column.index]))
  if (is_out === null) {
    throw refusedCell(
      row.number,
      column.name,
      row.cells[column.index],
      'says neither charge (cargo) nor deposit (abono)',
    )
  }
  const size = Math.abs(money.amount)
  return { ...money, amount: is_out ? -size : size }
}

/** A RUT as a bank writes it, with dots or zeros in front, in its canonical form; null where it is none. */
export function parseRutCell(text: string): string | null {
  const [, number = '', digit = ''] = /^0{0,12}(\d{1,3}(?:\.?\d{3}){0,3})-?([\dkK])$/.exec(text.trim()) ?? []
  const rut = `${number.replaceAll('.', '')}-${digit.toUpperCase()}`
  return isRut(rut) ? rut : null
}

function textAt(row: SheetRow, column: Column | undefined): string | null {
  const text = column ? textOf(row.cells[column.index]).replace(/\s+/g, ' ').slice(0, DESCRIPTION_CHARS) : ''
  return text === '' ? null : text
}

function balanceOf(row: SheetRow, { columns: { balance }, currency }: Layout): number | null {
  try {
    return balance ? parseAmount(row.cells[balance.index], CURRENCY_DIGITS[currency]) : null
  } catch {
    // The balance is only a check: one that cannot be parsed is no reason to refuse a movement.
    return null
  }
}

/** Parses one row. A refusal names the row and the column. */
export function parseRow(row: SheetRow, layout: Layout): ParsedRow {
  if (isEmptyRow(row)) return 'blank'
  const day = dateOf(row, layout)
  if (day === 'skipped') return 'skipped'
  const money = signed(row, layout)
  if (!money) return 'skipped'
  const { description, name, rut, date } = layout.columns
  const counterparty_name = textAt(row, name)
  return {
    line: {
      row: row.number,
      format: day.format,
      balance: balanceOf(row, layout),
      external_id: null,
      bank_account: layout.bank_account,
      bank: layout.bank,
      post_date: day.date,
      ...money,
      description: textAt(row, description) ?? counterparty_name ?? (date ? 'Sin descripción' : ''),
      counterparty_rut: rut ? parseRutCell(textOf(row.cells[rut.index])) : null,
      counterparty_name,
    },
  }
}
