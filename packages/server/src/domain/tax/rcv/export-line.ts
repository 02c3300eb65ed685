import { ESTADO_COLUMNS, type Field, NEEDED, PURCHASE_COLUMNS, plain, SALE_COLUMNS } from './export-columns.ts'
import {
  type Cell,
  cleaned,
  dateIn,
  foliosIn,
  instantIn,
  ivaCodeIn,
  LineFault,
  numberIn,
  pesosIn,
  rutIn,
  taxIn,
  tipoIn,
} from './export-values.ts'
import type { OtherTax, RcvReading, Side } from './row.ts'
import type { EstadoContable, TipoCompra, TipoVenta } from './tipos.ts'

/** Which export a file is said to be. */
export interface ExportKind {
  readonly side: Side
  readonly estado_contable: EstadoContable | null
}

/** It is not the export it should be: nothing of it is read. */
export class NotTheExport extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotTheExport'
  }
}

const MOST_COLUMNS = 120
const NAME_CHARS = 200

/** The columns of a file by what they mean, found by their names and not by their places. */
export class Header {
  readonly kind: ExportKind
  readonly #places = new Map<Field, number>()
  readonly #labels: readonly string[]
  readonly #others: readonly number[]

  constructor(kind: ExportKind, cells: readonly string[]) {
    this.kind = kind
    this.#labels = cells.map(cleaned)
    if (cells.length > MOST_COLUMNS) throw new NotTheExport(`it has ${cells.length} columns`)
    const names = this.#labels.map(plain)
    const columns = Object.entries(kind.side === 'purchase' ? PURCHASE_COLUMNS : SALE_COLUMNS)
    for (const [field, name] of columns) {
      const place = names.indexOf(name)
      if (place >= 0) this.#places.set(field as Field, place)
    }
    const known = new Set(this.#places.values())
    this.#others = names.flatMap((name, place) => (known.has(place) || name === '' ? [] : [place]))
    this.#refuseOther(names)
  }

  #refuseOther(names: readonly string[]): void {
    const { side, estado_contable } = this.kind
    const lacking = NEEDED.find((field) => !this.#places.has(field))
    if (lacking) throw new NotTheExport(`it is not the export of ${side}s: it has no column for ${lacking}`)
    const shape = estado_contable && ESTADO_COLUMNS[estado_contable]
    const odd =
      shape?.has.find((name) => !names.includes(name)) ?? shape?.lacks.find((name) => names.includes(name)) ?? null
    if (odd !== null) throw new NotTheExport(`it is not the export of ${estado_contable}: the column "${odd}" tells`)
  }

  get width(): number {
    return this.#labels.length
  }

  label(field: Field): string {
    return this.#labels[this.#places.get(field) ?? -1] ?? field
  }

  cell(record: readonly string[], field: Field): Cell | undefined {
    const place = this.#places.get(field)
    return place === undefined ? undefined : { column: this.#labels[place] ?? '', text: cleaned(record[place] ?? '') }
  }

  text(record: readonly string[], field: Field): string {
    return this.cell(record, field)?.text ?? ''
  }

  /** Whatever else a line holds, but for zeros. */
  others(record: readonly string[]): Record<string, string> {
    const found: Record<string, string> = {}
    for (const place of this.#others) {
      const text = cleaned(record[place] ?? '')
      if (text !== '' && text !== '0') found[this.#labels[place] ?? ''] = text.slice(0, NAME_CHARS)
    }
    return found
  }
}

/** Whether a line only goes on with the other taxes of the one above it. */
export function isContinuation(header: Header, record: readonly string[]): boolean {
  return (
    header.text(record, 'nro') === '' && header.text(record, 'total') === '' && header.text(record, 'tax_code') !== ''
  )
}

export function taxOf(header: Header, record: readonly string[]): OtherTax | null {
  return taxIn(header.cell(record, 'tax_code'), header.cell(record, 'tax_amount'), header.cell(record, 'tax_rate'))
}

/** Whether a continuation names another document than the one it follows. Most name none. */
export function continues(header: Header, record: readonly string[], entry: RcvReading): boolean {
  const folio = header.text(record, 'folio')
  return folio === '' || folio === String(entry.folio)
}

function amountsIn(header: Header, record: readonly string[]) {
  const pesos = (field: Field) => {
    const cell = header.cell(record, field)
    return cell ? pesosIn(cell) : 0
  }
  return {
    net: pesos('net'),
    exempt: pesos('exempt'),
    iva: pesos('iva'),
    iva_not_recoverable: pesos('iva_not_recoverable'),
    iva_not_recoverable_code: ivaCodeIn(header.cell(record, 'iva_not_recoverable_code')),
    iva_common_use: pesos('iva_common_use'),
    iva_fixed_assets: pesos('iva_fixed_assets'),
    net_fixed_assets: pesos('net_fixed_assets'),
  }
}

function totalIn(header: Header, record: readonly string[]): number {
  const cell = header.cell(record, 'total')
  if (!cell || cell.text === '') throw new LineFault(header.label('total'), 'it is empty: the total is needed')
  return pesosIn(cell)
}

const TIPO_MOST = 999
const FOLIO_MOST = 999_999_999_999

/** One document of the export. */
export function readLine(header: Header, record: readonly string[]): RcvReading {
  if (record.length < header.width)
    throw new LineFault(null, `it ends after ${record.length} of ${header.width} columns`)
  if (record.slice(header.width).some((text) => cleaned(text) !== '')) {
    throw new LineFault(null, `it has more than ${header.width} columns`)
  }
  const { side, estado_contable } = header.kind
  const needed = (field: Field) => header.cell(record, field) as Cell
  const tipo_doc = numberIn(needed('tipo_doc'), TIPO_MOST)
  const tipo = tipoIn(side, needed('tipo'))
  const tax = taxOf(header, record)
  const reference = header.cell(record, 'reference_tipo_doc')
  return {
    side,
    estado_contable,
    tipo_doc,
    folio: numberIn(needed('folio'), FOLIO_MOST),
    counterparty_rut: rutIn(needed('counterparty_rut')),
    counterparty_name: header.text(record, 'counterparty_name').slice(0, NAME_CHARS) || null,
    issue_date: dateIn(needed('issue_date')),
    received_at: instantIn(header.cell(record, 'received_at')),
    acknowledged_at: instantIn(header.cell(record, 'acknowledged_at')),
    claimed_at: instantIn(header.cell(record, 'claimed_at')),
    ...amountsIn(header, record),
    total: totalIn(header, record),
    other_taxes: tax ? [tax] : [],
    documents: 1,
    tipo_compra: side === 'purchase' ? (tipo as TipoCompra) : null,
    tipo_venta: side === 'sale' ? (tipo as TipoVenta) : null,
    reference_tipo_doc: !reference || ['', '0'].includes(reference.text) ? null : numberIn(reference, TIPO_MOST),
    reference_folios: foliosIn(header.cell(record, 'reference_folios')),
    other_columns: header.others(record),
  }
}
