import { AnswerFault, drift, SiiFailure } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import type { Identity } from '../identity.ts'
import type { SiiAnswer, SiiCall, Wire } from '../wire.ts'
import { loneAlert } from './alerts.ts'
import { type Cookies, cookieHeader, isAuthenticated, NO_COOKIES, receiveCookies } from './cookies.ts'
import { encodeForm, formType } from './form-body.ts'
import { readPage } from './page.ts'

/** The person whose session it is: by certificate, or by the clave that a taxpayer has at the SII. */
export type PortalUser =
  | { readonly kind: 'certificate'; readonly identity: Identity }
  | { readonly kind: 'clave'; readonly rut: string; readonly clave: string }

/** What tells whose session it is. Whoever ends one needs no more, least of all a key that may be gone by then. */
export type SessionOwner =
  | { readonly kind: 'certificate'; readonly identity: Pick<Identity, 'fingerprint'> }
  | { readonly kind: 'clave'; readonly rut: string }

export const PORTAL_AGENT = 'Mozilla/5.0 (compatible; PROG 1.0; Timbre)'

const LOGIN_PATH = '/cgi_AUT2000/CAutInicio.cgi'
const CERTIFICATE_PAGE = '/AUT2000/InicioAutenticacion/IngresoCertificado.html'
const LOGOUT_PATH = '/cgi_AUT2000/autTermino.cgi'

/** The code of the refusal by the cap on live sessions (PROTOCOLS 9). */
export const SESSION_CAP = '01.01.215.500.709'
/** How the login writes its refusals: groups of digits with dots. */
const ERROR_CODE = /\b\d{2}\.\d{2}\.\d{3}\.\d{3}\.\d{3}(?:\.\d{1,3})?\b/

export function userRut(user: PortalUser): string {
  return user.kind === 'certificate' ? user.identity.rut : user.rut
}

/** One session for each certificate, and one for each clave, in both environments: the login is the same. */
export function sessionKey(user: SessionOwner): string {
  return user.kind === 'certificate' ? `certificate/${user.identity.fingerprint}` : `clave/${user.rut}`
}

/** What of a user must be absent from traces, also as it stands in a form. */
export function userSecrets(user: PortalUser): string[] {
  return user.kind === 'certificate' ? [] : secretForms(user.clave)
}

export function secretForms(secret: string): string[] {
  return [secret, encodeForm([['s', secret]], 'windows-1252').slice(2)]
}

/** Logs in and brings the cookies. `target` is the page of the SII that the session is asked for. */
export async function logIn(wire: Wire, ambiente: Ambiente, user: PortalUser, target: string): Promise<Cookies> {
  if (user.kind === 'clave') return logInWithClave(wire, ambiente, user, target)
  const jar = await balancerCookies(wire, ambiente, target)
  const call = {
    ...loginCall(ambiente, jar, [['referencia', target]]),
    service: 'login_certificate',
    operation: 'login_certificate',
    path: `${LOGIN_PATH}?${target}`,
    client_certificate: user.identity,
  } as const
  try {
    return await wire.call(call, readLogin(wire, call, jar))
  } catch (failure) {
    // The handshake fails now and then for a certificate that is good (PROTOCOLS 1): once more, and never a verdict on it.
    if (!isHandshakeFailure(failure)) throw failure
    return wire.call(call, readLogin(wire, call, jar))
  }
}

function logInWithClave(
  wire: Wire,
  ambiente: Ambiente,
  user: PortalUser & { kind: 'clave' },
  target: string,
): Promise<Cookies> {
  const [rut = '', dv = ''] = user.rut.split('-')
  const fields = [
    ['rut', rut],
    ['dv', dv],
    ['referencia', target],
    ['411', ''],
    ['rutcntr', user.rut],
    ['clave', user.clave],
  ] as const
  const call = {
    ...loginCall(ambiente, NO_COOKIES, fields),
    service: 'login_clave',
    operation: 'login_clave',
    path: LOGIN_PATH,
    secrets: userSecrets(user),
  } as const
  return wire.call(call, readLogin(wire, call, NO_COOKIES))
}

/** Ends a session, so that it no longer counts against the cap. */
export async function logOut(wire: Wire, ambiente: Ambiente, user: SessionOwner, jar: Cookies): Promise<void> {
  const service = user.kind === 'certificate' ? 'login_certificate' : 'login_clave'
  const cookie = cookieHeader(jar, service)
  await wire.call(
    {
      service,
      ambiente,
      operation: 'logout',
      method: 'GET',
      path: LOGOUT_PATH,
      headers: { 'user-agent': PORTAL_AGENT, ...(cookie === null ? {} : { cookie }) },
      secrets: Object.values(jar.shared).filter((value) => value.length >= 8),
    },
    () => ({ value: undefined }),
  )
}

/** The page with the certificate's button: only for the cookies of the load balancer, so its failure is none of ours. */
async function balancerCookies(wire: Wire, ambiente: Ambiente, target: string): Promise<Cookies> {
  const call = {
    service: 'login_clave',
    ambiente,
    operation: 'login_page',
    method: 'GET',
    path: `${CERTIFICATE_PAGE}?${target}`,
    headers: { 'user-agent': PORTAL_AGENT },
  } as const
  try {
    return await wire.call(call, (answer) => ({ value: jarAfter(NO_COOKIES, call, answer, wire) }))
  } catch {
    return NO_COOKIES
  }
}

function loginCall(ambiente: Ambiente, jar: Cookies, fields: readonly (readonly [string, string])[]) {
  const cookie = cookieHeader(jar, 'login_clave')
  return {
    ambiente,
    method: 'POST',
    headers: {
      'user-agent': PORTAL_AGENT,
      'content-type': formType('windows-1252'),
      ...(cookie === null ? {} : { cookie }),
    },
    body: encodeForm(fields, 'windows-1252'),
  } as const
}

function readLogin(wire: Wire, call: Pick<SiiCall, 'service'>, jar: Cookies) {
  return (answer: SiiAnswer) => {
    const cookies = jarAfter(jar, call, answer, wire)
    if (isAuthenticated(cookies)) return { value: cookies }
    throw refusalOf(answer)
  }
}

function refusalOf(answer: SiiAnswer): AnswerFault {
  const page = readPage(answer.text)
  const alert = loneAlert(page.alerts)
  const glosa = (alert ?? page.text).slice(0, 300) || null
  if (page.folded.includes('maximo de sesiones') || answer.text.includes(SESSION_CAP)) {
    return new AnswerFault({ kind: 'session_cap', retry: 'minutes', estado: SESSION_CAP, glosa, sent: false })
  }
  const code = ERROR_CODE.exec(answer.text)?.[0] ?? null
  if (code === null && alert === null) {
    if (answer.status >= 500) {
      return new AnswerFault({ kind: 'unreachable', retry: 'later', estado: String(answer.status), sent: false })
    }
    return drift('NETSCAPE_LIVEWIRE cookies')
  }
  return new AnswerFault({ kind: 'refused', retry: 'never', estado: code, glosa, sent: false })
}

function jarAfter(jar: Cookies, { service }: Pick<SiiCall, 'service'>, answer: SiiAnswer, wire: Wire): Cookies {
  return receiveCookies(jar, service, setCookies(answer), wire.now())
}

export function setCookies({ headers }: SiiAnswer): readonly string[] {
  const value = headers['set-cookie']
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

function isHandshakeFailure(failure: unknown): boolean {
  return (
    failure instanceof SiiFailure && failure.kind === 'unreachable' && /^(EPROTO$|ERR_SSL_)/.test(failure.estado ?? '')
  )
}
