import type { EstadoContable, TipoCompra, TipoVenta } from './tipos.ts'

/** A header as it is compared: the SII writes the same column with and without accents, dots and capitals. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

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
} as const

/** Columns of the export of purchases, by what they mean here. Those of one estado alone are optional. */
export const PURCHASE_COLUMNS = {
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

export const SALE_COLUMNS = {
  ...common,
  tipo: 'tipo venta',
  counterparty_rut: 'rut cliente',
  iva: 'monto iva',
  acknowledged_at: 'fecha acuse recibo',
  claimed_at: 'fecha reclamo',
  reference_tipo_doc: 'tipo docto referencia',
  reference_folios: 'folio docto referencia',
  tax_code: 'codigo otro imp',
  tax_amount: 'valor otro imp',
  tax_rate: 'tasa otro imp',
} as const

export type Field = keyof typeof PURCHASE_COLUMNS | keyof typeof SALE_COLUMNS

/** Without these no line can be read. */
export const NEEDED: readonly Field[] = [
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

/** What each export of purchases has and which of them do not: an export in the wrong place would count what does not. */
export const ESTADO_COLUMNS: Readonly<
  Record<EstadoContable, { readonly has: readonly string[]; readonly lacks: readonly string[] }>
> = {
  REGISTRO: { has: ['fecha acuse', 'tabacos puros'], lacks: ['fecha reclamo'] },
  PENDIENTE: { has: [], lacks: ['fecha acuse', 'fecha reclamo'] },
  NO_INCLUIR: { has: ['fecha acuse'], lacks: ['fecha reclamo', 'tabacos puros'] },
  RECLAMADO: { has: ['fecha reclamo'], lacks: ['fecha acuse'] },
}

export const TIPO_COMPRA_NAMES: Readonly<Record<string, TipoCompra>> = {
  'del giro': 1,
  supermercados: 2,
  supermercado: 2,
  'bienes raices': 3,
  'activo fijo': 4,
  'iva uso comun': 5,
  'iva no recuperable': 6,
  'no corresp incluir': 7,
  'no corresponde incluir': 7,
}

export const TIPO_VENTA_NAMES: Readonly<Record<string, TipoVenta>> = {
  'del giro': 1,
  'activo fijo': 2,
  'bienes raices': 3,
  'bien raiz': 3,
}
