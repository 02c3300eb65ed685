import { childOf, parseXmlText, textAt, type XmlElement } from '@timbre/dte/xml'
import { kindOf } from './body.ts'
import { drift, refusedToken } from './failure.ts'
import { parseAnswer, readSoapReturn } from './soap.ts'
import { unexpected } from './weather.ts'
import type { SiiAnswer } from './wire.ts'

/** `SII:RESPUESTA`, in which most services answer. The order of its two parts varies, and either may be missing. */
export interface Respuesta {
  readonly estado: string
  readonly glosa: string | null
  readonly header: XmlElement
  readonly body: XmlElement | undefined
}

/** The token is inactive, or does not exist (Manual de Autenticación Automática 1.9). */
const TOKEN_STATES = new Set(['001', '002', '003'])

/** A RESPUESTA inside the text that a SOAP operation returns. */
export function readSoapRespuesta(answer: SiiAnswer, operation: string): Respuesta {
  const returned = readSoapReturn(answer, operation)
  if (returned.children.length > 0) return readRespuesta(childOf(returned, 'RESPUESTA'))
  // Escaped once by SOAP, which the parser has undone.
  const kind = kindOf(returned.text)
  if (kind !== 'xml') throw unexpected({ ...answer, kind, text: returned.text }, 'RESPUESTA')
  const parsed = parseXmlText(returned.text)
  if (!parsed.ok) throw drift(`RESPUESTA (${parsed.refusal.rule})`)
  return readRespuesta(parsed.value.root)
}

/** A RESPUESTA that is the answer itself (boletas). */
export function readBareRespuesta(answer: SiiAnswer): Respuesta {
  if (answer.kind !== 'xml') throw unexpected(answer, 'RESPUESTA')
  return readRespuesta(parseAnswer(answer))
}

function readRespuesta(root: XmlElement | undefined): Respuesta {
  if (root?.name !== 'RESPUESTA') throw drift('RESPUESTA')
  const header = childOf(root, 'RESP_HDR')
  if (header === undefined) throw drift('RESP_HDR')
  const estado = textAt(header, 'ESTADO')
  if (!estado) throw drift('ESTADO')
  const glosa = textAt(header, 'GLOSA') ?? textAt(header, 'GLOSA_ESTADO') ?? null
  if (TOKEN_STATES.has(estado)) throw refusedToken(estado, glosa)
  return { estado, glosa, header, body: childOf(root, 'RESP_BODY') }
}

/** Text that must be there. */
export function need(element: XmlElement | undefined, name: string): string {
  const text = textAt(element, name)
  if (!text) throw drift(name)
  return text
}
