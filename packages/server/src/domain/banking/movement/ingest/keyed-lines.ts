import { newId } from '../../../../kernel/id.ts'
import type { MovementLine } from '../row.ts'
import { tailIn } from './account.ts'

/** A line as it is written: with its id and with what identifies it. */
export interface NewMovement extends MovementLine {
  readonly id: string
  readonly line_key: string
  readonly account_tail: string | null
  readonly bank: string | null
}

/** Each key once, with its last line: one statement cannot write a row twice. In order, so that no two imports deadlock. */
export function keyedLines(lines: readonly MovementLine[], keyOf: (line: MovementLine) => string): NewMovement[] {
  const byKey = new Map(lines.map((line) => [keyOf(line), line]))
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([line_key, line]) => ({
      line_key,
      id: newId('movement'),
      external_id: line.external_id,
      bank_account: line.bank_account,
      post_date: line.post_date,
      amount: line.amount,
      currency: line.currency,
      description: line.description,
      counterparty_rut: line.counterparty_rut,
      counterparty_name: line.counterparty_name,
      account_tail: tailIn(line.bank_account),
      bank: line.bank ?? null,
    }))
}

/** As the database reads them. Half of a character would be refused there. */
export function linesAsJson(lines: readonly NewMovement[]): string {
  return JSON.stringify(lines, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
}
