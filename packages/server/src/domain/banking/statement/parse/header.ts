import { type Cell, type SheetRow, textOf } from './sheet.ts'

/** The meaning of a column of a cartola. */
export type Role =
  | 'date'
  | 'description'
  | 'charge'
  | 'credit'
  | 'amount'
  | 'kind'
  | 'balance'
  | 'usd'
  | 'currency'
  | 'rut'
  | 'name'
  | 'installments'

export interface Column {
  readonly index: number
  readonly name: string
  readonly role: Role
  /** Among columns of one role the lowest wins. */
  readonly rank: number
}

export interface Header {
  readonly row: number
  readonly columns: readonly Column[]
}

// The first rule that fits names the column. The words are those of the cartolas of Banco de Chile, Santander, BCI,
// BancoEstado, Itaú, Scotiabank, Security and BICE, and of credit cards. A letter lost to a wrong encoding is one `.`.
// The English ones are those of spreadsheets and of banks abroad.
const RULES: readonly (readonly [Role | null, number, RegExp])[] = [
  [
    null,
    0,
    /fecha (de )?(vencimiento|facturacion|pago|corte|desde|hasta)|moneda (de )?origen|monto (de )?origen|^pais/,
  ],
  [
    'kind',
    0,
    /cargo\s?(o |y )?abono|abono\s?(o |y )?cargo|^d ?c$|^c ?d$|^c ?a$|d.?bito cr.?dito|tipo (de )?(movimiento|transacci.?n|operaci.?n)|^signo/,
  ],
  ['kind', 0, /^(debit credit|credit debit|dr cr|transaction type)$/],
  ['kind', 1, /^tipo$|^categor.?a$|^type$/],
  ['amount', 0, /^(valor|monto) (de la )?cuota/],
  ['installments', 0, /cuotas?\b/],
  ['balance', 0, /^saldos?\b|^(running |closing )?balance\b/],
  ['date', 0, /fecha (de )?(contable|contabilizaci.?n|posteo)/],
  ['date', 1, /^fecha$|^fecha (del? )?movimiento|^d.?a$|^d.?a mes$/],
  ['date', 2, /^fecha (de )?(la )?(operaci.?n|transacci.?n|compra)/],
  ['date', 3, /^fecha\b/],
  ['date', 0, /^(post|posting|posted|booking|value) date$/],
  ['date', 1, /^date$/],
  ['date', 2, /^transaction date$/],
  ['rut', 0, /^rut\b/],
  ['description', 0, /descripci.?n|^detalle|^glosa|^description|^details?$|^narrative|^memo$/],
  [
    'charge',
    0,
    /\b(cargos?|giros?|d.?bitos?|cheques|egresos?|retiros?)\b|^(debits?|charges?|withdrawals?|money out)\b(?! card)/,
  ],
  ['credit', 0, /\b(abonos?|dep.?sitos?|cr.?ditos?|ingresos?|haber)\b|^(credits?|deposits?|money in)\b(?! card)/],
  ['usd', 0, /\b(usd|us|d.?lar|d.?lares)\b/],
  ['currency', 0, /^(moneda|divisa|currency)$/],
  ['amount', 1, /^(monto|importe|valor|amount)( (clp|en pesos|pesos|\$))?$/],
  ['amount', 2, /^(monto|importe|valor) (de la )?(operaci.?n|transacci.?n|movimiento|compra)/],
  ['amount', 3, /^(monto|importe)\b/],
  ['name', 0, /^(nombre|beneficiario|destinatario|originador|raz.?n social|comercio)/],
  ['description', 1, /concepto|^movimiento|^transacci.?n|^operaci.?n$|lugar|^transaction$/],
]

/** The words of a header without accents, marks or case. */
export function plainWords(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/us\$/g, ' usd ')
    .replace(/[^a-z0-9\ufffd]+/g, ' ')
    .trim()
}

/** What a cell names as the head of a column; null where it is nothing that a cartola has. */
export function columnNamed(cell: Cell): Pick<Column, 'name' | 'role' | 'rank'> | null {
  const name = textOf(cell)
  if (typeof cell !== 'string' || name === '' || name.length > 60) return null
  const words = plainWords(name)
  const rule = RULES.find(([, , pattern]) => pattern.test(words))
  return rule?.[0] ? { name, role: rule[0], rank: rule[1] } : null
}

function columnOf(cell: Cell, index: number): Column | null {
  const named = columnNamed(cell)
  return named && { index, ...named }
}

export const MONEY: readonly Role[] = ['amount', 'charge', 'credit', 'usd']

/** The columns that a row names; null when it is no header, which names at least a date and an amount. */
export function parseHeader(row: SheetRow): Header | null {
  const columns = row.cells.flatMap((cell, index) => columnOf(cell, index) ?? [])
  const names = (roles: readonly Role[]) => columns.some(({ role }) => roles.includes(role))
  return names(['date']) && names(MONEY) ? { row: row.number, columns } : null
}

/** The columns of a role with its best rank, in their order. */
export function columnsOf({ columns }: Header, role: Role): readonly Column[] {
  const found = columns.filter((column) => column.role === role)
  const best = Math.min(...found.map(({ rank }) => rank))
  return found.filter(({ rank }) => rank === best)
}
