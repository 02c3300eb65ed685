import type { Billing } from '../document/document.ts'

/** Words of the printed page. Legal texts are to the letter: they may not be reworded. */

/**
 * Res. Ex. SII 51 of 2005 and Manual de Muestras Impresas v4.0, on the copy that may be ceded. The box that holds it
 * may not be called "recibí conforme".
 */
export const ACUSE_TEXT =
  'El acuse de recibo que se declara en este acto, de acuerdo a lo dispuesto en la letra b) del Art. 4°, y la letra c) ' +
  'del Art. 5° de la Ley 19.983, acredita que la entrega de mercaderías o servicio(s) prestado(s) ha(n) sido recibido(s).'
export const ACUSE_TITLE = 'Acuse de recibo'
export const ACUSE_FIELDS = ['Nombre', 'RUT', 'Fecha', 'Recinto', 'Firma'] as const

export const CEDIBLE = 'CEDIBLE'
/** A guía is ceded together with its factura, never alone. */
export const CEDIBLE_GUIA = 'CEDIBLE CON SU FACTURA'

export const STAMP_TITLE = 'Timbre Electrónico SII'
export const STAMP_VERIFY = 'Verifique documento: www.sii.cl'
export const NO_STAMP = 'Documento sin timbre electrónico: no tiene validez tributaria'

export const LABELS = {
  receptor: 'Señor(es)',
  rut: 'R.U.T.',
  giro: 'Giro',
  address: 'Dirección',
  comuna: 'Comuna',
  city: 'Ciudad',
  contact: 'Contacto',
  email: 'Correo',
  phone: 'Teléfono',
  code: 'Código cliente',
  foreign_id: 'Identificación',
  issue_date: 'Fecha de emisión',
  payment_form: 'Forma de pago',
  payment_method: 'Medio de pago',
  due_date: 'Vencimiento',
  terms: 'Condiciones',
  instalment: 'Cuota',
  period: 'Período',
  seller: 'Vendedor',
  transfer_type: 'Tipo de traslado',
  dispatch_type: 'Tipo de despacho',
  carrier: 'Transportista',
  driver: 'Chofer',
  plate: 'Patente',
  trailer_plate: 'Patente carro',
  origin: 'Origen',
  destination: 'Destino',
  departure_at: 'Salida',
  estimated_delivery_at: 'Llegada estimada',
  sale_mode: 'Modalidad',
  sale_clause: 'Cláusula',
  clause_total: 'Total cláusula',
  transport: 'Vía',
  transport_name: 'Transporte',
  booking: 'Booking',
  loading_port: 'Embarque',
  landing_port: 'Desembarque',
  gross_weight: 'Peso bruto',
  net_weight: 'Peso neto',
  packages: 'Bultos',
  freight: 'Flete',
  insurance: 'Seguro',
  receptor_country: 'País receptor',
  destination_country: 'País destino',
  exchange_rate: 'Tipo de cambio',
} as const

export const HEADINGS = {
  dispatch: 'Traslado',
  customs: 'Exportación',
  references: 'Referencias',
  reference_columns: ['Documento', 'Folio', 'Fecha', 'Motivo'],
  item: 'Descripción',
  code: 'Código',
  quantity: 'Cantidad',
  unit: 'Un.',
  unit_price: 'Precio',
  adjustment: 'Desc./Rec.',
  amount: 'Total',
} as const

export const EXEMPT_MARK = 'Exento'
export const BILLING_MARKS: Readonly<Record<Billing, string>> = {
  non_billable: 'No facturable',
  container_deposit: 'Garantía por envase',
  not_a_sale: 'No constituye venta',
  to_deduct: 'Por rebajar',
  non_billable_negative: 'No facturable, rebaja',
}

export const TOTAL_LABELS = {
  net: 'Monto neto',
  exempt: 'Monto exento',
  iva: 'IVA',
  iva_not_withheld: 'IVA no retenido',
  construction_credit: 'Crédito empresas constructoras',
  deposit: 'Garantía por envases',
  total: 'Total',
  non_billable: 'Monto no facturable',
  period_total: 'Monto del período',
  previous_balance: 'Saldo anterior',
  amount_due: 'Total a pagar',
  discount: 'Descuento',
  surcharge: 'Recargo',
  commission: 'Comisión',
  other_charge: 'Otro cargo',
  commission_iva: 'IVA de comisiones y cargos',
} as const
