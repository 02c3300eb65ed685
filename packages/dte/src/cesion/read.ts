import { type Piece, pasteForeign } from '../envelope/sign.ts'
import { accept, type Outcome, refuse } from '../refusal.ts'
import { firstRefusal, verifySignatures } from '../signature/verify.ts'
import { tiposWhere } from '../tables/documents.ts'
import { parseXml, parseXmlText } from '../xml/parse.ts'
import { rawElements } from '../xml/raw.ts'
import { at, childrenOf, textAt, type XmlElement } from '../xml/tree.ts'

/** What a cesión says about the document it moves, read from the document itself. */
export interface CededDte {
  readonly tipo_dte: number
  readonly folio: number
  readonly issue_date: string
  readonly emisor_rut: string
  readonly receptor_rut: string
  readonly receptor_name: string
  readonly total: number
}

export interface ReadAec {
  readonly ceded: CededDte
  /** The last cesionario: the only one who may cede next. */
  readonly holder: string
  /** How many cesiones it holds already. */
  readonly cesiones: number
  readonly has_recibo: boolean
  /** DTECedido and every Cesion, character by character. */
  readonly pasted: readonly Piece[]
}

/** SiiTypes_v10.xsd, DTEFacturasType; a guía is not ceded by itself. */
const CEDIBLE = new Set(tiposWhere(({ ceded_by }) => ceded_by !== null))

export function readCededDte(dte: string): Outcome<CededDte, 'not_a_dte' | 'not_cedible'> {
  const parsed = parseXmlText(dte)
  if (!parsed.ok) return refuse('not_a_dte', parsed.refusal.message, 'dte')
  if (parsed.value.root.name !== 'DTE') return refuse('not_a_dte', 'The root is not DTE.', 'dte')
  const refusal = firstRefusal(verifySignatures(parsed.value))
  if (refusal !== null) return refuse('not_a_dte', refusal.message, 'dte')
  return readCeded(parsed.value.root)
}

function readCeded(dte: XmlElement | undefined): Outcome<CededDte, 'not_a_dte' | 'not_cedible'> {
  const header = at(dte, 'Documento', 'Encabezado')
  const read = (...path: string[]): string => textAt(header, ...path) ?? ''
  const ceded = {
    tipo_dte: Number(read('IdDoc', 'TipoDTE')),
    folio: Number(read('IdDoc', 'Folio')),
    issue_date: read('IdDoc', 'FchEmis'),
    emisor_rut: read('Emisor', 'RUTEmisor'),
    receptor_rut: read('Receptor', 'RUTRecep'),
    receptor_name: read('Receptor', 'RznSocRecep'),
    total: Number(read('Totales', 'MntTotal')),
  }
  if (!CEDIBLE.has(ceded.tipo_dte)) return refuse('not_cedible', `Tipo ${ceded.tipo_dte} cannot be ceded.`, 'dte')
  return accept(ceded)
}

/** A cesión builds on an AEC only if all that was signed in it still holds. */
export function readAec(bytes: Uint8Array): Outcome<ReadAec, 'not_an_aec' | 'not_a_dte' | 'not_cedible'> {
  const parsed = parseXml(bytes)
  if (!parsed.ok) return refuse('not_an_aec', parsed.refusal.message, parsed.refusal.path)
  const { root, source } = parsed.value
  const cesiones = at(root, 'DocumentoAEC', 'Cesiones')
  const document = at(cesiones, 'DTECedido', 'DocumentoDTECedido')
  const made = childrenOf(cesiones, 'Cesion')
  if (root.name !== 'AEC' || document === undefined || made.length === 0)
    return refuse('not_an_aec', 'It is not an AEC.')
  if (made.length >= 40) return refuse('not_an_aec', 'An AEC holds at most 40 cesiones.')
  const refusal = firstRefusal(verifySignatures(parsed.value))
  if (refusal !== null) return refuse('not_an_aec', refusal.message, refusal.path)
  const ceded = readCeded(at(document, 'DTE'))
  if (!ceded.ok) return ceded
  const pasted: Piece[] = []
  for (const raw of [...rawElements(source, 'DTECedido'), ...rawElements(source, 'Cesion')]) {
    const paste = pasteForeign(raw)
    if (!paste.ok) return refuse('not_an_aec', paste.refusal.message)
    pasted.push(paste.value)
  }
  if (pasted.length !== made.length + 1) return refuse('not_an_aec', 'Its parts are not where they belong.')
  const holder = textAt(made.at(-1), 'DocumentoCesion', 'Cesionario', 'RUT') ?? ''
  return accept({
    ceded: ceded.value,
    holder,
    cesiones: made.length,
    has_recibo: at(document, 'Recibo') !== undefined,
    pasted,
  })
}
