/**
 * What people type who do not know yet how we call it: words of other APIs and of Chilean shops, by operation or page. They
 * lead to where one begins.
 */
const WORDS: Readonly<Record<string, string>> = {
  'documents.create':
    'factura facturas boleta boletas invoice invoices receipt emitir emit issue venta sale guía exenta',
  'documents.credit_note': 'anular anulación cancel void refund reverse devolución corregir',
  'documents.send': 'correo email',
  'documents.pdf': 'imprimir print ticket',
  'counterparties.list': 'customer customers client clients supplier cliente clientes proveedor',
  'account.register': 'signup register registrar cuenta',
  'certificate.upload': 'certificado pfx p12 firma',
  'webhook_endpoints.create': 'webhook webhooks callback notification notificación',
  '/docs/guides/webhooks': 'webhook signature verify hmac',
  '/docs/es/guides/webhooks': 'webhook firma verificar',
  '/docs/guides/idempotency-and-retries': 'retry retries timeout duplicate',
  '/docs': 'pagination paging cursor authentication authorization bearer header headers rut pesos timezone conventions',
  '/docs/limits': 'rate quota throttling 429 límite',
}

export const alsoCalled = (key: string): readonly [words?: string] => {
  const words = WORDS[key]
  return words === undefined ? [] : [words]
}

/** Every operation and page that has such words. */
export const WORDED: readonly string[] = Object.keys(WORDS)
