import { isRut } from '@timbre/dte/wire'
import type { ReadCertificate } from './certificate.ts'
import { faultInWords } from './document.ts'
import { differs, finding } from './findings.ts'
import { checkGrammar } from './grammar/check.ts'
import { grammarOf } from './grammar/grammars.ts'
import { type ReadDocument, readDocument } from './read-document.ts'
import { type CheckedSignature, checkAlone, checkInPlace, packed } from './signature.ts'
import type { AecVerdict, AecView, CesionVerdict, Finding } from './verdict.ts'
import { XmlFault } from './xml/fault.ts'
import { child, children, find, number, text, textOf, type XmlNode } from './xml/node.ts'
import { type ParsedXml, parseXml } from './xml/parse.ts'

/**
 * Judges the file of a cesión as the register does: schema, signature of the file, carátula, the document, and each
 * cesión (its states are SOK, FSO, COK, VDC, VCS in that order; `rtc_envio_estado`). Checks: DTE rules, cesión.
 */
export function judgeAec(file: Uint8Array, view: AecView, read: ReadCertificate): AecVerdict {
  const xml = parse(file)
  if (typeof xml === 'string') return refusal('RSC', [finding('ENV-3-0', xml)])
  const { root } = xml
  const faults = root.name === 'AEC' ? checkGrammar(root, grammarOf('AEC')) : [`SCH-00001: "${root.name}" is no AEC`]
  if (faults.length > 0) return refusal('RSC', [finding('ENV-3-0', faults.join('\n'))])

  const body = child(root, 'DocumentoAEC') as XmlNode
  const forged = wrongSignature(checkInPlace(child(root, 'Signature'), body, read), view)
  if (forged.length > 0) return refusal('RFS', forged)

  const ceded = find(body, 'Cesiones', 'DTECedido') as XmlNode
  const cesiones = children(find(body, 'Cesiones'), 'Cesion')
  const document = readDocument(find(ceded, 'DocumentoDTECedido', 'DTE') as XmlNode)
  const known = { document: shownDocument(document), cesiones: cesiones.map(readCesion) }
  const caratula = child(body, 'Caratula') as XmlNode
  const steps = [
    ['RCR', () => checkCaratula(caratula, known.cesiones, view)],
    ['RDC', () => checkCeded(ceded, document, view, read)],
    ['RCS', () => checkCesiones(cesiones, ceded, document, view, read)],
  ] as const
  for (const [estado, check] of steps) {
    const findings = check()
    if (findings.length > 0) return { ...known, estado, findings }
  }
  return { ...known, estado: 'EOK', findings: [] }
}

function parse(file: Uint8Array): ParsedXml | string {
  try {
    return parseXml(file)
  } catch (failure) {
    if (!(failure instanceof XmlFault)) throw failure
    return `[${failure.line}]${failure.message}`
  }
}

function refusal(estado: AecVerdict['estado'], findings: readonly Finding[]): AecVerdict {
  return { estado, findings, document: null, cesiones: [] }
}

function wrongSignature(checked: CheckedSignature, view: AecView, of = 'AEC'): Finding[] {
  if (!checked.ok) return [finding('RTC-3-900', `${of}: ${faultInWords(checked.fault)}`)]
  const { accredited, valid_from, valid_to } = checked.signer
  if (!accredited) return [finding('RTC-3-900', `${of}: certificado no emitido por una autoridad acreditada`)]
  if (view.today < valid_from || view.today > valid_to)
    return [finding('RTC-3-900', `${of}: certificado vigente [${valid_from}] a [${valid_to}]`)]
  return []
}

function shownDocument({ tipo, folio, emisor, receptor, fecha, total }: ReadDocument) {
  return { tipo, folio, emisor, receptor, fecha, monto: total }
}

function readCesion(cesion: XmlNode): CesionVerdict {
  const body = child(cesion, 'DocumentoCesion')
  return {
    seq: number(body, 'SeqCesion') as number,
    cedente: text(body, 'Cedente', 'RUT') as string,
    cedente_name: text(body, 'Cedente', 'RazonSocial') as string,
    cesionario: text(body, 'Cesionario', 'RUT') as string,
    cesionario_name: text(body, 'Cesionario', 'RazonSocial') as string,
    monto: number(body, 'MontoCesion') as number,
    last_due: text(body, 'UltimoVencimiento') as string,
    timestamp: text(body, 'TmstCesion') as string,
  }
}

function checkCaratula(caratula: XmlNode, cesiones: readonly CesionVerdict[], view: AecView): Finding[] {
  const last = cesiones.at(-1) as CesionVerdict
  const [cedente, cesionario] = [text(caratula, 'RutCedente') as string, text(caratula, 'RutCesionario') as string]
  for (const rut of [cedente, cesionario]) if (!isRut(rut)) return [finding('RTC-3-912', `[${rut}]`)]
  if (cedente !== last.cedente) return [finding('RTC-3-901', `RutCedente ${differs(cedente, last.cedente)}`)]
  if (cesionario !== last.cesionario)
    return [finding('RTC-3-901', `RutCesionario ${differs(cesionario, last.cesionario)}`)]
  if (cedente !== view.company_rut) return [finding('RTC-3-901', `Upload ${differs(cedente, view.company_rut)}`)]
  return view.mayFile(view.sender_rut, cedente) ? [] : [finding('RTC-3-902', `[${view.sender_rut}]`)]
}

/** The document as it is registered, inside the layer that the cedente signed. */
function checkCeded(ceded: XmlNode, document: ReadDocument, view: AecView, read: ReadCertificate): Finding[] {
  const { dte, body, emisor, tipo, folio, receptor, fecha, total } = document
  const inner = checkAlone(dte, child(dte, 'Signature'), body, read)
  if (!inner.ok) return [finding('RTC-3-900', `DTE: ${faultInWords(inner.fault)}`)]
  const layer = child(ceded, 'DocumentoDTECedido')
  const forged = wrongSignature(checkAlone(ceded, child(ceded, 'Signature'), layer, read), view, 'DTECedido')
  if (forged.length > 0) return forged
  const received = view.document(emisor, tipo, folio)
  if (received === null) return [finding('RTC-3-903', `Tipo [${tipo}] Folio [${folio}]`)]
  const same =
    received.receptor === receptor &&
    received.fecha === fecha &&
    received.monto === total &&
    received.signature_value === packed(text(dte, 'Signature', 'SignatureValue'))
  return same ? [] : [finding('RTC-3-904', `Tipo [${tipo}] Folio [${folio}]`)]
}

function checkCesiones(
  cesiones: readonly XmlNode[],
  ceded: XmlNode,
  document: ReadDocument,
  view: AecView,
  read: ReadCertificate,
): Finding[] {
  // Who may cede first: the seller, who in a factura de compra is the receptor.
  const seller = document.tipo === 46 ? document.receptor : document.emisor
  let holder = seller
  for (const [index, cesion] of cesiones.entries()) {
    const shown = readCesion(cesion)
    if (shown.seq !== index + 1) return [finding('RTC-3-907', differs(shown.seq, index + 1))]
    if (shown.cedente !== holder) return [finding('RTC-3-906', differs(shown.cedente, holder))]
    const wrong = [...checkTerms(cesion, shown, document, view), ...checkSigners(cesion, view, read)]
    if (wrong.length > 0) return wrong
    holder = shown.cesionario
  }
  const annotated = view.holder(document.emisor, document.tipo, document.folio)
  const last = readCesion(cesiones.at(-1) as XmlNode)
  if (last.seq !== (annotated?.seq ?? 0) + 1)
    return [finding('RTC-3-907', differs(last.seq, (annotated?.seq ?? 0) + 1))]
  const cedente = annotated?.rut ?? seller
  if (last.cedente !== cedente) return [finding('RTC-3-906', differs(last.cedente, cedente))]
  return checkReceipt(cesiones[0] as XmlNode, ceded)
}

function checkTerms(cesion: XmlNode, shown: CesionVerdict, document: ReadDocument, view: AecView): Finding[] {
  const id = find(cesion, 'DocumentoCesion', 'IdDTE')
  const told: readonly (readonly [string, string | number])[] = [
    ['TipoDTE', document.tipo],
    ['RUTEmisor', document.emisor],
    ['RUTReceptor', document.receptor],
    ['Folio', document.folio],
    ['FchEmis', document.fecha],
    ['MntTotal', document.total],
  ]
  for (const [name, expected] of told) {
    const found = text(id, name)
    const same = typeof expected === 'number' ? Number(found) === expected : found === expected
    if (!same) return [finding('RTC-3-905', `${name} ${differs(found, expected)}`)]
  }
  if (!isRut(shown.cesionario)) return [finding('RTC-3-912', `[${shown.cesionario}]`)]
  if (shown.monto > document.total) return [finding('RTC-3-908', `[${shown.monto}] > [${document.total}]`)]
  if (shown.last_due < document.fecha) return [finding('RTC-3-909', `[${shown.last_due}] < [${document.fecha}]`)]
  if (shown.timestamp.slice(0, 10) > view.today) return [finding('RTC-3-909', `[${shown.timestamp}] > [${view.today}]`)]
  return []
}

/** Each of one to three signatures is by somebody whom the cedente names. */
function checkSigners(cesion: XmlNode, view: AecView, read: ReadCertificate): Finding[] {
  const body = child(cesion, 'DocumentoCesion')
  const allowed = children(child(body, 'Cedente'), 'RUTAutorizado').map((one) => textOf(child(one, 'RUT') as XmlNode))
  for (const signature of children(cesion, 'Signature')) {
    const checked = checkAlone(cesion, signature, body, read)
    const forged = wrongSignature(checked, view, 'Cesion')
    if (forged.length > 0) return forged
    const rut = checked.ok ? checked.signer.rut : null
    if (rut === null || !allowed.includes(rut)) return [finding('RTC-3-910', `[${rut ?? ''}]`)]
  }
  return []
}

/** Without an electronic receipt of the goods the first cedente swears that it has one on paper (Ley 19.983). */
function checkReceipt(first: XmlNode, ceded: XmlNode): Finding[] {
  const receipts = children(child(ceded, 'DocumentoDTECedido'), 'Recibo')
  const sworn = text(first, 'DocumentoCesion', 'Cedente', 'DeclaracionJurada')
  return receipts.length > 0 || (sworn !== null && sworn !== '') ? [] : [finding('RTC-3-911')]
}
