import { callerOf } from '../auth/tokens.ts'
import { type Answer, type DoorRequest, html, json, text } from '../door.ts'
import { loginBounce } from '../portal/page.ts'
import { sessionOf } from '../portal/session.ts'
import type { Simulator } from '../simulator.ts'

/** A call of the newer web applications (www4): JSON in an envelope of `metaData` and `data`. */
export interface FacadeCall {
  readonly person: string
  readonly namespace: string
  readonly conversation: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The application's browser sends this; with `application/json` alone the real one answers 500. */
function hasBrowserAccept(request: DoorRequest): boolean {
  return (request.headers.accept ?? '*/*').includes('*/*')
}

/** Who may call: a session of the portal or, where the application takes it, the token of the web services. */
export function readFacadeCall(ctx: Simulator, request: DoorRequest, takes_token: boolean): FacadeCall | Answer {
  const person = personOf(ctx, request, takes_token)
  if (person === null) return html(loginBounce(`https://${request.host}${request.path}`))
  if (!hasBrowserAccept(request)) return text('Error 500: could not find MessageBodyWriter', 500)
  const body = readBody(request)
  if (body === null) return text('Error 500: unexpected end of JSON', 500)
  const meta = objectIn(body.metaData)
  return {
    person,
    namespace: textIn(meta, 'namespace'),
    conversation: textIn(meta, 'conversationId'),
    data: objectIn(body.data),
  }
}

export function isCall(read: FacadeCall | Answer): read is FacadeCall {
  return 'person' in read
}

function personOf(ctx: Simulator, request: DoorRequest, takes_token: boolean): string | null {
  const session = sessionOf(ctx, request)
  if (session !== null) return session.rut
  if (!takes_token) return null
  const caller = callerOf(ctx, request.cookies.TOKEN ?? '', 'dte', request.ambiente)
  return caller.ok ? caller.rut : null
}

function readBody(request: DoorRequest): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(Buffer.from(request.body).toString('utf8'))
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

export function textIn(data: Readonly<Record<string, unknown>>, name: string): string {
  const value = data[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** The RCV's envelope around an answer. */
export function rcvAnswer(
  call: FacadeCall,
  code: 0 | 2 | 3 | 98,
  fields: Readonly<Record<string, unknown>>,
  message: string | null = null,
): Answer {
  const { namespace, conversation } = call
  return json({
    ...fields,
    metaData: { namespace, conversationId: conversation, transactionId: '0', page: null, errors: null },
    respEstado: { codRespuesta: code, msgeRespuesta: message, codError: null },
  })
}
