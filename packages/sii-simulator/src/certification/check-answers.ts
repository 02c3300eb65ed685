import type { ReadCertificate } from '../verify/certificate.ts'
import { checkAlone, checkInPlace, packed } from '../verify/signature.ts'
import { XmlFault } from '../verify/xml/fault.ts'
import { child, children, number, text, type XmlNode } from '../verify/xml/node.ts'
import { parseXml } from '../verify/xml/parse.ts'
import type { Exchange, ExchangeDocument } from './register.ts'
import type { Refusal } from './review-documents.ts'

/** The three files with which a company answers the SII's envelope, in the order of the uploads. */
export const ANSWERS = ['RecepcionEnvio', 'EnvioRecibos', 'ResultadoDTE'] as const

export interface AnswerCourt {
  readonly company: string
  readonly readCertificate: ReadCertificate
  maySign(rut: string): boolean
}

/** `EstadoRecepDTE` 3: error in the RUT of the receptor. `EstadoDTE` 2: refused. */
const WRONG_RECEPTOR = '3'
const REFUSED = '2'

/** Checks one answer by itself. Schemas are looked at as far as the fields that matter go. */
export function checkAnswer(number: number, file: Uint8Array, exchange: Exchange, court: AnswerCourt): Refusal[] {
  const name = ANSWERS[number - 1]
  if (name === undefined) return ['Archivo no esperado']
  const wrong = (words: string) => [`${name} - ${words}`]
  let root: XmlNode
  try {
    root = parseXml(file).root
  } catch (failure) {
    if (!(failure instanceof XmlFault)) throw failure
    return wrong(`El archivo no es XML: ${failure.message}`)
  }
  const expected = name === 'EnvioRecibos' ? 'EnvioRecibos' : 'RespuestaDTE'
  const body = root.elements[0]
  if (root.name !== expected || body === undefined) return wrong(`Se esperaba ${expected} [${root.name}]`)
  const caratula = child(body, 'Caratula')
  const refusals = [
    ...signedBy(checkInPlace(child(root, 'Signature'), body, court.readCertificate), court),
    ...same('RutResponde', text(caratula, 'RutResponde'), court.company),
    ...same('RutRecibe', text(caratula, 'RutRecibe'), exchange.emisor),
    ...CHECKS[name](body, exchange, court),
  ]
  return refusals.map((words) => `${name} - ${words}`)
}

function signedBy(checked: ReturnType<typeof checkInPlace>, court: AnswerCourt): string[] {
  if (!checked.ok) return [`Firma incorrecta (${checked.fault})`]
  if (!checked.signer.accredited) return ['El certificado no es de una autoridad acreditada']
  const { rut } = checked.signer
  return rut !== null && court.maySign(rut) ? [] : [`El firmante no esta autorizado [${rut ?? ''}]`]
}

const CHECKS: Readonly<
  Record<(typeof ANSWERS)[number], (body: XmlNode, exchange: Exchange, court: AnswerCourt) => string[]>
> = {
  RecepcionEnvio: checkReception,
  EnvioRecibos: checkReceipts,
  ResultadoDTE: checkResults,
}

function checkReception(body: XmlNode, exchange: Exchange, { company }: AnswerCourt): string[] {
  const [received, ...more] = children(body, 'RecepcionEnvio')
  if (received === undefined || more.length > 0) return ['Debe tener un RecepcionEnvio']
  const rows = children(received, 'RecepcionDTE')
  const row = (document: ExchangeDocument) => rows.find((one) => isAbout(one, 'TipoDTE', document, exchange))
  return [
    ...same('EnvioDTEID', text(received, 'EnvioDTEID'), exchange.set_id),
    ...same('Digest', packed(text(received, 'Digest')), exchange.digest),
    ...same('RutEmisor', text(received, 'RutEmisor'), exchange.emisor),
    ...same('RutReceptor', text(received, 'RutReceptor'), company),
    ...same('EstadoRecepEnv', text(received, 'EstadoRecepEnv'), '0'),
    ...same('NroDTE', text(received, 'NroDTE'), '2'),
    ...state('EstadoRecepDTE', row(exchange.own), exchange.own, '0'),
    ...state('EstadoRecepDTE', row(exchange.other), exchange.other, WRONG_RECEPTOR),
  ]
}

/** Only what was received is acknowledged: the document of another receptor has no receipt. */
function checkReceipts(body: XmlNode, exchange: Exchange, court: AnswerCourt): string[] {
  const receipts = children(body, 'Recibo')
  const [only] = receipts
  const document = child(only, 'DocumentoRecibo')
  if (receipts.length !== 1 || only === undefined || document === undefined)
    return [`Debe tener el recibo de un documento [${receipts.length}]`]
  if (!isAbout(document, 'TipoDoc', exchange.own, exchange))
    return [`El recibo no es del documento recibido [${text(document, 'TipoDoc')} ${text(document, 'Folio')}]`]
  return signedBy(checkAlone(only, child(only, 'Signature'), document, court.readCertificate), court)
}

/** The document of another is refused, or not spoken of: it was not received. */
function checkResults(body: XmlNode, exchange: Exchange): string[] {
  const rows = children(body, 'ResultadoDTE')
  const row = (document: ExchangeDocument) => rows.find((one) => isAbout(one, 'TipoDTE', document, exchange))
  const stranger = row(exchange.other)
  return [
    ...state('EstadoDTE', row(exchange.own), exchange.own, '0'),
    ...(stranger === undefined ? [] : state('EstadoDTE', stranger, exchange.other, REFUSED)),
  ]
}

function isAbout(row: XmlNode, tipo: string, document: ExchangeDocument, { emisor }: Exchange): boolean {
  return (
    number(row, tipo) === document.tipo &&
    number(row, 'Folio') === document.folio &&
    text(row, 'FchEmis') === document.fecha &&
    text(row, 'RUTEmisor') === emisor &&
    text(row, 'RUTRecep') === document.receptor &&
    number(row, 'MntTotal') === document.monto
  )
}

function state(name: string, row: XmlNode | undefined, { tipo, folio }: ExchangeDocument, expected: string): string[] {
  if (row === undefined) return [`Falta el documento ${tipo} folio ${folio}`]
  return same(`${name} del folio ${folio}`, text(row, name), expected)
}

function same(name: string, found: string | null, expected: string): string[] {
  return found === expected ? [] : [`${name} [${found ?? ''}] <> [${expected}]`]
}
