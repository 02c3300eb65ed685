import { callerOf } from '../auth/tokens.ts'
import {
  CLAIM_TEXTS,
  CLAIM_TIPOS,
  type ClaimCode,
  EVENT_TEXTS,
  isAction,
  judgeAct,
  judgeCedible,
} from '../claims/rules.ts'
import { writeClaimsWsdl } from '../claims/wsdl.ts'
import { dayFirstStamp } from '../clock.ts'
import { type Answer, type Door, type DoorRequest, html, xml } from '../door.ts'
import { claimEvents, findDocument, recordEvent } from '../register/documents.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { elements } from '../soap/respuesta.ts'
import { fault, readCall } from '../soap/service.ts'
import type { SiiDocument } from '../state/types.ts'
import { belongsTo } from '../taxpayers.ts'

/** The register of acceptance and claims: SOAP, with the token of the DTE channel in a cookie. */
const NAMESPACE = 'http://ws.registroreclamodte.diii.sdi.sii.cl'
/** It knows documents from this day on (code 10). */
const SINCE = Date.parse('2017-01-14T03:00:00Z')

export const CLAIM_DOORS: readonly Door[] = (['GET', 'POST'] as const).flatMap((method) =>
  (['ws1.sii.cl', 'ws2.sii.cl'] as const).map(
    (host): Door => ({
      name: 'claims',
      hosts: [host],
      method,
      path: `/WSREGISTRORECLAMODTE${host === 'ws2.sii.cl' ? 'CERT' : ''}/registroreclamodteservice`,
      handle: method === 'GET' ? describe : answer,
    }),
  ),
)

function describe(_: Simulator, request: DoorRequest): Answer {
  if (!/^wsdl$/i.test(request.raw_query)) return html('<HTML><BODY><H1>Web Services</H1></BODY></HTML>')
  return xml(writeClaimsWsdl(NAMESPACE, request.origin(request.host) + request.path))
}

interface Question {
  readonly ctx: Simulator
  readonly request: DoorRequest
  readonly caller: string
  readonly asked: Readonly<Record<string, string>>
}

const OPERATIONS: ReadonlyMap<string, (question: Question) => string> = new Map([
  ['ingresarAceptacionReclamoDoc', enter],
  ['listarEventosHistDoc', list],
  ['consultarDocDteCedible', cedible],
  ['consultarFechaRecepcionSii', receivedOn],
])

function answer(ctx: Simulator, request: DoorRequest): Answer {
  const call = readCall(request.body)
  const operation = call === null ? undefined : OPERATIONS.get(call.operation)
  if (call === null || operation === undefined) return fault('soap:Client', 'Cannot find dispatch method')
  const caller = callerOf(ctx, request.cookies.TOKEN ?? '', 'dte', request.ambiente)
  // How it refuses a token is (unverified).
  if (!caller.ok) return fault('soap:Server', caller.glosa)
  const value = operation({ ctx, request, caller: caller.rut, asked: call.named })
  return xml(
    `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>` +
      `<ns2:${call.operation}Response xmlns:ns2="${NAMESPACE}"><return>${value}</return></ns2:${call.operation}Response>` +
      '</soap:Body></soap:Envelope>',
  )
}

function said(code: ClaimCode): string {
  return elements(['codResp', code], ['descResp', CLAIM_TEXTS[code]])
}

/** The document in question, or the code that says what is wrong with the question. */
function find(
  { ctx, request, asked }: Question,
  tipos: readonly number[],
  otherTipo: ClaimCode,
): SiiDocument | ClaimCode {
  const emisor = joinRut(asked.rutEmisor, asked.dvEmisor)
  const tipo = Number(asked.tipoDoc)
  const folio = Number(asked.folio)
  if (emisor === null) return 1
  if (!tipos.includes(tipo)) return otherTipo
  if (!Number.isSafeInteger(folio) || folio < 1) return 2
  const document = findDocument(ctx, request.ambiente, emisor, tipo, folio)
  if (document === null) return 18
  return document.received_at < SINCE ? 10 : document
}

function enter(question: Question): string {
  const { ctx, caller, asked } = question
  const document = find(question, CLAIM_TIPOS, 3)
  if (typeof document === 'number') return said(document)
  return said(claim(ctx, document, asked.accionDoc ?? '', caller))
}

/** Registers an act, by whichever door it came; the code says how that ended. */
export function claim(ctx: Simulator, document: SiiDocument, action: string, person: string): ClaimCode {
  if (!isAction(action)) return 4
  if (!belongsTo(ctx, person, document.receptor)) return 17
  const now = ctx.clock.now()
  const code = judgeAct(action, claimEvents(ctx, document), document.received_at, now)
  if (code === 0) recordEvent(ctx, document, { code: action, rut: person, at: now })
  return code
}

function list(question: Question): string {
  const { ctx } = question
  const document = find(question, CLAIM_TIPOS, 3)
  if (typeof document === 'number') return said(document)
  if (!isParty(question, document)) return said(14)
  const events = claimEvents(ctx, document)
  if (events.length === 0) return said(16)
  const rows = events.map(({ code, rut, at }) => {
    const [number = '', digit = ''] = rut.split('-')
    const event = elements(
      ['codEvento', code],
      ['descEvento', EVENT_TEXTS[code]],
      ['rutResponsable', number],
      ['dvResponsable', digit],
      ['fechaEvento', dayFirstStamp(at)],
    )
    return `<listaEventosDoc>${event}</listaEventosDoc>`
  })
  return said(15) + rows.join('')
}

function cedible(question: Question): string {
  const document = find(question, CLAIM_TIPOS, 20)
  if (typeof document === 'number') return said(document)
  const { ctx } = question
  return said(judgeCedible(claimEvents(ctx, document), document.received_at, ctx.clock.now()))
}

function receivedOn(question: Question): string {
  const document = find(question, CLAIM_TIPOS, 3)
  // What it says instead of a date is (unverified).
  return typeof document === 'number' ? CLAIM_TEXTS[document] : dayFirstStamp(document.received_at)
}

function isParty({ ctx, caller }: Question, { emisor, receptor }: SiiDocument): boolean {
  return belongsTo(ctx, caller, emisor) || belongsTo(ctx, caller, receptor)
}
