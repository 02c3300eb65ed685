import type { Task } from './tasks.ts'
import type { Facts } from './world.ts'

// What other people ask for, as they type it: a shopkeeper in a hurry, an accountant, nobody's accents. Neither a description of
// a tool nor the client was ever changed for one of these; whoever does so moves it to tasks.ts and writes another.

export function heldOutTasks(facts: Facts): Task[] {
  const { client, open_factura, third_factura, boleta, pending, supplier, month_said } = facts
  const left = pending[3]
  return [
    { text: 'quien me tiene plata pendiente todavia', holds: ['clients', 'pending_amount'] },
    { text: 'necesito timbrar una boleta, 2 marraquetas a $800, 1 leche a $1.100', holds: ['2700'] },
    { text: `dejeme sin efecto la boleta ${boleta.folio}, la clienta se arrepintio`, holds: ['61'] },
    {
      text: `don Luis me deposito $5.000 a cuenta de la factura ${third_factura.folio}, anotelo`,
      holds: ['5000', 'payment_id'],
    },
    {
      text: 'llego algo de los proveedores que haya que contestarle al sii antes que se pase el plazo',
      holds: [left.id],
    },
    { text: `cuanto va saliendo el iva de ${month_said}`, holds: ['iva_debit'] },
    { text: `reenvie la factura ${open_factura.folio} a contabilidad@losandes.cl porfa`, holds: ['job'] },
    {
      text: `en que quedo la factura ${open_factura.folio}, la tomo el sii o no`,
      holds: [open_factura.id, 'accepted'],
    },
    { text: 'me van a alcanzar los folios para el fin de semana', holds: ['folios'] },
    { text: `que le hemos comprado a ${supplier.rut} y por cuanta plata`, holds: ['count', 'total'] },
    { text: 'entro plata a la cuenta que no sabemos de quien es', holds: ['movements'] },
    {
      text: `Solicito el libro de ventas del cliente ${client.rut}, periodo 2026-09-01 a 2026-11-30, con totales`,
      holds: ['by_status', 'total'],
    },
  ]
}
