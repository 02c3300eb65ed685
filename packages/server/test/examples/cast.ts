// Who plays: a bakery that sells on credit, its clients, its suppliers and its people.

import { addMonths, santiagoDate } from '@timbre/dte/values'

export const PANADERIA = {
  rut: '76192083-9',
  legal_name: 'Panadería Ñandú Ltda.',
  giro: 'Elaboración de pan',
  acteco: [107100],
  address: { street: 'Av. Irarrázaval 2401', comuna: 'Ñuñoa', city: 'Santiago' },
  contact_email: 'contacto@panaderianandu.cl',
}

export const CLIENT = {
  rut: '77123456-9',
  legal_name: 'Cafetería Los Aromos SpA',
  giro: 'Servicio de cafetería',
  address: { street: 'Merced 820', comuna: 'Santiago', city: 'Santiago' },
  email: 'pagos@losaromos.cl',
}

export const SUPPLIER = {
  rut: '76543210-3',
  legal_name: 'Molinos del Maipo S.A.',
  giro: 'Molienda de trigo',
  address: { street: 'Camino a Melipilla 9070', comuna: 'Maipú', city: 'Santiago' },
}

export const FACTORING = {
  rut: '96572800-7',
  legal_name: 'Factoring del Puerto S.A.',
  address: { street: 'Huérfanos 1055', comuna: 'Santiago', city: 'Santiago' },
  email: 'operaciones@factoringdelpuerto.cl',
}

export const person = (role: string) => ({ rut: '12345678-5', name: 'Rosa Pérez Soto', role })

export const BREAD = [
  { description: 'Pan amasado', quantity: 40, unit: 'kg', unit_price: 2100 },
  { description: 'Despacho', quantity: 1, unit_price: 5000 },
]

export const FACTURA = {
  tipo_dte: 33,
  receptor: CLIENT,
  items: BREAD,
  payment: { form: 'credit', due_date: in30Days() },
  external_id: 'pedido-4711',
}

export const BOLETA = {
  tipo_dte: 39,
  items: [
    { description: 'Hallulla', quantity: 1.5, unit: 'kg', unit_price: 2390 },
    { description: 'Café', quantity: 2, unit_price: 1800 },
  ],
}

function in30Days(): string {
  return santiagoDate(new Date(Date.now() + 30 * 86_400_000))
}

/** The month before the one it is in Santiago. */
export function lastMonth(): string {
  return addMonths(`${santiagoDate(new Date()).slice(0, 7)}-01`, -1).slice(0, 7)
}
