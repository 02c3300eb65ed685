import { drift } from '../failure.ts'
import type { Ambiente, SiiService } from '../hosts.ts'
import type { Read, SiiAnswer, Wire } from '../wire.ts'
import { type Cookies, cookieHeader, cookieSecrets, receiveCookies } from './cookies.ts'
import { encodeForm, type FormCharset, formType } from './form-body.ts'
import { judge, leadsToLogin, locationOf, type PageAnswer } from './judge.ts'
import { PORTAL_AGENT, type PortalUser, setCookies, userRut, userSecrets } from './log-in.ts'
import type { Pace } from './pace.ts'

export interface PortalRequest {
  readonly service: SiiService
  /** The program of the portal, such as `of_genera_folio`. */
  readonly operation: string
  readonly path: string
  /** The page that this one follows, as a path of the same host. */
  readonly referer?: string
  readonly form?: Iterable<readonly [string, string]>
  readonly charset?: FormCharset
  /** In place of a form. */
  readonly json?: string
  /** In place of a form: one with files. */
  readonly multipart?: { readonly content_type: string; readonly body: Uint8Array }
  readonly headers?: Readonly<Record<string, string>>
  /** Beside those of the session itself. */
  readonly secrets?: readonly string[]
  readonly max_bytes?: number
}

/** One live session, in the hands of one flow. */
export interface PortalSession {
  readonly ambiente: Ambiente
  /** Of the person who logged in. */
  readonly rut: string
  cookie(name: string): string | null
  /** Asks for a page; `read` takes it or throws an AnswerFault, and is asked before anything else is concluded. */
  ask<T>(request: PortalRequest, read: (answer: PageAnswer) => Read<T>): Promise<T>
}

const MAX_REDIRECTS = 3

/** The session over a wire. Its jar grows with the answers; `jar()` is what has to be kept. */
export function sessionOver(
  wire: Wire,
  pace: Pace,
  ambiente: Ambiente,
  user: PortalUser,
  cookies: Cookies,
): PortalSession & { jar(): Cookies } {
  let jar = cookies
  const once = async <T>(request: PortalRequest, read: (answer: SiiAnswer) => Read<T>): Promise<T> => {
    await pace(request.service)
    return wire.call(callOf(wire, ambiente, user, jar, request), (answer) => {
      jar = receiveCookies(jar, request.service, setCookies(answer), wire.now())
      return read(answer)
    })
  }
  return {
    ambiente,
    rut: userRut(user),
    cookie: (name) => jar.shared[name] ?? null,
    jar: () => jar,
    ask: async <T>(request: PortalRequest, read: (answer: PageAnswer) => Read<T>) => {
      let current = request
      for (let redirects = 0; ; redirects++) {
        const base = wire.hosts[ambiente][current.service]
        const { path } = current
        const step = await once(current, (answer): Read<Step<T>> => {
          const location = redirects < MAX_REDIRECTS && !leadsToLogin(answer) ? locationOf(answer) : null
          if (location !== null) return { value: { next: pathWithin(base, path, location) } }
          const { value, estado = null } = judge(answer, read)
          return { value: { next: null, value }, estado }
        })
        if (step.next === null) return step.value
        const { form: _form, charset: _charset, json: _json, multipart: _multipart, ...rest } = current
        current = { ...rest, path: step.next, referer: path }
      }
    },
  }
}

type Step<T> = { readonly next: string } | { readonly next: null; readonly value: T }

function callOf(wire: Wire, ambiente: Ambiente, user: PortalUser, jar: Cookies, request: PortalRequest) {
  const { service, operation, path, charset = 'windows-1252' } = request
  const base = wire.hosts[ambiente][service]
  const cookie = cookieHeader(jar, service)
  const form = request.form === undefined ? undefined : encodeForm(request.form, charset)
  const body = request.multipart?.body ?? request.json ?? form
  const type = request.multipart?.content_type ?? (request.json === undefined ? formType(charset) : 'application/json')
  return {
    service,
    ambiente,
    operation,
    path,
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    headers: {
      'user-agent': PORTAL_AGENT,
      ...(cookie === null ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(request.referer === undefined ? {} : { referer: `${base}${request.referer}` }),
      ...request.headers,
    },
    secrets: [...userSecrets(user), ...cookieSecrets(jar), ...(request.secrets ?? [])],
    ...(body === undefined ? {} : { body }),
    ...(request.max_bytes === undefined ? {} : { limits: { max_bytes: request.max_bytes } }),
  }
}

/** A redirect is followed on the same host only: cookies go nowhere else. */
function pathWithin(base: string, from: string, location: string): string {
  const url = URL.parse(location, `${base}${from}`)?.href ?? ''
  if (!url.startsWith(`${base}/`)) throw drift('redirect within the host')
  return url.slice(base.length)
}
