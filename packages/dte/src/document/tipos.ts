import { DOCUMENTS, saleSignOf } from '../tables/documents.ts'

/**
 * The eight tipos this engine issues, each fact once. Names as printed: SII, Manual de Muestras Impresas v4.0,
 * section 1; item limits: DTE_v10.xsd and EnvioBOLETA_v11.xsd; cedible copies: Ley 19.983 and Res. Ex. SII 14 of 2005.
 */
export interface Tipo {
  readonly name: string
  readonly printed_name: string
  readonly family: 'factura' | 'boleta' | 'compra' | 'guia' | 'nota'
  /** Whether `unit_price` carries IVA unless the document says otherwise. */
  readonly prices: 'net' | 'gross'
  /** False when no line may carry IVA. */
  readonly taxed: boolean
  readonly envelope: 'EnvioDTE' | 'EnvioBOLETA'
  /** Which printed copies are cedible; `sale`: only the copy of a guía that is itself a sale. */
  readonly cedible: 'always' | 'never' | 'sale'
  /** Effect on the emitter's sales: a nota de crédito takes away, a factura de compra is no sale of its emitter. */
  readonly sign: 1 | 0 | -1
  readonly max_items: number
  /** Months a CAF may be used for, counted from its authorisation; null when it does not lapse. */
  readonly caf_months: number | null
}

const nameOf = (tipo_dte: number) => DOCUMENTS[tipo_dte]?.name ?? ''
const DTE_ITEMS = 60
export const BOLETA_ITEMS = 1000

// biome-ignore format: one tipo per line keeps the columns readable
export const TIPOS = {
  33: { name: nameOf(33), printed_name: 'FACTURA ELECTRÓNICA', family: 'factura', prices: 'net', taxed: true, envelope: 'EnvioDTE', cedible: 'always', sign: saleSignOf(33), max_items: DTE_ITEMS, caf_months: 6 },
  34: { name: nameOf(34), printed_name: 'FACTURA NO AFECTA O EXENTA ELECTRÓNICA', family: 'factura', prices: 'net', taxed: false, envelope: 'EnvioDTE', cedible: 'always', sign: saleSignOf(34), max_items: DTE_ITEMS, caf_months: null },
  39: { name: nameOf(39), printed_name: 'BOLETA ELECTRÓNICA', family: 'boleta', prices: 'gross', taxed: true, envelope: 'EnvioBOLETA', cedible: 'never', sign: saleSignOf(39), max_items: BOLETA_ITEMS, caf_months: null },
  41: { name: nameOf(41), printed_name: 'BOLETA NO AFECTA O EXENTA ELECTRÓNICA', family: 'boleta', prices: 'gross', taxed: false, envelope: 'EnvioBOLETA', cedible: 'never', sign: saleSignOf(41), max_items: BOLETA_ITEMS, caf_months: null },
  46: { name: nameOf(46), printed_name: 'FACTURA DE COMPRA ELECTRÓNICA', family: 'compra', prices: 'net', taxed: true, envelope: 'EnvioDTE', cedible: 'always', sign: saleSignOf(46), max_items: DTE_ITEMS, caf_months: 6 },
  52: { name: nameOf(52), printed_name: 'GUÍA DE DESPACHO ELECTRÓNICA', family: 'guia', prices: 'net', taxed: true, envelope: 'EnvioDTE', cedible: 'sale', sign: saleSignOf(52), max_items: DTE_ITEMS, caf_months: null },
  56: { name: nameOf(56), printed_name: 'NOTA DE DÉBITO ELECTRÓNICA', family: 'nota', prices: 'net', taxed: true, envelope: 'EnvioDTE', cedible: 'never', sign: saleSignOf(56), max_items: DTE_ITEMS, caf_months: 6 },
  61: { name: nameOf(61), printed_name: 'NOTA DE CRÉDITO ELECTRÓNICA', family: 'nota', prices: 'net', taxed: true, envelope: 'EnvioDTE', cedible: 'never', sign: saleSignOf(61), max_items: DTE_ITEMS, caf_months: 6 },
} as const satisfies Record<number, Tipo>

export type TipoDte = keyof typeof TIPOS

export const TIPO_NUMBERS = [33, 34, 39, 41, 46, 52, 56, 61] as const satisfies readonly TipoDte[]

/** The tipos by name, for rules that are about one of them. */
export const TIPO = {
  factura: 33,
  factura_exenta: 34,
  boleta: 39,
  boleta_exenta: 41,
  factura_de_compra: 46,
  guia: 52,
  nota_de_debito: 56,
  nota_de_credito: 61,
} as const satisfies Record<string, TipoDte>

/** The most lines a document of any tipo but a boleta takes. */
export const DOCUMENT_ITEMS = DTE_ITEMS

export function isTipoDte(value: unknown): value is TipoDte {
  return typeof value === 'number' && Object.hasOwn(TIPOS, value)
}

/** The row of a tipo, with every column typed as the table declares it. */
export function tipo(tipo_dte: TipoDte): Tipo {
  return TIPOS[tipo_dte]
}

/** Whether a document has a copy to cede: notes and boletas never do, and a guía only when it is itself the sale. */
export function hasCedibleCopy({
  tipo_dte,
  dispatch,
}: {
  readonly tipo_dte: TipoDte
  readonly dispatch?: { readonly transfer_type?: number | null | undefined } | null | undefined
}): boolean {
  const { cedible } = tipo(tipo_dte)
  return cedible === 'always' || (cedible === 'sale' && dispatch?.transfer_type === 1)
}

/** RUT of the buyer nobody asked for, in boletas (SII, Formato de Boletas Electrónicas v4.1). */
export const ANONYMOUS_RUT = '66666666-6'
/** RUT of the SII, receptor of every envelope sent to it. */
export const SII_RUT = '60803000-K'
