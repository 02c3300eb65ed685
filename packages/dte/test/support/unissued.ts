import type { UnissuedDte } from '../../src/unissued/document.ts'
import { EMISOR, RECEPTOR } from './samples.ts'

const common = { folio: 7, issue_date: '2026-10-05', emisor: EMISOR } as const

/**
 * A mandatario sold 1,000,000 with IVA and 50,000 without it, and keeps 10 % of the former with its IVA:
 * 1,000,000 + 50,000 + 190,000 - 100,000 - 19,000 = 1,121,000 (Formato DTE v2.4.2, liquidación factura).
 */
export const LIQUIDACION: UnissuedDte = {
  ...common,
  tipo_dte: 43,
  receptor: RECEPTOR,
  payment: { form: 'credit', due_date: '2026-11-05' },
  items: [
    { settled_type: '33', description: 'Ventas afectas de octubre', amount: 1_000_000 },
    { settled_type: '34', description: 'Ventas exentas', exempt: true, amount: 50_000 },
  ],
  references: [
    { document_type: '801', folio: 'OC-77', date: '2026-10-01', reason: 'Mandato de venta' },
    { tipo_dte: 33, folio: 12, date: '2026-10-02' },
  ],
  commissions: [
    { kind: 'commission', description: 'Comisión de venta', rate: 10, net: 100_000, exempt: 0, iva: 19_000 },
  ],
  totals: {
    net: 1_000_000,
    exempt: 50_000,
    iva_rate: 19,
    iva: 190_000,
    commissions: { net: 100_000, exempt: 0, iva: 19_000 },
    total: 1_121_000,
  },
}

/** 12 cases at 1,234.5 dollars are 14,814; at 935.25 pesos a dollar, 13,854,793.5, which the SII takes as 13,854,794. */
export const EXPORT: UnissuedDte = {
  ...common,
  tipo_dte: 110,
  receptor: {
    rut: '55555555-5',
    legal_name: 'Weinhandel Müller GmbH',
    foreign: { id: 'DE811907980', nationality: '563' },
    address: { street: 'Hafenstrasse 12', city: 'Hamburg' },
  },
  export_payment: 1,
  items: [
    { description: 'Carmenère, caja de 6', exempt: true, quantity: 12, unit: 'CJ', unit_price: 1234.5, amount: 14_814 },
  ],
  customs: {
    sale_mode: 1,
    sale_clause: 5,
    clause_total: 14_814,
    transport: 1,
    carrier: 'Naviera del Pacífico',
    loading_port: 906,
    landing_port: 552,
    packages: 12,
    freight: 350.25,
    receptor_country: 563,
    destination_country: 563,
  },
  references: [{ document_type: '807', folio: 'DUS-9', date: '2026-10-04' }],
  totals: { currency: 'DOLAR USA', exempt: 14_814, total: 14_814 },
  other_currency: { currency: 'PESO CL', exchange_rate: 935.25, exempt: 13_854_794, total: 13_854_794 },
}

const note = (tipo_dte: 111 | 112): UnissuedDte => ({
  ...EXPORT,
  tipo_dte,
  references: [{ tipo_dte: 110, folio: 6, date: '2026-10-01', code: 3, reason: 'Diferencia de precio' }],
  items: [{ description: 'Diferencia', exempt: true, quantity: 1, unit_price: 10.05, amount: 10.05 }],
  totals: { currency: 'DOLAR USA', exempt: 10.05, total: 10.05 },
  other_currency: { currency: 'PESO CL', exchange_rate: 935.25, exempt: 9399, total: 9399 },
})

export const UNISSUED: readonly UnissuedDte[] = [LIQUIDACION, EXPORT, note(111), note(112)]
