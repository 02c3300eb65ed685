import type { SheetRow } from './cell.ts'

/** One table of rows in a file, to be read from its beginning as often as needed, never held as a whole. */
export interface Sheet {
  readonly format: 'csv' | 'xlsx'
  /** Null in a spreadsheet, which says so itself. */
  readonly encoding: string | null
  readonly separator: string | null
  /** The name of its tab; null in a file that has none. */
  readonly name: string | null
  readonly epoch1904: boolean
  rows(): AsyncIterable<readonly SheetRow[]>
}
