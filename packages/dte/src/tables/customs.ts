/**
 * Codes of an export that a page names (Servicio Nacional de Aduanas, Compendio de Normas Aduaneras, anexo 51): how it
 * is sold, under which clause, and how it travels. A code that is not here is printed as it is.
 */
export const SALE_MODES: Readonly<Record<number, string>> = {
  1: 'A firme',
  2: 'Bajo condición',
  3: 'En consignación libre',
  4: 'En consignación con un mínimo a firme',
  9: 'Sin pago',
}

export const SALE_CLAUSES: Readonly<Record<number, string>> = {
  1: 'CIF',
  2: 'CFR',
  3: 'EXW',
  4: 'FAS',
  5: 'FOB',
}

export const TRANSPORTS: Readonly<Record<number, string>> = {
  1: 'Marítima, fluvial y lacustre',
  4: 'Aérea',
  5: 'Postal',
  6: 'Ferroviaria',
  7: 'Carretera',
}
