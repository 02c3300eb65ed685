import { childOf, parseXmlText, textAt, type XmlElement } from '@timbre/dte/xml'
import { type AnswerFault, drift, refused, refusedToken, unavailable } from './failure.ts'
import { unexpected } from './weather.ts'
import type { SiiAnswer } from './wire.ts'

/** SOAP 1.1, as much of it as the SII speaks. */

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/'
const ENCODING = 'http://schemas.xmlsoap.org/soap/encoding/'
const MAX_NODES = 100_000

export const SOAP_HEADERS = { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' } as const

/** Arguments by name, in the order of the service: Axis binds them by position. */
export type SoapParts = readonly (readonly [name: string, value: string])[]

/** rpc/encoded for the SII's Axis services; plain elements for the accept/claim service. */
export function writeSoap(namespace: string, operation: string, parts: SoapParts, style: 'rpc' | 'plain'): string {
  const rpc = style === 'rpc'
  const type = rpc ? ' xsi:type="xsd:string"' : ''
  const values = parts.map(([name, value]) => `<${name}${type}>${escapeXml(value)}</${name}>`).join('')
  const encoding = rpc ? ` soapenv:encodingStyle="${ENCODING}"` : ''
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="${ENVELOPE}"` +
    ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<soapenv:Body><ws:${operation} xmlns:ws="${escapeXml(namespace)}"${encoding}>${values}</ws:${operation}>` +
    '</soapenv:Body></soapenv:Envelope>'
  )
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The element that an operation returns, whatever namespace it comes in. */
export function readSoapReturn(answer: SiiAnswer, operation: string): XmlElement {
  if (answer.kind !== 'xml') throw unexpected(answer, 'SOAP envelope')
  const root = parseAnswer(answer)
  const body = root.name === 'Envelope' ? childOf(root, 'Body') : undefined
  if (body === undefined) throw drift('SOAP envelope')
  const fault = childOf(body, 'Fault')
  if (fault !== undefined) throw readFault(fault)
  const response = childOf(body, `${operation}Response`)
  if (response === undefined) throw drift(`${operation}Response`)
  const returned = childOf(response, `${operation}Return`) ?? childOf(response, 'return')
  if (returned === undefined) throw drift(`${operation}Return`)
  return returned
}

/** XML of an answer that must be XML. One that ends too early was cut on its way. */
export function parseAnswer(answer: SiiAnswer): XmlElement {
  const parsed = parseXmlText(answer.text, { max_nodes: MAX_NODES })
  if (parsed.ok) return parsed.value.root
  if (parsed.refusal.rule === 'truncated' || answer.status >= 500) throw unavailable(`HTTP ${answer.status}`, null)
  throw drift(`well-formed XML (${parsed.refusal.rule})`)
}

/** A fault of the caller is ours to mend; any other is the SII's own trouble, unless it is about the token. */
function readFault(fault: XmlElement): AnswerFault {
  const code = textAt(fault, 'faultcode') ?? 'Fault'
  const words = textAt(fault, 'faultstring') ?? null
  if (/token|autentic|sesi[oó]n/i.test(words ?? '')) return refusedToken(code, words)
  return /client/i.test(code) ? refused(code, words) : unavailable(code, words)
}
