import type { Billing, PaymentForm, PaymentMethod } from '../document/document.ts'

/**
 * Codes of the SII for our words, both ways (Formato DTE v2.4.2 and Formato de Boletas v4.1), and the words that the
 * printed page uses for them.
 */
export const PAYMENT_FORMS: Readonly<Record<PaymentForm, string>> = { cash: '1', credit: '2', free: '3' }

/** `transfer` is what the DTE format calls "pago a cuenta corriente". */
export const PAYMENT_METHODS: Readonly<Record<PaymentMethod, string>> = {
  cash: 'EF',
  card: 'TC',
  transfer: 'PE',
  check: 'CH',
  postdated_check: 'CF',
  bill_of_exchange: 'LT',
  other: 'OT',
}

/** Boletas have their own shorter list, so two methods share a code with a plainer one, written first. */
export const BOLETA_PAYMENT_METHODS: Readonly<Record<PaymentMethod, string>> = {
  cash: '1',
  card: '2',
  transfer: '3',
  check: '4',
  other: '5',
  postdated_check: '4',
  bill_of_exchange: '5',
}

/** IndExe; 1 is `exempt`. */
export const BILLING: Readonly<Record<Billing, string>> = {
  non_billable: '2',
  container_deposit: '3',
  not_a_sale: '4',
  to_deduct: '5',
  non_billable_negative: '6',
}

export const PAYMENT_FORM_NAMES: Readonly<Record<PaymentForm, string>> = {
  cash: 'Contado',
  credit: 'Crédito',
  free: 'Sin costo',
}

export const PAYMENT_METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  cash: 'Efectivo',
  card: 'Tarjeta',
  transfer: 'Transferencia',
  check: 'Cheque',
  postdated_check: 'Cheque a fecha',
  bill_of_exchange: 'Letra',
  other: 'Otro',
}

export const TRANSFER_TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'Operación constituye venta',
  2: 'Venta por efectuar',
  3: 'Consignación',
  4: 'Entrega gratuita',
  5: 'Traslado interno',
  6: 'Otro traslado que no es venta',
  7: 'Guía de devolución',
  8: 'Traslado para exportación',
  9: 'Venta para exportación',
}

export const DISPATCH_TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'Por cuenta del receptor',
  2: 'Por cuenta del emisor, a instalaciones del cliente',
  3: 'Por cuenta del emisor, a otras instalaciones',
}

export const REFERENCE_CODE_NAMES: Readonly<Record<number, string>> = {
  1: 'Anula documento de referencia',
  2: 'Corrige texto del documento de referencia',
  3: 'Corrige montos',
}
