import { type Column, columnsOf, type Header, plainWords } from './header.ts'
import { isBlank, type SheetRow, textOf } from './sheet.ts'

/** A column that says of each movement whether it took money out or brought it in. */
export interface DirectionColumn {
  readonly column: Column
  /** Whether a word of the column means money out; null for one that says neither. */
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

/** The column of kinds, where most of its words say which way money went; a column of other words is about something else. */
export function findDirectionColumn(header: Header, sample: readonly SheetRow[]): DirectionColumn | null {
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
