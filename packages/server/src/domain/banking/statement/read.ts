import { STATEMENTS } from '../../../catalog/limits.ts'
import { compareBalances } from './balance.ts'
import { refusedFile, type SheetRow } from './cell.ts'
import { HEADER_WITHIN } from './csv.ts'
import { type Header, headerOf } from './header.ts'
import { readLine, type StatementLine } from './lines.ts'
import { openSheets } from './open.ts'
import { type Plan, planOf } from './plan.ts'
import { readPreamble } from './preamble.ts'
import type { Sheet } from './sheet.ts'

export interface ReadOptions {
  readonly filename: string | undefined
  readonly bank_account: string | undefined
  readonly positive_is: 'in' | 'out' | undefined
  /** In Santiago, YYYY-MM-DD: what a date without a year is held against. */
  readonly today: string
}

/** A cartola whose columns are understood, to be read as often as needed. */
export interface OpenStatement {
  readonly sheet: Sheet
  readonly plan: Plan
  readonly balance_check: 'agrees' | 'disagrees' | 'absent'
  /** Lots of movements, with how many rows of each lot held none. */
  lots(): AsyncGenerator<{ readonly lines: StatementLine[]; readonly skipped: number }>
}

const SAMPLE = 500

interface Head {
  readonly above: readonly SheetRow[]
  readonly header: Header
  readonly sample: readonly SheetRow[]
}

/** The rows above the header, the header, and the first rows below it; null where no row is a header. */
async function headOf(sheet: Sheet): Promise<Head | null> {
  const above: SheetRow[] = []
  const sample: SheetRow[] = []
  let header: Header | null = null
  for await (const rows of sheet.rows()) {
    for (const row of rows) {
      if (header) sample.push(row)
      else header = row.number <= HEADER_WITHIN ? headerOf(row) : null
      if (!header) above.push(row)
      if (sample.length >= SAMPLE || above.length > HEADER_WITHIN) break
    }
    if (sample.length >= SAMPLE || above.length > HEADER_WITHIN) break
  }
  return header && { above, header, sample }
}

const AGREES = 0.8

/** The balance beside the movements says whether their signs were read rightly. */
function checked(plan: Plan, sample: readonly SheetRow[]): Pick<OpenStatement, 'plan' | 'balance_check'> {
  const lines = sample.flatMap((row) => {
    const read = readLine(row, plan)
    return typeof read === 'object' ? [read.line] : []
  })
  const { steps, as_read, reversed } = compareBalances(lines)
  if (steps === 0) return { plan, balance_check: 'absent' }
  if (as_read >= steps * AGREES) return { plan, balance_check: 'agrees' }
  const one_column = plan.sign_rule === 'negative_is_out' || plan.sign_rule === 'positive_is_out'
  if (one_column && reversed >= steps * AGREES) {
    const sign_rule = plan.sign_rule === 'negative_is_out' ? 'positive_is_out' : 'negative_is_out'
    return { plan: { ...plan, sign_rule }, balance_check: 'agrees' }
  }
  const alike = lines.every(({ amount }) => amount > 0) || lines.every(({ amount }) => amount < 0)
  if (one_column && alike && steps >= 3) {
    throw refusedFile(
      `the amounts of "${plan.columns.amount?.name}" carry no sign, and the balance beside them goes up and down: ` +
        'export it with a column of cargos and one of abonos',
    )
  }
  return { plan, balance_check: 'disagrees' }
}

async function* lotsOf(sheet: Sheet, plan: Plan) {
  let count = 0
  for await (const rows of sheet.rows()) {
    const lines: StatementLine[] = []
    let skipped = 0
    for (const row of rows) {
      if (row.number <= plan.header.row) continue
      const read = readLine(row, plan)
      if (read === 'skipped') skipped++
      else if (read !== 'blank') lines.push(read.line)
    }
    count += lines.length + skipped
    if (count > STATEMENTS.rows) throw refusedFile(`it holds more than ${STATEMENTS.rows} rows; send it in parts`)
    yield { lines, skipped }
  }
}

/** Finds the table of movements in a file and how to read it, or says what is missing. Nothing is written. */
export async function openStatement(bytes: Buffer, options: ReadOptions): Promise<OpenStatement> {
  const { filename = '', bank_account, positive_is, today } = options
  for (const sheet of await openSheets(bytes)) {
    const head = await headOf(sheet)
    if (!head) continue
    const { header, sample, above } = head
    const preamble = readPreamble(above, filename, today)
    const { epoch1904 } = sheet
    const found = planOf({ header, preamble, sample, bank_account, positive_is, today, epoch1904 })
    const { plan, balance_check } = checked(found, sample)
    return { sheet, plan, balance_check, lots: () => lotsOf(sheet, plan) }
  }
  throw refusedFile(
    `no row among the first ${HEADER_WITHIN} names its columns: a date (Fecha), a description (Descripción) and an ` +
      'amount (Monto, or Cargos and Abonos)',
  )
}
