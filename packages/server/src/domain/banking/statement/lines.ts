import type { MovementLine } from '../movement/row.ts'
import { CURRENCY_DIGITS, readAmount, type StatementCurrency } from './amount.ts'
import { type Cell, CellFault, isBlank, refusedCell, refusedFile, type SheetRow, textOf } from './cell.ts'
import { type ReadDate, readDate } from './date.ts'
import { type Column, headerOf, plainWords } from './header.ts'
import { isEmptyRow, type Plan, repeats } from './plan.ts'
import { rutIn } from './rut-cell.ts'

/** A movement of a cartola with what is only needed to check it. */
export interface StatementLine extends MovementLine {
  readonly row: number
  readonly format: string
  readonly balance: number | null
}

/** `skipped` is a row that holds no movement: a total, a note, a header again, an opening balance. */
export type LineRead = { readonly line: StatementLine } | 'skipped' | 'blank'

const DESCRIPTION_CHARS = 500
const TOTALS = /^(sub ?)?total(es)?\b|^saldo\b|^resumen\b|^pagina\b|^suma\b/

function at<T>(row: SheetRow, column: Column, read: (cell: Cell | undefined) => T): T {
  const cell = row.cells[column.index]
  try {
    return read(cell)
  } catch (error) {
    if (!(error instanceof CellFault)) throw error
    throw refusedCell(row.number, column.name, cell, error.message)
  }
}

const moneyColumns = ({ columns: { charge, credit, amount, usd } }: Plan) =>
  [charge, credit, amount, usd].filter((column) => column !== undefined)

const holds = (row: SheetRow, columns: readonly Column[]) => columns.some(({ index }) => !isBlank(row.cells[index]))

function isTotal(row: SheetRow, { columns: { date, description } }: Plan): boolean {
  return [date, description].some((column) => TOTALS.test(plainWords(textOf(row.cells[column?.index ?? 0]))))
}

/** A row without a day is a movement only if it has money and is no total; then its day is missed. */
function dateOf(row: SheetRow, plan: Plan): ReadDate | 'skipped' {
  const column = plan.columns.date as Column
  const cell = row.cells[column.index]
  try {
    const found = readDate(cell, plan.dates)
    if (found) return found
  } catch (error) {
    if (!(error instanceof CellFault)) throw error
    const again = headerOf(row)
    if (again && repeats(plan, again)) return 'skipped'
    if (again)
      throw refusedFile(`row ${row.number} names other columns than row ${plan.header.row}; send each table alone`)
    if (isTotal(row, plan) || !holds(row, moneyColumns(plan))) return 'skipped'
    throw refusedCell(row.number, column.name, cell, error.message)
  }
  if (isTotal(row, plan) || !holds(row, moneyColumns(plan))) return 'skipped'
  throw refusedCell(row.number, column.name, cell, 'is empty, and the row has an amount')
}

interface Money {
  readonly amount: number
  readonly currency: StatementCurrency
}

function fromPair(row: SheetRow, plan: Plan): Money | null {
  const { charge, credit } = plan.columns
  const { currency } = plan
  const read = (cell: Cell | undefined) => readAmount(cell, CURRENCY_DIGITS[currency]) ?? 0
  const out = charge ? at(row, charge, read) * (plan.charges_are_negative ? -1 : 1) : 0
  const came = credit ? at(row, credit, read) : 0
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
function single(row: SheetRow, plan: Plan): Money | null {
  const { amount, usd } = plan.columns
  const currency = currencyOf(row, plan)
  const pesos = amount ? at(row, amount, (cell) => readAmount(cell, CURRENCY_DIGITS[currency])) : null
  if (pesos) return { amount: pesos, currency }
  const dollars = usd ? at(row, usd, (cell) => readAmount(cell, CURRENCY_DIGITS.USD)) : null
  return dollars ? { amount: dollars, currency: 'USD' } : null
}

function currencyOf(row: SheetRow, plan: Plan): StatementCurrency {
  const column = plan.columns.currency
  if (!column || isBlank(row.cells[column.index])) return plan.currency
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

function signed(row: SheetRow, plan: Plan): Money | null {
  if (plan.sign_rule === 'charge_and_credit_columns') return fromPair(row, plan)
  const money = single(row, plan)
  if (!money) return null
  if (!plan.kinds) return plan.sign_rule === 'positive_is_out' ? { ...money, amount: -money.amount } : money
  const { column, out } = plan.kinds
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

function wordsAt(row: SheetRow, column: Column | undefined): string | null {
  const text = column ? textOf(row.cells[column.index]).replace(/\s+/g, ' ').slice(0, DESCRIPTION_CHARS) : ''
  return text === '' ? null : text
}

function balanceOf(row: SheetRow, { columns: { balance }, currency }: Plan): number | null {
  try {
    return balance ? readAmount(row.cells[balance.index], CURRENCY_DIGITS[currency]) : null
  } catch {
    // It only serves as a check: what cannot be read there is no reason to refuse a movement.
    return null
  }
}

/** One row under a plan. A refusal names the row and the column. */
export function readLine(row: SheetRow, plan: Plan): LineRead {
  if (isEmptyRow(row)) return 'blank'
  const day = dateOf(row, plan)
  if (day === 'skipped') return 'skipped'
  const money = signed(row, plan)
  if (!money) return 'skipped'
  const { description, name, rut, date } = plan.columns
  const counterparty_name = wordsAt(row, name)
  return {
    line: {
      row: row.number,
      format: day.format,
      balance: balanceOf(row, plan),
      external_id: null,
      bank_account: plan.bank_account,
      bank: plan.bank,
      post_date: day.date,
      ...money,
      description: wordsAt(row, description) ?? counterparty_name ?? (date ? 'Sin descripción' : ''),
      counterparty_rut: rut ? rutIn(textOf(row.cells[rut.index])) : null,
      counterparty_name,
    },
  }
}
