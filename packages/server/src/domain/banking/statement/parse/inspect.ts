import type { InspectedStatement, StatementOptions } from '../../../../ports/statements.ts'
import type { Understood } from '../schema.ts'
import { convertXls, isOldExcel } from './convert-xls.ts'
import type { LaterBlock } from './detail.ts'
import { type OpenStatement, openStatement } from './open-statement.ts'
import type { StatementLine } from './parse-row.ts'
import { refusedFile } from './refusal.ts'

const FIRST_ROWS = 5

function columnNames({ layout }: OpenStatement): Record<string, string> {
  return Object.fromEntries(Object.entries(layout.columns).map(([role, { name }]) => [role, name]))
}

function firstRow({ row, post_date, amount, currency, description }: StatementLine) {
  return { row, post_date, amount, currency, description }
}

function warningOf({ row, title }: LaterBlock): Understood['warnings'][number] {
  const message = `The table "${title}" in row ${row} stands below the movements and was not read.`
  return { code: 'table_not_read', row, title, message }
}

/** Parses a whole file and writes nothing: the first row that cannot be parsed is refused by its number and column. */
export async function inspectFile(
  bytes: Buffer,
  options: StatementOptions,
  most_rows?: number,
): Promise<InspectedStatement<Understood>> {
  const converted = isOldExcel(bytes) ? await convertXls(bytes) : null
  const opened = await openStatement(converted ?? bytes, options, most_rows)
  const { sheet, layout, balance_check } = opened
  const first_rows: Understood['first_rows'] = []
  const formats = new Set<string>()
  let unread: readonly LaterBlock[] = []
  let [rows, skipped, first_date, last_date] = [0, 0, '9999-12-31', '0000-01-01']
  for await (const batch of opened.batches()) {
    for (const line of batch.lines) {
      if (first_rows.length < FIRST_ROWS) first_rows.push(firstRow(line))
      formats.add(line.format)
      if (line.post_date < first_date) first_date = line.post_date
      if (line.post_date > last_date) last_date = line.post_date
    }
    rows += batch.lines.length
    skipped += batch.skipped
    unread = batch.unread
  }
  if (rows === 0) throw refusedFile(`no movement stands below the header in row ${layout.header.row}`)
  const { format, encoding, separator, name } = sheet
  const { sign_rule, bank_account, bank, currency } = layout
  return {
    rows,
    skipped,
    converted,
    understood: {
      format: converted ? 'xls' : format,
      encoding,
      separator,
      sheet: name,
      header_row: layout.header.row,
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
      warnings: unread.map(warningOf),
    },
  }
}
