import type { SiiService } from '../hosts.ts'

/** The cookies of one portal session, as they are kept. They are secrets: whoever holds them is the taxpayer. */
export interface Cookies {
  /** Those that every host of the SII gets: of the login, and those given for `.sii.cl`. */
  readonly shared: Readonly<Record<string, string>>
  /** Those that only the host that gave them gets back, such as the ones of its load balancer. */
  readonly own: Readonly<Partial<Record<SiiService, Readonly<Record<string, string>>>>>
}

export const NO_COOKIES: Cookies = { shared: {}, own: {} }

/** More than these no answer of the SII gives; a broken one shall not grow what we keep. */
const MAX_COOKIES = 60
const MAX_COOKIE_LENGTH = 4096

const LOGIN: ReadonlySet<SiiService> = new Set(['login_certificate', 'login_clave'])

/** The jar after an answer. Behind a simulator all hosts are one: the service says whose cookie it is, not the address. */
export function receiveCookies(jar: Cookies, service: SiiService, set_cookie: readonly string[], now: Date): Cookies {
  if (set_cookie.length === 0) return jar
  const shared = new Map(Object.entries(jar.shared))
  const own = new Map(Object.entries(jar.own[service] ?? {}))
  for (const line of set_cookie.slice(0, MAX_COOKIES)) {
    const cookie = readCookie(line, now)
    if (cookie === null) continue
    const target = LOGIN.has(service) || cookie.for_all ? shared : own
    if (cookie.gone) target.delete(cookie.name)
    else if (target.size < MAX_COOKIES || target.has(cookie.name)) target.set(cookie.name, cookie.value)
  }
  return { shared: Object.fromEntries(shared), own: { ...jar.own, [service]: Object.fromEntries(own) } }
}

/** The `Cookie` header for a host, or null. */
export function cookieHeader(jar: Cookies, service: SiiService): string | null {
  const sent = { ...jar.shared, ...jar.own[service] }
  const header = Object.entries(sent)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return header === '' ? null : header
}

/** The login succeeded if, and only if, these came (PROTOCOLS 9): its page says nothing that could be trusted. */
export function isAuthenticated(jar: Cookies): boolean {
  return Object.entries(jar.shared).some(([name, value]) => name.startsWith('NETSCAPE_LIVEWIRE') && value !== '')
}

/** Everything in a jar that must be absent from traces: short values are flags and would blank innocent text. */
export function cookieSecrets(jar: Cookies): string[] {
  return [jar.shared, ...Object.values(jar.own)].flatMap((group) =>
    Object.values(group ?? {}).filter((value) => value.length >= 8),
  )
}

function readCookie(line: string, now: Date): { name: string; value: string; for_all: boolean; gone: boolean } | null {
  if (line.length > MAX_COOKIE_LENGTH) return null
  const [pair = '', ...attributes] = line.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals).trim()
  const value = pair.slice(equals + 1).trim()
  // Nothing that could end the header we put it in.
  if (equals < 1 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\x21-\x3a\x3c-\x7e ]*$/.test(value)) return null
  let for_all = false
  let gone = false
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=')
    const text = rest.join('=').trim()
    const field = key.trim().toLowerCase()
    if (field === 'domain') for_all = /^\.?sii\.cl$/i.test(text)
    if (field === 'max-age') gone = Number(text) <= 0
    if (field === 'expires' && Date.parse(text) <= now.getTime()) gone = true
  }
  return { name, value, for_all, gone }
}
