import { setImmediate as turn } from 'node:timers/promises'
import { kindOf, santiagoTimestamp } from '@timbre/dte/values'
import type { EstadoContable, IvaPlaces, TipoCompra, TipoVenta } from '../../catalog/rcv.ts'
import type { RcvFile } from '../../ports/sii-rcv.ts'

/** An entry as the sandbox holds it. Instants are RFC 3339. */
export interface SandboxEntry extends IvaPlaces {
  readonly side: 'purchase' | 'sale'
  readonly tipo_doc: number
  readonly folio: number | null
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
  readonly issue_date: string
  readonly received_at: string | null
  readonly acknowledged_at: string | null
  readonly claimed_at: string | null
  readonly net: number
  readonly exempt: number
  readonly total: number
  /** Not in what was seeded before there was such a column. */
  readonly iva_late?: number
  readonly other_taxes: readonly { readonly code: number; readonly rate: number | null; readonly amount: number }[]
  readonly documents: number
  readonly estado_contable: EstadoContable | null
  readonly tipo_compra: TipoCompra | null
  readonly tipo_venta: TipoVenta | null
  readonly reference_tipo_doc: number | null
  readonly reference_folios: readonly string[]
}

const TIPOS_COMPRA: Readonly<Record<TipoCompra, string>> = {
  1: 'Del Giro',
  2: 'Supermercados',
  3: 'Bienes Raíces',
  4: 'Activo Fijo',
  5: 'IVA Uso Común',
  6: 'IVA no Recuperable',
  7: 'No Corresp. Incluir',
}
const TIPOS_VENTA: Readonly<Record<TipoVenta, string>> = { 1: 'Del Giro', 2: 'Activo Fijo', 3: 'Bienes Raíces' }

type Value = string | number | null
type Column = readonly [header: string, value: (entry: SandboxEntry) => Value]

const date = (civil: string) => civil.split('-').reverse().join('/')
function moment(instant: string | null): string {
  if (instant === null) return ''
  const [day = '', time = ''] = santiagoTimestamp(new Date(instant)).split('T')
  return `${date(day)} ${time}`
}
const none = () => null
const some = (amount: number) => (amount === 0 ? null : amount)

// The columns of each export in the order of the SII's own.
const head = (tipo: string, whose: string, name: (entry: SandboxEntry) => Value): Column[] => [
  ['Tipo Doc', (e) => e.tipo_doc],
  [tipo, name],
  [whose, (e) => e.counterparty_rut],
  ['Razon Social', (e) => e.counterparty_name],
  ['Folio', (e) => e.folio],
  ['Fecha Docto', (e) => date(e.issue_date)],
  ['Fecha Recepcion', (e) => moment(e.received_at)],
]
const ACUSE: Column = ['Fecha Acuse', (e) => moment(e.acknowledged_at)]
const RECLAMO: Column = ['Fecha Reclamo', (e) => moment(e.claimed_at)]
const TABACOS: readonly Column[] = [
  ['Tabacos Puros', none],
  ['Tabacos Cigarrillos', none],
  ['Tabacos Elaborados', none],
]
const AMOUNTS: readonly Column[] = [
  ['Monto Exento', (e) => e.exempt],
  ['Monto Neto', (e) => e.net],
  ['Monto IVA Recuperable', (e) => some(e.iva)],
  ['Monto Iva No Recuperable', (e) => some(e.iva_not_recoverable)],
  ['Codigo IVA No Rec.', (e) => e.iva_not_recoverable_code],
  ['Monto Total', (e) => e.total],
  ['Monto Neto Activo Fijo', (e) => some(e.net_fixed_assets)],
  ['IVA Activo Fijo', (e) => some(e.iva_fixed_assets)],
  ['IVA uso Comun', (e) => some(e.iva_common_use)],
  ['Impto. Sin Derecho a Credito', none],
  ['IVA No Retenido', () => 0],
]

const ABOUT_FACTURA_DE_COMPRA: Column = [
  'NCE o NDE sobre Fact. de Compra',
  (e) => (e.reference_tipo_doc !== null && kindOf(e.reference_tipo_doc) === 'factura_de_compra' ? 1 : 0),
]

function purchases(dates: readonly Column[], tobacco: readonly Column[]): Column[] {
  const tipo = (e: SandboxEntry) => TIPOS_COMPRA[e.tipo_compra ?? 1]
  return [...head('Tipo Compra', 'RUT Proveedor', tipo), ...dates, ...AMOUNTS, ...tobacco, ABOUT_FACTURA_DE_COMPRA]
}

const PURCHASES: Readonly<Record<EstadoContable, readonly Column[]>> = {
  REGISTRO: purchases([ACUSE], TABACOS),
  PENDIENTE: purchases([], []),
  NO_INCLUIR: purchases([ACUSE], []),
  RECLAMADO: purchases([RECLAMO], []),
}
const SALES: readonly Column[] = [
  ...head('Tipo Venta', 'Rut cliente', (e) => TIPOS_VENTA[e.tipo_venta ?? 1]),
  ['Fecha Acuse Recibo', (e) => moment(e.acknowledged_at)],
  RECLAMO,
  ['Monto Exento', (e) => e.exempt],
  ['Monto Neto', (e) => e.net],
  ['Monto IVA', (e) => e.iva],
  ['Monto total', (e) => e.total],
  ['IVA fuera de plazo', (e) => e.iva_late ?? 0],
  ['Tipo Docto. Referencia', (e) => e.reference_tipo_doc],
  ['Folio Docto. Referencia', (e) => e.reference_folios.join('-')],
  ABOUT_FACTURA_DE_COMPRA,
]

/** A document and, for each tax after the first, a line with the columns of the taxes alone. */
function linesOf(columns: readonly Column[], entry: SandboxEntry, number: number): string[] {
  const [first, ...more] = entry.other_taxes
  const tax = (one: (typeof entry.other_taxes)[number] | undefined) => [one?.code, one?.amount, one?.rate]
  const write = (cells: readonly (Value | undefined)[]) =>
    // The SII ends every line but the first with one separator too many.
    `${cells.map((cell) => String(cell ?? '').replace(/[;\r\n]/g, ' ')).join(';')};`
  const own = columns.map(([, value]) => value(entry))
  return [write([number, ...own, ...tax(first)]), ...more.map((one) => write(['', ...own.map(() => ''), ...tax(one)]))]
}

/** An export of the register, as the SII writes it. */
/** A period may hold a hundred thousand: the process answers others in between. */
const ENTRIES_A_TURN = 500

export async function exportOf(kind: Omit<RcvFile, 'file'>, entries: readonly SandboxEntry[]): Promise<RcvFile> {
  const { side, estado_contable } = kind
  const columns = side === 'sale' ? SALES : PURCHASES[estado_contable ?? 'REGISTRO']
  const what = side === 'sale' ? 'Imp.' : 'Impuesto'
  const header = [
    'Nro',
    ...columns.map(([name]) => name),
    `Codigo Otro ${what}`,
    `Valor Otro ${what}`,
    `Tasa Otro ${what}`,
  ]
  const parts = [Buffer.from(`${header.join(';')}\n`)]
  for (let at = 0; at < entries.length; at += ENTRIES_A_TURN) {
    const lines = entries.slice(at, at + ENTRIES_A_TURN).flatMap((entry, i) => linesOf(columns, entry, at + i + 1))
    parts.push(Buffer.from(`${lines.join('\n')}\n`))
    await turn()
  }
  return { side, estado_contable, file: Buffer.concat(parts) }
}
