import { isBlank, type SheetRow, textOf } from './cell.ts'
import { type Column, columnsOf, type Header, plainWords } from './header.ts'

/** A column that says of each movement whether it took money out or brought it in. */
export interface Kinds {
  readonly column: Column
  /** Which way a word of the column goes; null for one that says neither. */
  readonly out: (word: string) => boolean | null
}

const OUT = /^(cargos?|debitos?|d|db|egresos?|giros?|pagos?|compras?|debits?|dr|charges?|withdrawals?)\b/
const IN = /^(abonos?|creditos?|a|cr|ingresos?|depositos?|haber|credits?|deposits?)\b/

/** A lone C is a cargo beside an A (abono), and a crédito beside a D (débito). Otherwise the name of the column decides. */
function isCargo(column: Column, words: ReadonlySet<string>): boolean {
  if (words.has('a')) return true
  if (words.has('d')) return false
  return /cargo/.test(plainWords(column.name))
}

/** The column of kinds, where every word in it is one. A column of other words is not about the direction of money. */
export function kindsOf(header: Header, sample: readonly SheetRow[]): Kinds | null {
  const [column] = columnsOf(header, 'kind')
  if (!column) return null
  const [date] = columnsOf(header, 'date')
  const dated = sample.filter(({ cells }) => !isBlank(cells[column.index]) && !isBlank(cells[date?.index ?? 0]))
  const words = new Set(dated.map(({ cells }) => plainWords(textOf(cells[column.index]))))
  const cargo = isCargo(column, words)
  const out = (text: string) => {
    const word = plainWords(text)
    if (word === 'c') return cargo
    if (OUT.test(word)) return true
    return IN.test(word) ? false : null
  }
  const known = [...words].filter((word) => out(word) !== null)
  return words.size > 0 && known.length * 2 > words.size ? { column, out } : null
}
