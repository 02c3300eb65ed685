import { utils, write } from '@e965/xlsx'

/** A spreadsheet as Excel wrote it until 2003 (BIFF8). */
export function xlsOf(name: string, rows: readonly (readonly (string | number | null)[])[]): Buffer {
  const book = utils.book_new(utils.aoa_to_sheet(rows as (string | number | null)[][]), name)
  return write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer
}
