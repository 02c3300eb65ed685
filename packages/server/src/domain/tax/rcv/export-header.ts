import type { EstadoContable } from '../../../catalog/rcv.ts'
import { type Cell, cleanCell, normalizeText } from './export-cells.ts'
import type { Side } from './row.ts'

const common = {
  nro: 'nro',
  tipo_doc: 'tipo doc',
  counterparty_name: 'razon social',
  folio: 'folio',
  issue_date: 'fecha docto',
  received_at: 'fecha recepcion',
  exempt: 'monto exento',
  net: 'monto neto',
  total: 'monto total',
  reference_tipo_doc: 'tipo docto referencia',
  reference_folios: 'folio docto referencia',
  about_factura_de_compra: 'nce o nde sobre fact de compra',
} as const

/** Columns of the export of purchases, by what they mean here. Those of one estado alone are optional. */
const PURCHASE_COLUMNS = {
  ...common,
  tipo: 'tipo compra',
  counterparty_rut: 'rut proveedor',
  iva: 'monto iva recuperable',
  iva_not_recoverable: 'monto iva no recuperable',
  iva_not_recoverable_code: 'codigo iva no rec',
  net_fixed_assets: 'monto neto activo fijo',
  iva_fixed_assets: 'iva activo fijo',
  iva_common_use: 'iva uso comun',
  acknowledged_at: 'fecha acuse',
  claimed_at: 'fecha reclamo',
  tax_code: 'codigo otro impuesto',
  tax_amount: 'valor otro impuesto',
  tax_rate: 'tasa otro impuesto',
} as const

const SALE_COLUMNS = {
  ...common,
  tipo: 'tipo venta',
  counterparty_rut: 'rut cliente',
  iva: 'monto iva',
  acknowledged_at: 'fecha acuse recibo',
  claimed_at: 'fecha reclamo',
  iva_late: 'iva fuera de plazo',
  tax_code: 'codigo otro imp',
  tax_amount: 'valor otro imp',
  tax_rate: 'tasa otro imp',
} as const

export type Field = keyof typeof PURCHASE_COLUMNS | keyof typeof SALE_COLUMNS

/** Without these no line can be read. */
const NEEDED: readonly Field[] = [
  'tipo_doc',
  'tipo',
  'counterparty_rut',
  'folio',
  'issue_date',
  'net',
  'exempt',
  'iva',
  'total',
]

/** Columns that tell the exports of purchases apart. A file read as the wrong one would count purchases that do not count. */
const ESTADO_COLUMNS: Readonly<
  Record<EstadoContable, { readonly has: readonly string[]; readonly lacks: readonly string[] }>
> = {
  REGISTRO: { has: ['fecha acuse', 'tabacos puros'], lacks: ['fecha reclamo'] },
  PENDIENTE: { has: [], lacks: ['fecha acuse', 'fecha reclamo'] },
  NO_INCLUIR: { has: ['fecha acuse'], lacks: ['fecha reclamo', 'tabacos puros'] },
  RECLAMADO: { has: ['fecha reclamo'], lacks: ['fecha acuse'] },
}

/** The export that the SII says a file is. */
export interface ExportKind {
  readonly side: Side
  readonly estado_contable: EstadoContable | null
}

/** The file is not the export it should be: nothing of it is read. */
export class NotTheExport extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotTheExport'
  }
}

const MOST_COLUMNS = 120
/** How much of a name or of an unknown cell is kept. */
export const NAME_CHARS = 200

/** The columns of a file by what they mean, found by their names and not by their places. */
export class Header {
  readonly kind: ExportKind
  readonly #places = new Map<Field, number>()
  readonly #labels: readonly string[]
  readonly #others: readonly number[]

  constructor(kind: ExportKind, cells: readonly string[]) {
    this.kind = kind
    this.#labels = cells.map(cleanCell)
    if (cells.length > MOST_COLUMNS) throw new NotTheExport(`it has ${cells.length} columns`)
    const names = this.#labels.map(normalizeText)
    const columns = Object.entries(kind.side === 'purchase' ? PURCHASE_COLUMNS : SALE_COLUMNS)
    for (const [field, name] of columns) {
      const place = names.indexOf(name)
      if (place >= 0) this.#places.set(field as Field, place)
    }
    const known = new Set(this.#places.values())
    this.#others = names.flatMap((name, place) => (known.has(place) || name === '' ? [] : [place]))
    this.#refuseOtherExport(names)
  }

  #refuseOtherExport(names: readonly string[]): void {
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
    return place === undefined ? undefined : { column: this.#labels[place] ?? '', text: cleanCell(record[place] ?? '') }
  }

  text(record: readonly string[], field: Field): string {
    return this.cell(record, field)?.text ?? ''
  }

  /** The cells of columns that are not known here, but for zeros. */
  others(record: readonly string[]): Record<string, string> {
    const found: Record<string, string> = {}
    for (const place of this.#others) {
      const text = cleanCell(record[place] ?? '')
      if (text !== '' && text !== '0') found[this.#labels[place] ?? ''] = text.slice(0, NAME_CHARS)
    }
    return found
  }
}
