import type { CaseItem } from './set.ts'
import { cellsOf, fold, type Line, readNumber, readPercent, restoreLetters, says } from './text.ts'

type Column = 'name' | 'quantity' | 'unit' | 'unit_price' | 'discount_percent'

const COLUMNS: Readonly<Record<string, Column>> = {
  ITEM: 'name',
  CANTIDAD: 'quantity',
  'UNIDAD MEDIDA': 'unit',
  'PRECIO UNITARIO': 'unit_price',
  'VALOR UNITARIO': 'unit_price',
  'DESCUENTO ITEM': 'discount_percent',
}

export type Columns = readonly Column[]

/** The columns that the heading of a table names, or why they are not known. */
export function readColumns(line: Line): Columns | string {
  const names = cellsOf(line).map(fold)
  const columns = names.map((name) => COLUMNS[name])
  const strange = names.find((name) => COLUMNS[name] === undefined)
  if (strange !== undefined) return `The column ${strange} is not known.`
  if (columns[0] !== 'name' || new Set(columns).size !== columns.length) return 'The columns are not those of a table.'
  return columns as Columns
}

const MAX_NAME = 80
const MAX_UNIT = 4

/** One row of the table. Every column has its cell; a row without discount alone may end before it. */
export function readItem(line: Line, columns: Columns, exempt_document: boolean): CaseItem | string {
  const cells = cellsOf(line)
  const ends_early = columns.at(-1) === 'discount_percent' && cells.length === columns.length - 1
  if (cells.length !== columns.length && !ends_early) {
    return `The row has ${cells.length} columns where its heading has ${columns.length}.`
  }
  const item: { -readonly [Key in keyof CaseItem]?: CaseItem[Key] } = { line: line.number }
  for (const [index, cell] of cells.entries()) {
    const fault = place(item, columns[index], cell)
    if (fault !== null) return fault
  }
  const name = item.name ?? ''
  return { ...item, line: line.number, name, exempt: exempt_document || isExemptName(name) }
}

function place(item: { -readonly [Key in keyof CaseItem]?: CaseItem[Key] }, column: Column | undefined, cell: string) {
  switch (column) {
    case 'name': {
      const name = restoreLetters(cell)
      if (name === null) return 'A letter was lost when the file was saved: hand over the file as the SII gave it.'
      if (name.length > MAX_NAME) return `The name has more than ${MAX_NAME} characters.`
      item.name = name
      return null
    }
    case 'unit':
      if (cell.length > MAX_UNIT) return `The unit has more than ${MAX_UNIT} characters.`
      item.unit = cell
      return null
    case 'discount_percent': {
      const percent = readPercent(cell)
      if (percent === null) return `${cell} is not a percentage.`
      item.discount_percent = percent
      return null
    }
    case 'quantity':
    case 'unit_price': {
      const value = readNumber(cell)
      if (value === null || value <= 0) return `${cell} is not a number of this set.`
      item[column] = value
      return null
    }
    default:
      return 'The row has more columns than its heading.'
  }
}

/** The SII writes in the name of an item whether it pays IVA; without a word it does. */
function isExemptName(name: string): boolean {
  const folded = ` ${fold(name)} `
  return says(folded, ' EXENTO ') || says(folded, ' EXENTA ') || says(folded, ' NO AFECTO ')
}
