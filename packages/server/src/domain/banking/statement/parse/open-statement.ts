import { STATEMENTS } from '../../../../catalog/limits.ts'
import type { StatementOptions } from '../../../../ports/statements.ts'
import { type CheckedLayout, checkBalance } from './balance-check.ts'
import { Detail, type LaterBlock } from './detail.ts'
import { type Header, parseHeader } from './header.ts'
import { isEmptyRow, type Layout, layoutOf } from './layout.ts'
import { openSheets } from './open-file.ts'
import { parseRow, type StatementLine } from './parse-row.ts'
import { parsePreamble } from './preamble.ts'
import { HEADER_WITHIN } from './read-csv.ts'
import { refusedFile } from './refusal.ts'
import type { Sheet, SheetRow } from './sheet.ts'

/** A cartola whose layout is known; its movements can be read as often as needed. */
export interface OpenStatement extends CheckedLayout {
  readonly sheet: Sheet
  /** Movements in batches, each with the number of rows that held none. */
  batches(): AsyncGenerator<Batch>
}

interface Batch {
  readonly lines: StatementLine[]
  readonly skipped: number
  /** Tables below the movements that were found so far and not read. */
  readonly unread: readonly LaterBlock[]
}

const SAMPLE = 500
/** Rows among which the sample is looked for: below the movements there may be any number of others. */
const SAMPLE_WITHIN = 2_000

interface Head {
  readonly above: readonly SheetRow[]
  readonly header: Header
  readonly sample: readonly SheetRow[]
}

/** The rows above the header, the header, and the first of its rows; null where no row is a header. */
async function headOf(sheet: Sheet): Promise<Head | null> {
  const above: SheetRow[] = []
  const sample: SheetRow[] = []
  let header: Header | null = null
  let detail: Detail | null = null
  const enough = ({ number }: SheetRow) =>
    sample.length >= SAMPLE || above.length > HEADER_WITHIN || number > SAMPLE_WITHIN
  for await (const rows of sheet.rows()) {
    for (const row of rows) {
      if (detail?.includes(row)) sample.push(row)
      if (!detail) {
        header = row.number <= HEADER_WITHIN ? parseHeader(row) : null
        if (header) detail = new Detail(above)
        else above.push(row)
      }
      if (enough(row)) break
    }
    if (rows.some(enough)) break
  }
  return header && { above, header, sample }
}

async function* batchesOf(
  sheet: Sheet,
  layout: Layout,
  above: readonly SheetRow[],
  most_rows: number,
): AsyncGenerator<Batch> {
  const detail = new Detail(above)
  let [found, others] = [0, 0]
  for await (const rows of sheet.rows()) {
    const lines: StatementLine[] = []
    let skipped = 0
    for (const row of rows) {
      if (row.number <= layout.header.row) continue
      const read = detail.includes(row) ? parseRow(row, layout) : isEmptyRow(row) ? 'blank' : 'skipped'
      if (read === 'skipped') skipped++
      else if (read !== 'blank') lines.push(read.line)
    }
    found += lines.length
    others += skipped
    if (found + others > most_rows) throw refusedFile(`it holds more than ${most_rows} rows; send it in parts`)
    // Totals, notes and the columns once more on each page are fewer than the movements.
    if (others > found + STATEMENTS.rows_without_movement) {
      throw refusedFile(`${others} of its first ${found + others} rows below the header hold no movement`)
    }
    yield { lines, skipped, unread: detail.unread }
  }
}

/** Finds the table of movements in a file and its layout, or refuses the file with what is missing. Writes nothing. */
export async function openStatement(
  bytes: Buffer,
  options: StatementOptions,
  most_rows: number = STATEMENTS.rows,
): Promise<OpenStatement> {
  const { filename = '', bank_account, positive_is, today } = options
  for (const sheet of await openSheets(bytes)) {
    const head = await headOf(sheet)
    if (!head) continue
    const { header, sample, above } = head
    const preamble = parsePreamble(above, filename, today)
    const { epoch1904 } = sheet
    const found = layoutOf({ header, preamble, sample, bank_account, positive_is, today, epoch1904 })
    const { layout, balance_check } = checkBalance(found, sample)
    return { sheet, layout, balance_check, batches: () => batchesOf(sheet, layout, above, most_rows) }
  }
  throw refusedFile(
    `no row among the first ${HEADER_WITHIN} names its columns: a date (Fecha), a description (Descripción) and an ` +
      'amount (Monto, or Cargos and Abonos)',
  )
}
