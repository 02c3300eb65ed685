import type { CellObject } from '@e965/xlsx'
import { STATEMENTS } from '../../../../catalog/limits.ts'
import { refusedFile } from './refusal.ts'

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** Whether a file is in the container of old Excel (.xls), in which an encrypted .xlsx comes too. */
export function isOldExcel(bytes: Buffer): boolean {
  return bytes.subarray(0, OLE.length).equals(OLE)
}

/**
 * Turns the .xls that many banks still hand out into an .xlsx of the same cells, which the reader with our bounds then
 * reads. For threads alone, whose time and memory are bounded: a hostile file may keep the library busy for long.
 * Formulas are carried over as text and never evaluated; macros, pictures and styles are not read.
 */
export async function convertXls(bytes: Buffer, most_chars: number = STATEMENTS.cells_chars): Promise<Buffer> {
  const { read, write } = await import('@e965/xlsx')
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch {
      throw refusedFile('it is an old Excel file (.xls) that is damaged or encrypted; save it as .xlsx or as .csv')
    }
  }
  const book = attempt(() =>
    read(bytes, { type: 'buffer', dense: true, cellFormula: true, cellHTML: false, cellText: false }),
  )
  const sheets = Object.values(book.Sheets).map((sheet) => sheet['!data'] ?? [])
  if (holdsMore(sheets, most_chars)) throw refusedFile('the spreadsheet holds more text than a cartola does')
  // The library leaves rows out that are blank, and cannot write what it left out.
  for (const rows of sheets) for (let at = 0; at < rows.length; at++) rows[at] ??= []
  return attempt(() => write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer)
}

/** Before it is written out: a text that many cells share stands once in the file, and once for each of them in ours. */
function holdsMore(sheets: readonly CellObject[][][], most_chars: number): boolean {
  let chars = 0
  for (const rows of sheets) {
    for (const row of rows) {
      for (const cell of row ?? []) if (typeof cell?.v === 'string') chars += cell.v.length
      if (chars > most_chars) return true
    }
  }
  return false
}
