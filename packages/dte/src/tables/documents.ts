/**
 * Every document the SII has a number for, each fact once: names and numbers by Formato DTE v2.4.2 (section E, Tipo
 * Documento de Referencia), what the register of purchases and sales holds by Res. Ex. SII 61 of 2017, what takes an
 * acceptance or a claim by the Registro de Aceptación o Reclamo v1.2, who cedes it by Ley 19.983 and the Registro de
 * Transferencia de Créditos.
 */
export type DocumentKind =
  | 'factura'
  | 'factura_exenta'
  | 'boleta'
  | 'boleta_exenta'
  | 'comprobante_de_pago'
  | 'factura_de_compra'
  | 'liquidacion'
  | 'guia'
  | 'nota_de_debito'
  | 'nota_de_credito'
  | 'factura_de_exportacion'
  | 'nota_de_debito_de_exportacion'
  | 'nota_de_credito_de_exportacion'
  | 'declaracion_de_ingreso'
  | 'other'

export interface DocumentFacts {
  readonly name: string
  readonly kind: DocumentKind
  readonly electronic: boolean
  /** How the register holds it: one by one, as a sum of the month, or not at all. */
  readonly registered: 'each' | 'monthly' | 'not'
  /** Whose sale it is: the buyer issues a factura de compra for what it bought. */
  readonly seller: 'emisor' | 'receptor'
  /** Whether the receptor may accept it, acknowledge the goods or claim. */
  readonly answerable: boolean
  /** Who holds the credit that may be ceded; null where there is none. */
  readonly ceded_by: 'emisor' | 'receptor' | null
  /** False for what only the register knows, and no reference may name. */
  readonly referable: boolean
}

const PAPER: Omit<DocumentFacts, 'name' | 'kind'> = {
  electronic: false,
  registered: 'each',
  seller: 'emisor',
  answerable: false,
  ceded_by: null,
  referable: true,
}
const DTE = { ...PAPER, electronic: true } as const
const CEDIBLE = { ...DTE, answerable: true, ceded_by: 'emisor' } as const
const BOUGHT = { seller: 'receptor' } as const
/** Named by references alone: orders, contracts, customs papers. */
const OTHER = { ...PAPER, kind: 'other', registered: 'not' } as const

// biome-ignore format: one document per line keeps the columns readable
export const DOCUMENTS: Readonly<Record<string, DocumentFacts>> = {
  29: { ...OTHER, name: 'Factura de inicio' },
  30: { ...PAPER, name: 'Factura', kind: 'factura' },
  32: { ...PAPER, name: 'Factura no afecta o exenta', kind: 'factura_exenta' },
  33: { ...CEDIBLE, name: 'Factura electrónica', kind: 'factura' },
  34: { ...CEDIBLE, name: 'Factura no afecta o exenta electrónica', kind: 'factura_exenta' },
  35: { ...PAPER, name: 'Boleta', kind: 'boleta' },
  38: { ...PAPER, name: 'Boleta exenta', kind: 'boleta_exenta' },
  39: { ...DTE, name: 'Boleta electrónica', kind: 'boleta', registered: 'monthly' },
  40: { ...PAPER, name: 'Liquidación factura', kind: 'liquidacion' },
  41: { ...DTE, name: 'Boleta no afecta o exenta electrónica', kind: 'boleta_exenta', registered: 'monthly' },
  43: { ...CEDIBLE, name: 'Liquidación factura electrónica', kind: 'liquidacion' },
  45: { ...PAPER, ...BOUGHT, name: 'Factura de compra', kind: 'factura_de_compra' },
  46: { ...DTE, ...BOUGHT, name: 'Factura de compra electrónica', kind: 'factura_de_compra', ceded_by: 'receptor' },
  47: { ...OTHER, name: 'Vale electrónico' },
  48: { ...PAPER, name: 'Comprobante de pago electrónico', kind: 'comprobante_de_pago', registered: 'monthly' },
  50: { ...PAPER, name: 'Guía de despacho', kind: 'guia', registered: 'not' },
  52: { ...DTE, name: 'Guía de despacho electrónica', kind: 'guia', registered: 'not' },
  55: { ...PAPER, name: 'Nota de débito', kind: 'nota_de_debito' },
  56: { ...DTE, name: 'Nota de débito electrónica', kind: 'nota_de_debito' },
  60: { ...PAPER, name: 'Nota de crédito', kind: 'nota_de_credito' },
  61: { ...DTE, name: 'Nota de crédito electrónica', kind: 'nota_de_credito' },
  101: { ...PAPER, name: 'Factura de exportación', kind: 'factura_de_exportacion' },
  102: { ...OTHER, name: 'Factura exenta a zona franca primaria' },
  103: { ...OTHER, name: 'Liquidación' },
  104: { ...PAPER, name: 'Nota de débito de exportación', kind: 'nota_de_debito_de_exportacion' },
  105: { ...OTHER, name: 'Boleta liquidación' },
  106: { ...PAPER, name: 'Nota de crédito de exportación', kind: 'nota_de_credito_de_exportacion' },
  108: { ...OTHER, name: 'Solicitud de registro de factura' },
  109: { ...OTHER, name: 'Factura turista' },
  110: { ...DTE, name: 'Factura de exportación electrónica', kind: 'factura_de_exportacion' },
  111: { ...DTE, name: 'Nota de débito de exportación electrónica', kind: 'nota_de_debito_de_exportacion' },
  112: { ...DTE, name: 'Nota de crédito de exportación electrónica', kind: 'nota_de_credito_de_exportacion' },
  801: { ...OTHER, name: 'Orden de compra' },
  802: { ...OTHER, name: 'Nota de pedido' },
  803: { ...OTHER, name: 'Contrato' },
  804: { ...OTHER, name: 'Resolución' },
  805: { ...OTHER, name: 'Proceso ChileCompra' },
  806: { ...OTHER, name: 'Ficha ChileCompra' },
  807: { ...OTHER, name: 'Documento único de salida (DUS)' },
  808: { ...OTHER, name: 'Conocimiento de embarque' },
  809: { ...OTHER, name: 'Guía aérea (AWB)' },
  810: { ...OTHER, name: 'MIC/DTA' },
  811: { ...OTHER, name: 'Carta de porte' },
  812: { ...OTHER, name: 'Resolución del SNA de servicios de exportación' },
  813: { ...OTHER, name: 'Pasaporte' },
  814: { ...OTHER, name: 'Certificado de depósito de la Bolsa de Productos' },
  815: { ...OTHER, name: 'Vale de prenda de la Bolsa de Productos' },
  820: { ...OTHER, name: 'Inscripción en el registro de acuerdos de plazo de pago excepcional' },
  821: { ...OTHER, name: 'Georreferencia del predio' },
  822: { ...OTHER, name: 'Rol de avalúo del predio' },
  823: { ...OTHER, name: 'Plan de manejo CONAF' },
  914: { ...PAPER, name: 'Declaración de ingreso (DIN)', kind: 'declaracion_de_ingreso', referable: false },
}

/** The kinds whose amounts take away from the total of their side. The SII writes them positive. */
const TAKING_AWAY: readonly DocumentKind[] = ['nota_de_credito', 'nota_de_credito_de_exportacion']
const EXPORTS: readonly DocumentKind[] = [
  'factura_de_exportacion',
  'nota_de_debito_de_exportacion',
  'nota_de_credito_de_exportacion',
]

export type RegisterSide = 'sale' | 'purchase'

/** What only sellers register: boletas, vouchers and exports give nobody in Chile a credit. */
const SOLD_ALONE: readonly DocumentKind[] = ['boleta', 'boleta_exenta', 'comprobante_de_pago', ...EXPORTS]

/** Whether a register holds documents of a tipo: an import is bought alone, and what nobody registers is in neither. */
export function standsIn(side: RegisterSide, tipo: number): boolean {
  const facts = DOCUMENTS[tipo]
  if (facts === undefined || facts.registered === 'not') return false
  return side === 'sale' ? facts.kind !== 'declaracion_de_ingreso' : !SOLD_ALONE.includes(facts.kind)
}

/** The numbers of the documents that a rule is about, in order. */
export function tiposWhere(rule: (facts: DocumentFacts) => boolean): readonly number[] {
  return Object.entries(DOCUMENTS).flatMap(([tipo, facts]) => (rule(facts) ? [Number(tipo)] : []))
}

export function tiposOf(...kinds: readonly DocumentKind[]): readonly number[] {
  return tiposWhere(({ kind }) => kinds.includes(kind))
}

export function kindOf(tipo: number): DocumentKind | null {
  return DOCUMENTS[tipo]?.kind ?? null
}

/** Whether the amounts of a document add to its side or take away from it. */
export function signOf(tipo: number): 1 | -1 {
  const kind = kindOf(tipo)
  return kind !== null && TAKING_AWAY.includes(kind) ? -1 : 1
}

/** What a document does to the sales of whoever issues it; nothing where it is another's sale, or not registered. */
export function saleSignOf(tipo: number): 1 | 0 | -1 {
  const facts = DOCUMENTS[tipo]
  return facts?.seller === 'emisor' && facts.registered !== 'not' ? signOf(tipo) : 0
}

/** Electronic tax documents: a reference names them by `tipo_dte`. */
export const ELECTRONIC_TIPOS = tiposWhere(({ electronic }) => electronic)

export const EXPORT_TIPOS = tiposOf(...EXPORTS)

/** Electronic documents between two taxpayers of Chile that the register holds one by one. */
export const EXCHANGED_TIPOS = tiposWhere(
  ({ electronic, registered, kind }) => electronic && registered === 'each' && !EXPORTS.includes(kind),
)

/** Of those, the ones a seller sends: a factura de compra comes from the buyer. */
export const SELLER_TIPOS = EXCHANGED_TIPOS.filter((tipo) => DOCUMENTS[tipo]?.seller === 'emisor')

/** Documents the receptor answers in the Registro de Aceptación o Reclamo. */
export const ANSWERABLE_TIPOS = tiposWhere(({ answerable }) => answerable)

/** Calendar days, from the SII's reception, in which the receptor may answer or claim (Ley 19.983, art. 3). */
export const ANSWER_DAYS = 8

export function isReferenceType(code: string): boolean {
  return /^\d+$/.test(code) ? DOCUMENTS[String(Number(code))]?.referable === true : true
}
