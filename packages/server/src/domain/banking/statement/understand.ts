import { refusedFile } from './cell.ts'
import type { StatementLine } from './lines.ts'
import { type OpenStatement, openStatement, type ReadOptions } from './read.ts'
import type { Understood } from './schema.ts'

/** A cartola that was read to its end and can be imported. */
export interface UnderstoodFile {
  readonly understood: Understood
  readonly rows: number
  readonly skipped: number
}

const FIRST_ROWS = 5

function columnNames({ plan }: OpenStatement): Record<string, string> {
  return Object.fromEntries(Object.entries(plan.columns).map(([role, { name }]) => [role, name]))
}

function firstRow({ row, post_date, amount, currency, description }: StatementLine) {
  return { row, post_date, amount, currency, description }
}

/** Reads all of a file and writes nothing: every row can be read, or the first one that cannot is named. */
export async function understandFile(bytes: Buffer, options: ReadOptions): Promise<UnderstoodFile> {
  const opened = await openStatement(bytes, options)
  const { sheet, plan, balance_check } = opened
  const first_rows: Understood['first_rows'] = []
  const formats = new Set<string>()
  let [rows, skipped, first_date, last_date] = [0, 0, '9999-12-31', '0000-01-01']
  for await (const lot of opened.lots()) {
    for (const line of lot.lines) {
      if (first_rows.length < FIRST_ROWS) first_rows.push(firstRow(line))
      formats.add(line.format)
      if (line.post_date < first_date) first_date = line.post_date
      if (line.post_date > last_date) last_date = line.post_date
    }
    rows += lot.lines.length
    skipped += lot.skipped
  }
  if (rows === 0) throw refusedFile(`no movement stands below the header in row ${plan.header.row}`)
  const { format, encoding, separator, name } = sheet
  const { sign_rule, bank_account, bank, currency } = plan
  return {
    rows,
    skipped,
    understood: {
      format,
      encoding,
      separator,
      sheet: name,
      header_row: plan.header.row,
      columns: columnNames(opened),
      date_format: [...formats].join(', '),
      sign_rule,
      balance_check,
      bank_account,
      bank,
      currency,
      first_date,
      last_date,
      first_rows,
    },
  }
}
