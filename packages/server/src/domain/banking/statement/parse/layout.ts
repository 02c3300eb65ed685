import { bankIn } from '../../movement/ingest/account.ts'
import { type DirectionColumn, findDirectionColumn } from './direction-column.ts'
import { type Column, columnsOf, type Header, MONEY, plainWords, type Role } from './header.ts'
import type { StatementCurrency } from './parse-amount.ts'
import type { DateContext } from './parse-date.ts'
import type { Preamble } from './preamble.ts'
import { refusedCell, refusedFile } from './refusal.ts'
import { type Cell, isBlank, type SheetRow, textOf } from './sheet.ts'

/** Ways to know the sign of a movement. */
export const SIGN_RULES = ['charge_and_credit_columns', 'kind_column', 'negative_is_out', 'positive_is_out'] as const
export type SignRule = (typeof SIGN_RULES)[number]

/** How to parse the rows of one cartola. */
export interface Layout {
  readonly header: Header
  readonly columns: Readonly<Partial<Record<Role, Column>>>
  readonly sign_rule: SignRule
  readonly direction: DirectionColumn | null
  /** Whether its column of charges writes them with a minus: then one without takes a charge back. */
  readonly charges_are_negative: boolean
  readonly currency: StatementCurrency
  readonly bank_account: string
  readonly bank: string | null
  readonly dates: DateContext
}

export interface LayoutInput {
  readonly header: Header
  readonly preamble: Preamble
  /** The first rows below the header: where two columns could mean the same, their cells decide. */
  readonly sample: readonly SheetRow[]
  readonly bank_account: string | undefined
  readonly positive_is: 'in' | 'out' | undefined
  readonly today: string
  readonly epoch1904: boolean
}

const UNNUMBERED = 'sin número'

const same = (a: Cell | undefined, b: Cell | undefined) => textOf(a) === textOf(b)

/** One column of a role. Two of the same name are one only while they hold the same. */
function chooseColumn(input: LayoutInput, role: Role): Column | undefined {
  const [first, ...others] = columnsOf(input.header, role)
  for (const other of first ? others : []) {
    const torn = input.sample.find(({ cells }) => !same(cells[first?.index ?? 0], cells[other.index]))
    if (torn && first) {
      const places = `columns ${first.index + 1} ("${first.name}") and ${other.index + 1} ("${other.name}")`
      throw refusedCell(torn.number, other.name, torn.cells[other.index], `differs between ${places}; keep one of them`)
    }
  }
  return first
}

const ROLES: readonly Role[] = [
  'date',
  'description',
  'charge',
  'credit',
  'amount',
  'balance',
  'usd',
  'currency',
  'rut',
  'name',
  'installments',
]

function currencyOf(columns: Layout['columns'], { preamble }: LayoutInput): StatementCurrency {
  const money = [columns.charge, columns.credit, columns.amount].flatMap((column) => column?.name ?? [])
  const named = money.map(plainWords).join(' ')
  if (/\b(usd|us|dolar|dolares)\b/.test(named)) return 'USD'
  if (/\b(clp|pesos)\b/.test(named)) return 'CLP'
  if (money.length === 0 && columns.usd) return 'USD'
  return preamble.currency ?? 'CLP'
}

function signRuleOf(columns: Layout['columns'], direction: DirectionColumn | null, input: LayoutInput): SignRule {
  if (columns.charge || columns.credit) return 'charge_and_credit_columns'
  if (direction) return 'kind_column'
  if (input.positive_is) return input.positive_is === 'out' ? 'positive_is_out' : 'negative_is_out'
  return input.preamble.card || columns.installments || columns.usd ? 'positive_is_out' : 'negative_is_out'
}

/** Refuses one column of the pair alone: half of the movements would be lost in silence. */
function refuseHalf(columns: Layout['columns'], header: Header): void {
  if (columns.amount || columns.usd || (columns.charge && columns.credit)) return
  const missing = columns.charge ? 'abonos (deposits)' : 'cargos (charges)'
  throw refusedFile(`row ${header.row} names no column of ${missing}`)
}

/** No bank writes some charges with a minus and others without, but for those it takes back. */
function areNegative(column: Column | undefined, sample: readonly SheetRow[]): boolean {
  const written = sample.map(({ cells }) => textOf(cells[column?.index ?? -1])).filter((text) => /[1-9]/.test(text))
  return written.length > 0 && written.every((text) => /^[-\u2212(]|[-\u2212]$|^\$ ?[-\u2212]/.test(text))
}

const INSTALLMENT = /^\d{1,3} ?\/ ?\d{1,3}$/

/** A column of `1 / 12` counts installments, whatever it is called: among the amounts it would be taken for one of them. */
function withoutInstallments({ row, columns }: Header, sample: readonly SheetRow[]): Header {
  const counts = ({ index, role }: Column) => {
    const written = MONEY.includes(role) ? sample.map(({ cells }) => textOf(cells[index])).filter(Boolean) : []
    return written.length > 0 && written.every((text) => INSTALLMENT.test(text))
  }
  return { row, columns: columns.map((column) => (counts(column) ? { ...column, role: 'installments' } : column)) }
}

export function layoutOf(found: LayoutInput): Layout {
  const input = { ...found, header: withoutInstallments(found.header, found.sample) }
  const { header, preamble, today, epoch1904 } = input
  const columns: Partial<Record<Role, Column>> = {}
  for (const role of ROLES) {
    const column = chooseColumn(input, role)
    if (column) columns[role] = column
  }
  // A bank that gives both an amount and a pair of columns says the same twice; the pair needs no sign.
  const paired = columns.charge && columns.credit
  if (paired) delete columns.amount
  else if (columns.amount) {
    delete columns.charge
    delete columns.credit
  }
  const named = Object.values(columns).map(({ name }) => `"${name}"`)
  if (!columns.description) throw refusedFile(`row ${header.row} names ${named.join(', ')} and no description`)
  refuseHalf(columns, header)
  const direction = paired ? null : findDirectionColumn(header, input.sample)
  if (direction) columns.kind = direction.column
  return {
    header,
    columns,
    direction,
    charges_are_negative: areNegative(columns.charge, input.sample),
    sign_rule: signRuleOf(columns, direction, input),
    currency: currencyOf(columns, input),
    bank_account: input.bank_account ?? preamble.bank_account ?? UNNUMBERED,
    bank: preamble.bank ?? bankIn(input.bank_account ?? ''),
    dates: { end: preamble.end ?? today, epoch1904 },
  }
}

/** Whether nothing but blanks stands in a row. */
export function isEmptyRow({ cells }: SheetRow): boolean {
  return cells.every(isBlank)
}
