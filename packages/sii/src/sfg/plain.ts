import { childOf, parseXmlText, textAt, type XmlElement } from '@timbre/dte/xml'
import { drift } from '../failure.ts'
import { sfgRefusal } from './door.ts'
import type { SfgDocument } from './form.ts'

/** What the SII is about to sign, or has signed. */
export interface PlainDte {
  readonly emisor_rut: string
  readonly tipo: number
  readonly folio: number
  readonly receptor_rut: string
  readonly total: number
}

export function readPlainDte(xml: string): PlainDte {
  const parsed = parseXmlText(xml.trim())
  if (!parsed.ok) throw drift('DTE to sign')
  const documento = find(parsed.value.root, 'Documento')
  const encabezado = documento === null ? undefined : childOf(documento, 'Encabezado')
  if (encabezado === undefined) throw drift('Encabezado of the DTE to sign')
  const at = (...path: [string, string]) => {
    const text = textAt(encabezado, ...path)
    if (!text) throw drift(`${path[1]} of the DTE to sign`)
    return text
  }
  return {
    emisor_rut: at('Emisor', 'RUTEmisor').toUpperCase(),
    tipo: Number(at('IdDoc', 'TipoDTE')),
    folio: Number(at('IdDoc', 'Folio')),
    receptor_rut: at('Receptor', 'RUTRecep').toUpperCase(),
    total: Number(at('Totales', 'MntTotal')),
  }
}

/**
 * The last look before a person signs: the session may stand in another company, and the form may have been read in
 * another way than it was meant.
 */
export function requireSame(plain: PlainDte, company: string, { tipo_dte, receptor, totals }: SfgDocument): void {
  const differences = [
    [plain.emisor_rut === company, `emisor ${plain.emisor_rut}`],
    [plain.tipo === tipo_dte, `tipo ${plain.tipo}`],
    [plain.receptor_rut === receptor.rut, `receptor ${plain.receptor_rut}`],
    [plain.total === totals.total, `total ${plain.total}`],
  ] as const
  const wrong = differences.filter(([same]) => !same).map(([, what]) => what)
  if (wrong.length > 0) throw sfgRefusal('other_document', `The SII would sign another document: ${wrong.join(', ')}`)
}

function find(element: XmlElement, name: string): XmlElement | null {
  if (element.name === name) return element
  for (const child of element.children) {
    const found = find(child, name)
    if (found !== null) return found
  }
  return null
}
