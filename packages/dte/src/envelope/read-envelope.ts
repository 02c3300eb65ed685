import { accept, type Outcome, refuse } from '../refusal.ts'
import { canonicalRut } from '../rut.ts'
import { type ParseLimits, type ParseRule, parseXml, type XmlDocument } from '../xml/parse.ts'
import { childOf, childrenOf, textAt, type XmlElement } from '../xml/tree.ts'
import { type ReadDocument, type ReadRule, readDte } from './read.ts'

/** The cover of an envelope, as its sender wrote it. */
export interface Caratula {
  readonly rut_emisor: string | undefined
  readonly rut_envia: string | undefined
  readonly rut_receptor: string | undefined
  readonly resolution_date: string | undefined
  readonly resolution_number: number | undefined
  readonly signed_at: string | undefined
}

export interface ReadEnvelope {
  readonly kind: 'EnvioDTE' | 'EnvioBOLETA' | 'DTE'
  /** `ID` of the signed set; absent for a lone DTE. */
  readonly id: string | undefined
  readonly caratula: Caratula | undefined
  /** One outcome per document: a document that cannot be read does not hide the others. */
  readonly documents: readonly Outcome<ReadDocument, ReadRule>[]
  /** The parsed file, for whoever verifies its signatures next. */
  readonly xml: XmlDocument
}

/**
 * Reads an EnvioDTE, an EnvioBOLETA or a lone DTE from the bytes a supplier sent. Bombs, external entities, oversize,
 * truncated and wrongly encoded files are refused by the parser in bounded time.
 */
export function readEnvelope(bytes: Uint8Array, limits?: ParseLimits): Outcome<ReadEnvelope, ParseRule | ReadRule> {
  const parsed = parseXml(bytes, limits)
  if (!parsed.ok) return parsed
  const { root } = parsed.value
  const kind = kindOf(root)
  if (kind === null)
    return refuse('not_a_dte', `The root element is ${root.name.slice(0, 60)}.`, root.name.slice(0, 60))
  if (kind === 'DTE') {
    return accept({
      kind,
      id: undefined,
      caratula: undefined,
      documents: [readDte(root, parsed.value)],
      xml: parsed.value,
    })
  }
  const set = root.name === 'SetDTE' ? root : childOf(root, 'SetDTE')
  const documents = childrenOf(set, 'DTE').map((dte) => readDte(dte, parsed.value))
  if (documents.length === 0) return refuse('not_a_dte', 'The envelope holds no DTE.', root.name)
  const caratula = readCaratula(childOf(set, 'Caratula'))
  return accept({ kind, id: set?.attributes.ID, caratula, documents, xml: parsed.value })
}

function kindOf({ name }: XmlElement): ReadEnvelope['kind'] | null {
  if (name === 'EnvioDTE' || name === 'EnvioBOLETA' || name === 'DTE') return name
  return name === 'SetDTE' ? 'EnvioDTE' : null
}

function readCaratula(element: XmlElement | undefined): Caratula | undefined {
  if (element === undefined) return undefined
  const rut = (name: string) => canonicalRut(textAt(element, name) ?? '') ?? undefined
  const number = textAt(element, 'NroResol') ?? ''
  return {
    rut_emisor: rut('RutEmisor'),
    rut_envia: rut('RutEnvia'),
    rut_receptor: rut('RutReceptor'),
    resolution_date: textAt(element, 'FchResol'),
    resolution_number: /^\d{1,6}$/.test(number) ? Number(number) : undefined,
    signed_at: textAt(element, 'TmstFirmaEnv'),
  }
}
