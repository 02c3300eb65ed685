import { randomUUID } from 'node:crypto'
import type { Tokens } from '../auth.ts'
import { AnswerFault, drift, refusedToken, unavailable } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import type { Identity } from '../identity.ts'
import { leadsToLogin } from '../portal/judge.ts'
import { PORTAL_AGENT, type PortalUser } from '../portal/log-in.ts'
import type { Pace } from '../portal/pace.ts'
import type { Sessions } from '../portal/sessions.ts'
import { parseJson } from '../storable.ts'
import type { Read, SiiAnswer, Wire } from '../wire.ts'
import { isRecord, type Json } from './json.ts'

/** Who asks: a person with a portal session, or with the token of the DTE channel, which the RCV takes as well. */
export type FacadeUser = { readonly kind: 'token'; readonly identity: Identity } | PortalUser

export interface FacadeCaller {
  readonly user: FacadeUser
  readonly ambiente: Ambiente
}

export interface FacadeCall {
  /** The web application, such as `consdcvinternetui`. */
  readonly app: string
  /** What follows `services/data/`. */
  readonly service: string
  /** Without the method, which is added. */
  readonly namespace: string
  readonly method: string
  readonly data: Json
  readonly page?: { readonly pageSize: number; readonly pageIndex: number }
  readonly max_bytes?: number
}

/** The answer of a web application, its envelope read. */
export interface FacadeBody {
  readonly data: unknown
  readonly body: Readonly<Record<string, unknown>>
}

export type Facade = <T>(caller: FacadeCaller, call: FacadeCall, read: (body: FacadeBody) => Read<T>) => Promise<T>

/** The web applications of www4 speak JSON in one envelope (PROTOCOLS 13, 14). */
export function openFacade(wire: Wire, tokens: Tokens, sessions: Sessions, pace: Pace): Facade {
  return async (caller, call, read) => {
    const { user, ambiente } = caller
    const { path, origin, base, operation } = placeOf(wire, caller, call)
    const readBody = (answer: SiiAnswer) => read(readFacade(answer))
    const headers = { accept: 'application/json, text/plain, */*', origin, referer: `${base}/${call.app}/` }
    const limits = call.max_bytes === undefined ? {} : { max_bytes: call.max_bytes }
    if (user.kind === 'token') {
      const [rut, dv] = user.identity.rut.split('-')
      return tokens.withToken({ identity: user.identity, ambiente }, 'dte', async (token) => {
        await pace('portal')
        return wire.call(
          {
            service: 'portal',
            ambiente,
            operation,
            method: 'POST',
            path,
            headers: {
              ...headers,
              'user-agent': PORTAL_AGENT,
              'content-type': 'application/json',
              cookie: `TOKEN=${token}; RUT_NS=${rut}; DV_NS=${dv}`,
            },
            body: envelope(call, token),
            secrets: [token],
            limits,
          },
          readBody,
        )
      })
    }
    return sessions.use({ user, ambiente, target: `${base}/${call.app}/`, alone: false }, (session) => {
      const conversation = session.cookie('TOKEN') ?? ''
      return session.ask(
        { service: 'portal', operation, path, json: envelope(call, conversation), headers, ...limits },
        readBody,
      )
    })
  }
}

function placeOf(wire: Wire, { ambiente }: FacadeCaller, { app, service, method }: FacadeCall) {
  const base = wire.hosts[ambiente].portal
  return { base, origin: new URL(base).origin, path: `/${app}/services/data/${service}/${method}`, operation: method }
}

function envelope({ namespace, method, data, page = undefined }: FacadeCall, conversation: string): string {
  return JSON.stringify({
    metaData: {
      namespace: `${namespace}/${method}`,
      conversationId: conversation,
      transactionId: randomUUID(),
      page: page ?? null,
    },
    data,
  })
}

/**
 * Anything but JSON may be a lost session, and a new one is worth one try; but only the way to the login says that it
 * was. A page that comes again is the SII's trouble and no refusal.
 */
function readFacade(answer: SiiAnswer): FacadeBody {
  const { status, kind, text } = answer
  if (status === 429 || status === 403) throw unavailable(String(status), null, 'minutes')
  if (kind !== 'json') {
    if (leadsToLogin(answer)) throw refusedToken('session_lost', null)
    if (status >= 500) throw unavailable(String(status), null)
    const estado = `HTTP ${status}`
    throw new AnswerFault({ kind: 'unreachable', retry: 'later', estado, sent: true, token_refused: true })
  }
  const body = parse(text)
  if (!isRecord(body)) throw drift('JSON object')
  return { data: body.data, body }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw drift('JSON')
  }
}
