import { additionalTax } from '@timbre/dte/wire'
import { BOLETAS } from '../tipos.ts'
import type { DocumentVerdict, Reference } from './verdict.ts'
import { child, children, number, text, type XmlNode } from './xml/node.ts'

/** A `DTE` of an envelope, with what the rules ask for again and again read out of it. */
export interface ReadDocument {
  dte: XmlNode
  /** `Documento`, `Liquidacion` or `Exportaciones`. */
  body: XmlNode
  header: XmlNode
  lines: readonly XmlNode[]
  tipo: number
  folio: number
  emisor: string
  receptor: string
  fecha: string
  /** Day of `TmstFirma`. */
  signed_on: string
  total: number
  references: readonly Reference[]
}

/** Only for a document that has passed its grammar: what must be there is there. */
export function readDocument(dte: XmlNode): ReadDocument {
  const body = dte.elements[0] as XmlNode
  const header = child(body, 'Encabezado') as XmlNode
  const id = child(header, 'IdDoc')
  return {
    dte,
    body,
    header,
    lines: children(body, 'Detalle'),
    tipo: number(id, 'TipoDTE') as number,
    folio: number(id, 'Folio') as number,
    emisor: text(header, 'Emisor', 'RUTEmisor') as string,
    receptor: text(header, 'Receptor', 'RUTRecep') as string,
    fecha: text(id, 'FchEmis') as string,
    signed_on: (text(body, 'TmstFirma') as string).slice(0, 10),
    total: number(header, 'Totales', 'MntTotal') as number,
    references: children(body, 'Referencia').map(readReference),
  }
}

function readReference(node: XmlNode): Reference {
  const code = text(node, 'CodRef')
  return {
    tipo: text(node, 'TpoDocRef') ?? '',
    folio: text(node, 'FolioRef') ?? '',
    fecha: text(node, 'FchRef'),
    // In a boleta it is free text.
    code: code === null || !/^[1-3]$/.test(code) ? null : Number(code),
    reason: text(node, 'RazonRef'),
  }
}

export const isBoleta = (tipo: number) => BOLETAS.includes(tipo)
export const isNote = (tipo: number) => tipo === 56 || tipo === 61 || tipo === 111 || tipo === 112

/** Whether a tax is kept back by the buyer (subtracted) or added to the price. In a 46 every one is kept back. */
export function isWithheld(code: string | null, tipo: number): boolean {
  return tipo === 46 || additionalTax(Number(code))?.kind === 'withheld'
}

/** The sums of `Totales`; one that the document does not tell is nothing. */
export function amountsOf(header: XmlNode, tipo: number): DocumentVerdict['amounts'] {
  const totals = child(header, 'Totales')
  return {
    neto: number(totals, 'MntNeto') ?? 0,
    exento: number(totals, 'MntExe') ?? 0,
    iva: number(totals, 'IVA') ?? 0,
    withheld: children(totals, 'ImptoReten')
      .filter((tax) => isWithheld(text(tax, 'TipoImp'), tipo))
      .reduce((sum, tax) => sum + (number(tax, 'MontoImp') ?? 0), 0),
  }
}

/** What the SII keeps of a document, whatever it decides. */
export function factsOf(
  document: ReadDocument,
  xml: Uint8Array,
): Omit<DocumentVerdict, 'outcome' | 'findings' | 'signature_value'> {
  const { header, tipo, folio, emisor, receptor, fecha, total, references } = document
  return {
    tipo,
    folio,
    emisor,
    emisor_name: text(header, 'Emisor', 'RznSoc') ?? text(header, 'Emisor', 'RznSocEmisor') ?? '',
    receptor,
    receptor_name: text(header, 'Receptor', 'RznSocRecep') ?? '',
    fecha,
    monto: total,
    amounts: amountsOf(header, tipo),
    payment_form: number(header, 'IdDoc', 'FmaPago'),
    purchase_kind: number(header, 'IdDoc', 'TpoTranCompra'),
    sale_kind: number(header, 'IdDoc', 'TpoTranVenta'),
    references,
    xml,
  }
}
