import { checkCaratula, checkFiler } from './caratula.ts'
import type { ReadCertificate } from './certificate.ts'
import { type Court, faultInWords, judgeDocument } from './document.ts'
import { differs, finding } from './findings.ts'
import { checkGrammar } from './grammar/check.ts'
import { grammarOf } from './grammar/grammars.ts'
import { readDocument } from './read-document.ts'
import { checkInPlace } from './signature.ts'
import type { CheckTimbre } from './timbre.ts'
import type { FileKind, Finding, Verdict, VerifyView, WholeBook } from './verdict.ts'
import { XmlFault } from './xml/fault.ts'
import { child, children, number, text, type XmlNode } from './xml/node.ts'
import { type ParsedXml, parseXml } from './xml/parse.ts'

export interface Tools {
  readCertificate: ReadCertificate
  checkTimbre: CheckTimbre
}

const KINDS: readonly FileKind[] = ['EnvioDTE', 'EnvioBOLETA', 'ConsumoFolios', 'LibroCompraVenta', 'LibroGuia']

/** Judges a file of an upload: schema, signature of the envelope, carátula, and each document (PROTOCOLS 4 to 8). */
export function judgeFile(file: Uint8Array, view: VerifyView, tools: Tools): Verdict {
  const read = readFile(file, view)
  if ('refused' in read) return refusal(read.kind, 'schema', [finding('ENV-3-0', read.refused)], null)
  const { kind, xml } = read
  const set = xml.root.elements[0] as XmlNode
  const caratula = child(set, 'Caratula') as XmlNode
  const forged = checkEnvelopeSignature(xml.root, set, caratula, view, tools.readCertificate)
  if (forged.length > 0) return refusal(kind, 'signature', forged, caratula)
  if (kind !== 'EnvioDTE' && kind !== 'EnvioBOLETA') return judgeBook(kind, caratula, view)

  const documents = children(set, 'DTE').map(readDocument)
  const wrong = checkCaratula(
    caratula,
    documents.map(({ tipo }) => tipo),
    view,
  )
  if (wrong.length > 0) return refusal(kind, 'caratula', wrong, caratula)
  const emisor = text(caratula, 'RutEmisor') as string
  const court: Court = { view, ...tools, xml, emisor, taken: new Map() }
  const verdicts = documents.map((document) => judgeDocument(document, court))
  return { ...heading(kind, caratula), estado: 'EPR', findings: [], documents: verdicts }
}

/** Parses a file and holds it against the grammar of its root. */
function readFile(
  file: Uint8Array,
  view: VerifyView,
): { kind: FileKind; xml: ParsedXml } | { kind: FileKind | null; refused: string } {
  let xml: ParsedXml
  try {
    xml = parseXml(file)
  } catch (failure) {
    if (!(failure instanceof XmlFault)) throw failure
    return { kind: null, refused: `[${failure.line}]${failure.message}` }
  }
  const kind = KINDS.find((name) => name === xml.root.name) ?? null
  if (kind === null || !belongs(kind, view))
    return { kind, refused: `SCH-00001: schema of "${xml.root.name}" not accepted here` }
  const faults = checkGrammar(xml.root, grammarOf(kind))
  return faults.length === 0 ? { kind, xml } : { kind, refused: faults.join('\n') }
}

/** Boletas have a door of their own; only for their certification do they also go through DTEUpload (PROTOCOLS 8). */
function belongs(kind: FileKind, { channel, ambiente }: VerifyView): boolean {
  if (channel === 'boleta') return kind === 'EnvioBOLETA'
  return kind !== 'EnvioBOLETA' || ambiente === 'certificacion'
}

function checkEnvelopeSignature(
  root: XmlNode,
  set: XmlNode,
  caratula: XmlNode,
  view: VerifyView,
  read: ReadCertificate,
): Finding[] {
  const checked = checkInPlace(child(root, 'Signature'), set, read)
  if (!checked.ok) return [finding('ENV-3-900', faultInWords(checked.fault))]
  const { signer } = checked
  if (!signer.accredited) return [finding('ENV-3-901', 'no emitido por una autoridad acreditada')]
  if (view.today < signer.valid_from || view.today > signer.valid_to)
    return [finding('ENV-3-901', `vigente [${signer.valid_from}] a [${signer.valid_to}]`)]
  const sender = text(caratula, 'RutEnvia')
  if (signer.rut !== sender) return [finding('CRT-3-906', differs(signer.rut, sender))]
  return view.mayFile(view.sender_rut, view.company_rut) ? [] : [finding('ENV-3-6', `[${view.sender_rut}]`)]
}

function judgeBook(kind: FileKind, caratula: XmlNode, view: VerifyView): Verdict {
  const wrong = checkFiler(caratula, emisorOf(caratula) as string, view)
  if (wrong.length > 0) return refusal(kind, 'caratula', wrong, caratula)
  const taken = { ...heading(kind, caratula), findings: [], documents: [] }
  if (kind === 'ConsumoFolios') return { ...taken, estado: 'EPR' }
  const book = wholeBook(kind, caratula)
  if (book === null) return { ...taken, estado: 'LOK' }
  return { ...taken, estado: view.hasBook?.(book) ? 'LNC' : 'LOK', book }
}

/** What a whole book is told apart by; one that amends another (`RECTIFICA`) stands in the place of it. */
function wholeBook(kind: FileKind, caratula: XmlNode): WholeBook | null {
  if (text(caratula, 'TipoEnvio') !== 'TOTAL' || text(caratula, 'TipoLibro') === 'RECTIFICA') return null
  const [emisor, period] = [emisorOf(caratula) as string, text(caratula, 'PeriodoTributario') as string]
  return { kind, emisor, operation: text(caratula, 'TipoOperacion'), period }
}

const REFUSED = {
  schema: ['RSC', 'LRS'],
  signature: ['RFR', 'LRF'],
  caratula: ['RCT', 'LRC'],
} as const

function refusal(
  kind: FileKind | null,
  by: keyof typeof REFUSED,
  findings: readonly Finding[],
  caratula: XmlNode | null,
): Verdict {
  const book = kind === 'LibroCompraVenta' || kind === 'LibroGuia'
  const estado = REFUSED[by][book ? 1 : 0]
  return { ...heading(kind, caratula), estado, findings, documents: [] }
}

function heading(kind: FileKind | null, caratula: XmlNode | null): Pick<Verdict, 'kind' | 'emisor' | 'resolution'> {
  if (caratula === null) return { kind, emisor: null, resolution: null }
  const resolution = { number: number(caratula, 'NroResol') as number, date: text(caratula, 'FchResol') as string }
  return { kind, emisor: emisorOf(caratula), resolution }
}

function emisorOf(caratula: XmlNode): string | null {
  return text(caratula, 'RutEmisor') ?? text(caratula, 'RutEmisorLibro')
}
