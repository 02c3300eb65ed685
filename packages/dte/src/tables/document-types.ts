/**
 * Names of the documents a reference may point to (Formato DTE v2.4.2, section E, Tipo Documento de Referencia). A
 * numeric kind must be one of these; an alphabetic one (`SET`, `HES`) is free.
 */
export const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  29: 'Factura de inicio',
  30: 'Factura',
  32: 'Factura no afecta o exenta',
  33: 'Factura electrónica',
  34: 'Factura no afecta o exenta electrónica',
  35: 'Boleta',
  38: 'Boleta exenta',
  39: 'Boleta electrónica',
  40: 'Liquidación factura',
  41: 'Boleta no afecta o exenta electrónica',
  43: 'Liquidación factura electrónica',
  45: 'Factura de compra',
  46: 'Factura de compra electrónica',
  47: 'Vale electrónico',
  48: 'Comprobante de pago electrónico',
  50: 'Guía de despacho',
  52: 'Guía de despacho electrónica',
  55: 'Nota de débito',
  56: 'Nota de débito electrónica',
  60: 'Nota de crédito',
  61: 'Nota de crédito electrónica',
  101: 'Factura de exportación',
  102: 'Factura exenta a zona franca primaria',
  103: 'Liquidación',
  104: 'Nota de débito de exportación',
  105: 'Boleta liquidación',
  106: 'Nota de crédito de exportación',
  108: 'Solicitud de registro de factura',
  109: 'Factura turista',
  110: 'Factura de exportación electrónica',
  111: 'Nota de débito de exportación electrónica',
  112: 'Nota de crédito de exportación electrónica',
  801: 'Orden de compra',
  802: 'Nota de pedido',
  803: 'Contrato',
  804: 'Resolución',
  805: 'Proceso ChileCompra',
  806: 'Ficha ChileCompra',
  807: 'Documento único de salida (DUS)',
  808: 'Conocimiento de embarque',
  809: 'Guía aérea (AWB)',
  810: 'MIC/DTA',
  811: 'Carta de porte',
  812: 'Resolución del SNA de servicios de exportación',
  813: 'Pasaporte',
  814: 'Certificado de depósito de la Bolsa de Productos',
  815: 'Vale de prenda de la Bolsa de Productos',
  820: 'Inscripción en el registro de acuerdos de plazo de pago excepcional',
  821: 'Georreferencia del predio',
  822: 'Rol de avalúo del predio',
  823: 'Plan de manejo CONAF',
}

/** Electronic tax documents: a reference names them by `tipo_dte`. */
export const ELECTRONIC_TIPOS: readonly number[] = [33, 34, 39, 41, 43, 46, 52, 56, 61, 110, 111, 112]

export function isReferenceType(code: string): boolean {
  return /^\d+$/.test(code) ? Object.hasOwn(DOCUMENT_TYPES, String(Number(code))) : true
}
