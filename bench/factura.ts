/** The lines of what a bench issues: two, one with a price of more than whole pesos. */
export const ITEMS = [
  { description: 'Resma de papel carta', quantity: 2, unit_price: 2500 },
  { description: 'Lápiz grafito', quantity: 12, unit_price: 190.5 },
]

/** The factura that every bench issues, so that their figures speak of the same document. */
export const FACTURA = JSON.stringify({
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
  },
  items: ITEMS,
})
