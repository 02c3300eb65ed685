import { childrenOf, textAt, type XmlElement } from '@timbre/dte/xml'
import { readSiiInstant } from './dates.ts'
import { splitRut } from './document.ts'
import { drift, refused, unavailable } from './failure.ts'
import type { Ambiente } from './hosts.ts'
import type { Caller } from './identity.ts'
import { need } from './respuesta.ts'
import { readSoapReturn, SOAP_HEADERS, type SoapParts, writeSoap } from './soap.ts'
import type { Access } from './soap-service.ts'
import type { Read, SiiAnswer } from './wire.ts'

/** What a receptor may say of a document: accept it, receive its goods, or claim (Ley 19.983, art. 3 and 4). */
export type ClaimAction = 'ACD' | 'ERM' | 'RCD' | 'RFP' | 'RFT'

export interface ClaimedDocument {
  readonly emisor_rut: string
  /** 33, 34 or 43: no other takes part. */
  readonly tipo_dte: number
  readonly folio: number
}

/** An answer of the service: a number and its words (SII, Registro de aceptación o reclamo v1.2). */
export interface ClaimAnswer {
  readonly code: number
  readonly glosa: string
}

export interface ClaimEvent {
  /** An action, or NCA and ENC for credit notes. */
  readonly code: string
  readonly glosa: string | null
  readonly person_rut: string | null
  readonly at: Date
}

/** The register of acceptance and claims. */
export interface ClaimsService {
  /** `registered` is true also when it had been before: asking twice is harmless. */
  register(
    caller: Caller,
    document: ClaimedDocument,
    action: ClaimAction,
  ): Promise<ClaimAnswer & { readonly registered: boolean }>
  /** What was registered about a document, oldest first as the SII has it. `known` is false where it has no such one. */
  events(
    caller: Caller,
    document: ClaimedDocument,
  ): Promise<ClaimAnswer & { readonly known: boolean; readonly events: readonly ClaimEvent[] }>
  /** Whether a document may be ceded: codes 20 to 25. */
  cedibility(caller: Caller, document: ClaimedDocument): Promise<ClaimAnswer & { readonly cedible: boolean }>
  /** When the SII received it: the receptor's eight days run from there. Null where it did not. */
  receivedAt(caller: Caller, document: ClaimedDocument): Promise<Date | null>
}

const NAMESPACE = 'http://ws.registroreclamodte.diii.sdi.sii.cl'
const PATHS: Readonly<Record<Ambiente, string>> = {
  certificacion: '/WSREGISTRORECLAMODTECERT/registroreclamodteservice',
  produccion: '/WSREGISTRORECLAMODTE/registroreclamodteservice',
}

const INTERNAL = -1
const DONE = new Set([0, 7])
const CEDIBLE = new Set([23, 25])
/** A list, and the answer that there is nothing to list. */
const LISTED = 15
const NO_EVENTS = 16
/** No records, not at the SII, not received: a document of which nothing can be registered yet. */
const UNKNOWN = new Set([9, 10, 18])

export function openClaimsService(access: Access): ClaimsService {
  return {
    register: (caller, document, action) =>
      ask(access, caller, 'ingresarAceptacionReclamoDoc', [...partsOf(document), ['accionDoc', action]], (returned) => {
        const answer = readAnswer(returned)
        return { value: { ...answer, registered: DONE.has(answer.code) }, estado: String(answer.code) }
      }),
    events: (caller, document) => ask(access, caller, 'listarEventosHistDoc', partsOf(document), readEvents),
    cedibility: (caller, document) =>
      ask(access, caller, 'consultarDocDteCedible', partsOf(document), (returned) => {
        const answer = readAnswer(returned)
        return { value: { ...answer, cedible: CEDIBLE.has(answer.code) }, estado: String(answer.code) }
      }),
    receivedAt: (caller, document) =>
      ask(access, caller, 'consultarFechaRecepcionSii', partsOf(document), readReceivedAt),
  }
}

function partsOf({ emisor_rut, tipo_dte, folio }: ClaimedDocument): SoapParts {
  const [rut, dv] = splitRut(emisor_rut)
  return [
    ['rutEmisor', rut],
    ['dvEmisor', dv],
    ['tipoDoc', String(tipo_dte)],
    ['folio', String(folio)],
  ]
}

function ask<T>(
  { wire, tokens }: Access,
  caller: Caller,
  operation: string,
  parts: SoapParts,
  read: (returned: XmlElement) => Read<T>,
): Promise<T> {
  const { ambiente } = caller
  const body = writeSoap(NAMESPACE, operation, parts, 'plain')
  return tokens.withToken(caller, 'dte', (token) =>
    wire.call(
      {
        service: 'claims',
        ambiente,
        operation,
        method: 'POST',
        path: PATHS[ambiente],
        headers: { ...SOAP_HEADERS, cookie: `TOKEN=${token}` },
        body,
        secrets: [token],
      },
      (answer: SiiAnswer) => read(readSoapReturn(answer, operation)),
    ),
  )
}

function readAnswer(returned: XmlElement): ClaimAnswer {
  const text = need(returned, 'codResp')
  if (!/^-?\d{1,4}$/.test(text)) throw drift('codResp')
  const glosa = textAt(returned, 'descResp') ?? ''
  if (Number(text) === INTERNAL) throw unavailable(text, glosa)
  return { code: Number(text), glosa }
}

function readEvents(
  returned: XmlElement,
): Read<ClaimAnswer & { readonly known: boolean; readonly events: readonly ClaimEvent[] }> {
  const answer = readAnswer(returned)
  const events = childrenOf(returned, 'listaEventosDoc').map(readEvent)
  if (answer.code === LISTED && events.length === 0) throw drift('listaEventosDoc', String(LISTED))
  const known = answer.code === LISTED || answer.code === NO_EVENTS
  // Any other code is about the question, such as a person who may not ask: silence would be read as "no claims".
  if (!known && !UNKNOWN.has(answer.code)) throw refused(String(answer.code), answer.glosa, 'minutes')
  return { value: { ...answer, known, events }, estado: String(answer.code) }
}

function readEvent(row: XmlElement): ClaimEvent {
  const at = readSiiInstant(need(row, 'fechaEvento'))
  if (at === null) throw drift('fechaEvento')
  const [rut, dv] = [textAt(row, 'rutResponsable'), textAt(row, 'dvResponsable')]
  return {
    code: need(row, 'codEvento'),
    glosa: textAt(row, 'descEvento') ?? null,
    person_rut: rut && dv ? `${rut}-${dv.toUpperCase()}` : null,
    at,
  }
}

/** What it says of a document that the SII never received is in no source (see UNVERIFIED): nothing, or words like these. */
const NOT_RECEIVED = /no\s+(?:ha\s+sido\s+|fue\s+)?recibid|no\s+(?:existe|registra|se\s+encuentra)|no\s+encontrad/i

function readReceivedAt(returned: XmlElement): Read<Date | null> {
  const text = returned.text.trim()
  if ((text === '' && returned.children.length === 0) || NOT_RECEIVED.test(text)) return { value: null }
  const at = readSiiInstant(text)
  if (at === null) throw drift('fecha de recepción')
  return { value: at }
}
