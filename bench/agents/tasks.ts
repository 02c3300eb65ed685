import type { Facts, Row } from './world.ts'

// What people ask for, in their words. No task names a tool, and each says by which facts of the answer it is done.

export interface Task {
  readonly text: string
  /** What the last answer must hold. */
  readonly holds: readonly string[]
}

const named = ({ folio }: Row) => `factura ${folio}`

export function tasksOf(facts: Facts): Task[] {
  const { client, open_factura, other_factura, third_factura, boleta, pending, supplier, movement, month_said } = facts
  const [first, second, third] = pending
  const rut = '76086428-5'
  return [
    { text: '¿Qué hay pendiente en el negocio, qué necesita atención?', holds: ['waiting'] },
    { text: '¿Qué empresas manejo y cuáles pueden emitir?', holds: ['76192083-9'] },
    { text: `Busca los datos del RUT ${client.rut}`, holds: [client.rut, 'legal_name'] },
    {
      text: `¿Se le puede facturar al cliente ${client.rut}? Busca qué datos faltan`,
      holds: [client.rut, 'se le puede facturar'],
    },
    {
      text: `Guarda en la libreta al cliente ${rut}, razón social «Maderas del Sur SpA», giro «Venta de maderas», dirección «Los Pinos 120», comuna «Talca»`,
      holds: ['Maderas del Sur'],
    },
    { text: `Agrega al cliente ${client.rut} el correo pagos@cliente.cl`, holds: ['pagos@cliente.cl'] },
    { text: 'Emite una boleta por 2 cafés a $1.990', holds: ['39', '3980'] },
    { text: 'Haz una boleta: 1 queque a $2.500, 3 jugos a $1.200', holds: ['6100'] },
    { text: `Emite una factura al cliente ${client.rut} por 1 asesoría a $100.000`, holds: ['119000'] },
    { text: `Hazle una factura exenta al cliente ${client.rut} por 1 curso a $50.000`, holds: ['50000', '34'] },
    { text: `Emite una guía de despacho para ${client.rut} con 10 sacos a $5.000`, holds: ['52'] },
    {
      text: `Emite una factura al cliente ${client.rut} por 2 asesorías a $50.000 que vence el 31 de diciembre de 2026`,
      holds: ['119000'],
    },
    { text: `Anula la ${named(other_factura)}, motivo «Se emitió por error»`, holds: ['61'] },
    {
      text: `Corrige el texto de la ${named(third_factura)}, motivo «Donde dice Santiago debe decir Talca»`,
      holds: ['61'],
    },
    { text: `¿Cómo está la ${named(open_factura)} ante el SII?`, holds: ['accepted', open_factura.id] },
    { text: `Quiero el PDF de la boleta ${boleta.folio}`, holds: [boleta.id] },
    { text: `¿Cuánto facturé al cliente ${client.rut}?`, holds: ['count', 'total'] },
    { text: '¿Cuánto vendí desde 2026-11-01 hasta 2026-11-30?', holds: ['by_status'] },
    { text: 'Lista las boletas aceptadas', holds: ['accepted'] },
    { text: '¿Qué documentos fueron rechazados por el SII y por qué?', holds: ['count'] },
    { text: '¿Hay facturas rechazadas o con reparos? ¿Qué hago?', holds: ['count'] },
    { text: `Manda por correo la ${named(open_factura)} a jefa@cliente.cl`, holds: ['job'] },
    { text: `Necesito un enlace para compartir por WhatsApp la ${named(open_factura)}`, holds: ['link'] },
    { text: '¿Quién me debe?', holds: ['clients', 'pending_amount'] },
    { text: '¿Qué clientes morosos tengo vencidos?', holds: ['pending_amount'] },
    { text: `¿Cuánto me debe el cliente ${client.rut}?`, holds: [client.rut] },
    { text: '¿A quién le debo, qué cuentas de proveedores están por pagar?', holds: ['pending_amount'] },
    {
      text: `Me pagaron la ${named(open_factura)} por transferencia: registra un abono de $1.000`,
      holds: ['1000', 'payment_id'],
    },
    { text: '¿Qué facturas de proveedores tengo que responder y hasta cuándo?', holds: [first.id] },
    { text: `Acepta la factura ${first.folio} del proveedor ${first.emisor.rut}`, holds: [first.id, 'accepted'] },
    {
      text: `Reclama la factura ${second.folio} del proveedor ${second.emisor.rut}, motivo «No llegó»`,
      holds: [second.id, 'rejected'],
    },
    { text: `Da acuse de recibo de la factura ${third.folio} del proveedor ${third.emisor.rut}`, holds: [third.id] },
    { text: `¿Cuánto compré al proveedor ${supplier.rut}?`, holds: ['count', 'total'] },
    { text: `¿Cuánto IVA llevo en ${month_said} y por qué?`, holds: ['iva_debit', 'why'] },
    { text: `¿Cuánto debo pagar en el formulario 29 de ${month_said}?`, holds: ['iva_net'] },
    { text: 'Ayúdame a conciliar: ¿qué abonos del banco están sin identificar?', holds: ['movements'] },
    { text: `Calza el abono ${movement.id} con la ${named(open_factura)}`, holds: [movement.id] },
    { text: '¿Cuántos folios me quedan?', holds: ['folios'] },
    {
      text: 'Registra un gasto de $15.000 del 2026-11-10, proveedor «Ferretería Sol», descripción «Clavos y tornillos»',
      holds: ['15000'],
    },
    { text: '¿Qué conexiones con bancos tengo?', holds: ['data'] },
  ]
}
