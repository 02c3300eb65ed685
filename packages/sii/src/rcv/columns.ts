/** The columns of the exports, in their order. An export that holds nothing may come without them: these stand in. */

export const PURCHASE_STATES = ['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'] as const
export type PurchaseState = (typeof PURCHASE_STATES)[number]

const text = (names: string) => names.split('|')

const PURCHASE_HEAD = text('Nro|Tipo Doc|Tipo Compra|RUT Proveedor|Razon Social|Folio|Fecha Docto|Fecha Recepcion')
const PURCHASE_AMOUNTS = text(
  'Monto Exento|Monto Neto|Monto IVA Recuperable|Monto Iva No Recuperable|Codigo IVA No Rec.|Monto Total|' +
    'Monto Neto Activo Fijo|IVA Activo Fijo|IVA uso Comun|Impto. Sin Derecho a Credito|IVA No Retenido',
)
const TOBACCO = text('Tabacos Puros|Tabacos Cigarrillos|Tabacos Elaborados')
const PURCHASE_TAIL = text(
  'NCE o NDE sobre Fact. de Compra|Codigo Otro Impuesto|Valor Otro Impuesto|Tasa Otro Impuesto',
)

export const PURCHASE_COLUMNS: Readonly<Record<PurchaseState, readonly string[]>> = {
  REGISTRO: [...PURCHASE_HEAD, 'Fecha Acuse', ...PURCHASE_AMOUNTS, ...TOBACCO, ...PURCHASE_TAIL],
  PENDIENTE: [...PURCHASE_HEAD, ...PURCHASE_AMOUNTS, ...PURCHASE_TAIL],
  NO_INCLUIR: [...PURCHASE_HEAD, 'Fecha Acuse', ...PURCHASE_AMOUNTS, ...PURCHASE_TAIL],
  RECLAMADO: [...PURCHASE_HEAD, 'Fecha Reclamo', ...PURCHASE_AMOUNTS, ...PURCHASE_TAIL],
}

export const SALE_COLUMNS: readonly string[] = text(
  'Nro|Tipo Doc|Tipo Venta|Rut cliente|Razon Social|Folio|Fecha Docto|Fecha Recepcion|Fecha Acuse Recibo|' +
    'Fecha Reclamo|Monto Exento|Monto Neto|Monto IVA|Monto total|IVA Retenido Total|IVA Retenido Parcial|' +
    'IVA no retenido|IVA propio|IVA Terceros|RUT Emisor Liquid. Factura|Neto Comision Liquid. Factura|' +
    'Exento Comision Liquid. Factura|IVA Comision Liquid. Factura|IVA fuera de plazo|Tipo Docto. Referencia|' +
    'Folio Docto. Referencia|Num. Ident. Receptor Extranjero|Nacionalidad Receptor Extranjero|' +
    'Credito empresa constructora|Impto. Zona Franca (Ley 18211)|Garantia Dep. Envases|Indicador Venta sin Costo|' +
    'Indicador Servicio Periodico|Monto No facturable|Total Monto Periodo|Venta Pasajes Transporte Nacional|' +
    'Venta Pasajes Transporte Internacional|Numero Interno|Codigo Sucursal|NCE o NDE sobre Fact. de Compra|' +
    'Codigo Otro Imp.|Valor Otro Imp.|Tasa Otro Imp.',
)
