import type { Business, BusinessDocument } from '../../src/index.ts'
import { RECEPTORES } from './inputs.ts'

const [ONE, TWO, THREE, FOUR] = RECEPTORES as [
  (typeof RECEPTORES)[number],
  (typeof RECEPTORES)[number],
  (typeof RECEPTORES)[number],
  (typeof RECEPTORES)[number],
]

const DOCUMENTS: readonly BusinessDocument[] = [
  {
    tipo_dte: 33,
    receptor: ONE,
    items: [
      { description: 'Resma de papel carta', quantity: 10, unit: 'un', unit_price: 2500 },
      { description: 'Despacho', unit_price: 4990 },
    ],
  },
  { tipo_dte: 33, receptor: TWO, items: [{ description: 'Lápiz pasta azul', quantity: 200, unit_price: 89.5 }] },
  // The same once more: a simulation has it once.
  { tipo_dte: 33, receptor: TWO, items: [{ description: 'Lápiz pasta azul', quantity: 200, unit_price: 89.5 }] },
  { tipo_dte: 34, receptor: TWO, items: [{ description: 'Clase de caligrafía', quantity: 3, unit_price: 15000 }] },
  {
    tipo_dte: 39,
    receptor: { rut: '66666666-6' },
    items: [{ description: 'Cuaderno', quantity: 2, unit_price: 1190 }],
  },
  { tipo_dte: 46, receptor: FOUR, items: [{ description: 'Papel usado', quantity: 120, unit: 'kg', unit_price: 45 }] },
  // Goods that moved between warehouses are nobody's purchase.
  { tipo_dte: 52, receptor: THREE, transfer_type: 5, items: [{ description: 'Pallet', quantity: 4, unit_price: 1 }] },
]

/** A stationer: four products that it sells, one that it buys. */
export const BUSINESS: Business = { documents: DOCUMENTS, counterparties: [THREE, FOUR], products: [] }
export const NO_BUSINESS: Business = { documents: [], counterparties: [], products: [] }
