import { acknowledgedAt, claimedAt } from '../claims/rules.ts'
import type { DteFacts } from '../register/facts.ts'
import { type BookState, type Entry, ivaOf, PURCHASE_KINDS, SALE_KINDS } from './entries.ts'

/** `DD/MM/AAAA HH:MM:SS` in Santiago, as the register writes instants. */
export type WriteInstant = (instant: number) => string

const AMOUNTS = [
  'Monto Exento',
  'Monto Neto',
  'Monto IVA Recuperable',
  'Monto Iva No Recuperable',
  'Codigo IVA No Rec.',
  'Monto Total',
  'Monto Neto Activo Fijo',
  'IVA Activo Fijo',
  'IVA uso Comun',
  'Impto. Sin Derecho a Credito',
  'IVA No Retenido',
]
const TOBACCO = ['Tabacos Puros', 'Tabacos Cigarrillos', 'Tabacos Elaborados']
const OTHER = ['NCE o NDE sobre Fact. de Compra', 'Codigo Otro Impuesto', 'Valor Otro Impuesto', 'Tasa Otro Impuesto']
const PURCHASE = ['Nro', 'Tipo Doc', 'Tipo Compra', 'RUT Proveedor', 'Razon Social', 'Folio']
const DATES = ['Fecha Docto', 'Fecha Recepcion']

/** Each state of the purchases has columns of its own. */
export const PURCHASE_COLUMNS: Readonly<Record<BookState, readonly string[]>> = {
  REGISTRO: [...PURCHASE, ...DATES, 'Fecha Acuse', ...AMOUNTS, ...TOBACCO, ...OTHER],
  PENDIENTE: [...PURCHASE, ...DATES, ...AMOUNTS, ...OTHER],
  NO_INCLUIR: [...PURCHASE, ...DATES, 'Fecha Acuse', ...AMOUNTS, ...OTHER],
  RECLAMADO: [...PURCHASE, ...DATES, 'Fecha Reclamo', ...AMOUNTS, ...OTHER],
}

export const SALE_COLUMNS: readonly string[] = [
  ...['Nro', 'Tipo Doc', 'Tipo Venta', 'Rut cliente', 'Razon Social', 'Folio', 'Fecha Docto', 'Fecha Recepcion'],
  ...['Fecha Acuse Recibo', 'Fecha Reclamo', 'Monto Exento', 'Monto Neto', 'Monto IVA', 'Monto total'],
  ...['IVA Retenido Total', 'IVA Retenido Parcial', 'IVA no retenido', 'IVA propio', 'IVA Terceros'],
  ...['RUT Emisor Liquid. Factura', 'Neto Comision Liquid. Factura', 'Exento Comision Liquid. Factura'],
  ...['IVA Comision Liquid. Factura', 'IVA fuera de plazo', 'Tipo Docto. Referencia', 'Folio Docto. Referencia'],
  ...['Num. Ident. Receptor Extranjero', 'Nacionalidad Receptor Extranjero', 'Credito empresa constructora'],
  ...['Impto. Zona Franca (Ley 18211)', 'Garantia Dep. Envases', 'Indicador Venta sin Costo'],
  ...['Indicador Servicio Periodico', 'Monto No facturable', 'Total Monto Periodo'],
  ...['Venta Pasajes Transporte Nacional', 'Venta Pasajes Transporte Internacional', 'Numero Interno'],
  ...['Codigo Sucursal', 'NCE o NDE sobre Fact. de Compra', 'Codigo Otro Imp.', 'Valor Otro Imp.', 'Tasa Otro Imp.'],
]

/** The lines of an export, header first. Rows end with one field more than the header, as the SII's do. */
export function purchaseLines(entries: readonly Entry[], state: BookState, write: WriteInstant): string[] {
  const columns = PURCHASE_COLUMNS[state]
  return lines(columns, entries, (entry) => purchaseValues(entry, write))
}

export function saleLines(entries: readonly Entry[], write: WriteInstant): string[] {
  return lines(SALE_COLUMNS, entries, (entry) => saleValues(entry, write))
}

function lines(
  columns: readonly string[],
  entries: readonly Entry[],
  valuesOf: (entry: Entry) => Readonly<Record<string, string | number>>,
): string[] {
  const rows = entries.flatMap((entry, index) => {
    const values: Record<string, string | number> = { Nro: index + 1, ...valuesOf(entry) }
    const [first, ...more] = entry.document.facts.taxes
    const row = (filled: Readonly<Record<string, string | number>>) =>
      `${columns.map((column) => filled[column] ?? '').join(';')};`
    // A document with several other taxes spans more rows, in which only its identity and the tax are told.
    return [
      row({ ...values, ...taxValues(first) }),
      ...more.map((tax) => row({ ...identity(columns, values), ...taxValues(tax) })),
    ]
  })
  return [columns.join(';'), ...rows]
}

function identity(columns: readonly string[], values: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(columns.slice(1, 7).map((column) => [column, values[column] ?? '']))
}

function taxValues(tax: { code: number; amount: number; rate: string } | undefined): Record<string, string | number> {
  if (tax === undefined) return {}
  const { code, amount, rate } = tax
  return {
    'Codigo Otro Impuesto': code,
    'Valor Otro Impuesto': amount,
    'Tasa Otro Impuesto': rate,
    'Codigo Otro Imp.': code,
    'Valor Otro Imp.': amount,
    'Tasa Otro Imp.': rate,
  }
}

function purchaseValues(entry: Entry, write: WriteInstant): Record<string, string | number> {
  const { facts, received_at, events } = entry.document
  const iva = ivaOf(entry)
  const own = facts.tipo === 46
  const fixed = entry.kind === 4
  return {
    'Tipo Doc': facts.tipo,
    'Tipo Compra': PURCHASE_KINDS[entry.kind] ?? '',
    'RUT Proveedor': own ? facts.receptor : facts.emisor,
    'Razon Social': plain(own ? facts.receptor_name : facts.emisor_name),
    Folio: facts.folio,
    'Fecha Docto': slashed(facts.issued_on),
    'Fecha Recepcion': write(received_at),
    'Fecha Acuse': instantOr(acknowledgedAt(events), write, ''),
    'Fecha Reclamo': instantOr(claimedAt(events), write, 'null'),
    'Monto Exento': facts.exempt,
    'Monto Neto': facts.net,
    'Monto IVA Recuperable': iva.recoverable || '',
    'Monto Iva No Recuperable': iva.lost || '',
    'Codigo IVA No Rec.': iva.lost_code || '',
    'Monto Total': facts.total,
    'Monto Neto Activo Fijo': fixed ? facts.net : '',
    'IVA Activo Fijo': fixed ? facts.iva : '',
    'IVA uso Comun': iva.common || '',
    'IVA No Retenido': partlyWithheld(facts),
    'NCE o NDE sobre Fact. de Compra': 0,
  }
}

function saleValues(entry: Entry, write: WriteInstant): Record<string, string | number> {
  const { facts, received_at, events } = entry.document
  const numbered = facts.references.filter(({ tipo }) => /^\d+$/.test(tipo))
  const first = numbered[0]?.tipo
  return {
    'Tipo Doc': facts.tipo,
    'Tipo Venta': SALE_KINDS[entry.kind] ?? '',
    'Rut cliente': facts.receptor,
    'Razon Social': plain(facts.receptor_name),
    Folio: facts.folio,
    'Fecha Docto': slashed(facts.issued_on),
    'Fecha Recepcion': write(received_at),
    'Fecha Acuse Recibo': instantOr(acknowledgedAt(events), write, ''),
    'Fecha Reclamo': instantOr(claimedAt(events), write, ''),
    'Monto Exento': facts.exempt,
    'Monto Neto': facts.net,
    'Monto IVA': facts.iva,
    'Monto total': facts.total,
    'IVA Retenido Total': facts.iva_withheld,
    'IVA Retenido Parcial': 0,
    'IVA no retenido': partlyWithheld(facts),
    'IVA propio': 0,
    'IVA Terceros': 0,
    'RUT Emisor Liquid. Factura': '-',
    'Neto Comision Liquid. Factura': 0,
    'Exento Comision Liquid. Factura': 0,
    'IVA Comision Liquid. Factura': 0,
    'IVA fuera de plazo': 0,
    'Tipo Docto. Referencia': first ?? '',
    'Folio Docto. Referencia': numbered
      .filter(({ tipo }) => tipo === first)
      .map(({ folio }) => folio)
      .join('-'),
    'Credito empresa constructora': 0,
    'Garantia Dep. Envases': 0,
    'Indicador Venta sin Costo': 2,
    'Indicador Servicio Periodico': 0,
    'Monto No facturable': 0,
    'Total Monto Periodo': 0,
    'Codigo Sucursal': 0,
  }
}

/** IVA that the buyer of a factura de compra did not withhold. */
function partlyWithheld({ iva, iva_withheld }: DteFacts): number {
  return iva_withheld > 0 ? iva - iva_withheld : 0
}

function instantOr(instant: number | null, write: WriteInstant, otherwise: string): string {
  return instant === null ? otherwise : write(instant)
}

/** `2026-06-21` to `21/06/2026`. */
export function slashed(date: string): string {
  return date.split('-').reverse().join('/')
}

/** A name cannot hold the separator of the fields. */
function plain(name: string): string {
  return name.replace(/[;\r\n]/g, ' ')
}
