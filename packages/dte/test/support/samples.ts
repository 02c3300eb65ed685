import type { DteDraft, Emisor, Item, Receptor } from '../../src/document/document.ts'
import type { TipoDte } from '../../src/document/tipos.ts'

export const EMISOR: Emisor = {
  rut: '76543210-3',
  legal_name: 'Comercial Ñandú SpA',
  giro: 'Venta de artículos de oficina',
  acteco: [476101],
  address: { street: 'Av. Providencia 1234', comuna: 'Providencia', city: 'Santiago' },
}

export const RECEPTOR: Receptor = {
  rut: '77123456-9',
  legal_name: 'Pérez & Hijos Ltda.',
  giro: 'Comercio',
  address: { street: 'Calle Larga 56', comuna: 'Maipú' },
}

/** A draft that every check accepts, for any tipo, to be varied by a test. */
export function draft(tipo_dte: TipoDte, changes: Partial<DteDraft> = {}): DteDraft {
  return { ...base(tipo_dte), ...changes }
}

function base(tipo_dte: TipoDte): DteDraft {
  const common = { tipo_dte, issue_date: '2026-10-05', emisor: EMISOR, receptor: RECEPTOR, items: [item()] }
  switch (tipo_dte) {
    case 39:
    case 41:
      return { ...common, receptor: { rut: '66666666-6' } }
    case 46:
      return { ...common, items: [item({ additional_tax: 15 })] }
    case 52:
      return { ...common, dispatch: { transfer_type: 1 } }
    case 56:
      return { ...common, references: [{ tipo_dte: 61, folio: 7, date: '2026-10-01', code: 1 }] }
    case 61:
      return { ...common, references: [{ tipo_dte: 33, folio: 7, date: '2026-10-01', code: 1 }] }
    default:
      return common
  }
}

export function item(changes: Partial<Item> = {}): Item {
  return { description: 'Resma de papel carta', quantity: 2, unit_price: 2500, ...changes }
}
