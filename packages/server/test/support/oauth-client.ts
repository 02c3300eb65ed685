// An OAuth client and the person who consents, without a real browser.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Sent, World } from './world.ts'

export const RETURN_TO = 'https://agente.example/callback'
export const AUDIENCE = 'http://timbre.test/mcp'
const PASSWORD = 'una clave bien larga'

/** A browser without script: it keeps cookies by their path and follows redirects within the service. */
export class Browser {
  readonly world: World
  readonly cookies = new Map<string, { value: string; path: string }>()

  constructor(world: World) {
    this.world = world
  }

  #keep(sent: Sent): void {
    for (const line of [sent.headers['set-cookie'] ?? []].flat() as string[]) {
      const [pair = '', ...rest] = line.split(/;\s*/)
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const path = rest.find((part) => part.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
      this.cookies.set(`${name} ${path}`, { value, path })
    }
  }

  #cookie(url: string): string {
    const path = url.split('?')[0] ?? ''
    const sent = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path) && cookie.value !== '')
    return sent.map(([name, cookie]) => `${name.split(' ')[0]}=${cookie.value}`).join('; ')
  }

  async open(url: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Sent> {
    const path = url.replace('http://timbre.test', '')
    const cookie = this.#cookie(path)
    const all = {
      ...(cookie && { cookie }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }),
      ...headers,
    }
    const sent = await this.world.call(form ? 'POST' : 'GET', path, {
      // An empty one is not sent at all.
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      ...(form && { raw: new URLSearchParams(form).toString() }),
    })
    this.#keep(sent)
    return sent
  }

  /** Opens an address and goes where it leads, as long as that is us. Gives the last answer and where it was. */
  async follow(url: string, form?: Record<string, string>): Promise<Sent & { at: string }> {
    let at = url
    let sent = await this.open(url, form)
    for (let hops = 0; hops < 10 && sent.status === 303; hops++) {
      const next = sent.headers.location ?? ''
      if (!next.startsWith('/') && !next.startsWith('http://timbre.test/')) break
      at = next
      sent = await this.open(next)
    }
    return { ...sent, at }
  }
}

export interface Person {
  readonly account_id: string
  readonly email: string
  readonly password: string
}

export async function newPerson(world: World, options: { verified?: boolean } = {}): Promise<Person> {
  const email = `${randomUUID()}@example.cl`
  await world.post('/account/register', { body: { email, password: PASSWORD } })
  const verified = options.verified === false ? null : new Date('2026-01-01')
  const [row] = await world.db.sql<{ id: string }>`
    update account set email_verified_at = ${verified} where email = ${email} returning id`
  return { account_id: row?.id ?? '', email, password: PASSWORD }
}

export const register = (world: World, body: object = {}) =>
  world.post('/oauth/register', { body: { client_name: 'Asistente', redirect_uris: [RETURN_TO], ...body } })

export interface Asking {
  readonly client_id: string
  readonly verifier: string
  readonly url: string
}

export function asking(client_id: string, over: Record<string, string | null> = {}): Asking {
  const verifier = randomBytes(32).toString('base64url')
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id,
    redirect_uri: RETURN_TO,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'estado',
    scope: 'documents:read documents:write empresas:read',
    ...over,
  }
  const sent = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null)
  return { client_id, verifier, url: `/oauth/authorize?${new URLSearchParams(sent)}` }
}

/** What a person ticks, as a browser sends it. */
export const ALLOW = {
  decision: 'allow',
  mode: 'test',
  all_test: 'on',
  bundle_look: 'on',
  bundle_work: 'on',
  'scope_documents:read': 'on',
  'scope_documents:write': 'on',
  'scope_empresas:read': 'on',
  max_clp_per_document: '1.000.000',
  max_clp_per_day: '5.000.000',
  ...Object.fromEntries([33, 34, 39, 41, 46, 52, 56, 61].map((tipo) => [`tipo_${tipo}`, 'on'])),
  receptores: '',
  days: '90',
  two_steps: 'on',
}

/** From the client's first request to the page that asks what the agent may do. */
export async function toConsent(world: World, person: Person, asked: Asking) {
  const browser = new Browser(world)
  const login = await browser.follow(asked.url)
  const { email, password } = person
  const consent = await browser.follow(login.at, { decision: 'login', email, password })
  return { browser, login, consent }
}

/** The code in the address the person is sent back to. */
export function codeIn(sent: Sent): string {
  return new URL(sent.headers.location ?? '').searchParams.get('code') ?? ''
}

export const exchange = (world: World, fields: Record<string, string>) =>
  world.post('/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams(fields).toString(),
  })

export const redeem = (world: World, asked: Asking, code: string, over: Record<string, string> = {}) =>
  exchange(world, {
    grant_type: 'authorization_code',
    client_id: asked.client_id,
    code,
    redirect_uri: RETURN_TO,
    code_verifier: asked.verifier,
    ...over,
  })

export const refresh = (world: World, client_id: string, refresh_token: string, over: Record<string, string> = {}) =>
  exchange(world, { grant_type: 'refresh_token', client_id, refresh_token, ...over })

export interface Connected {
  readonly client_id: string
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly grant_id: string
  readonly code: string
  readonly asked: Asking
}

/** The whole way: registered, allowed, and with its tokens. */
export async function connect(world: World, person: Person, form: Record<string, string> = {}): Promise<Connected> {
  const { client_id } = (await register(world)).body
  const asked = asking(client_id)
  const { browser, consent } = await toConsent(world, person, asked)
  const code = codeIn(await browser.follow(consent.at, { ...ALLOW, ...form }))
  const { access_token, refresh_token, scope } = (await redeem(world, asked, code)).body
  const [grant] = await world.db.sql<{ id: string }>`
    select id from agent_grant where client_id = ${client_id} order by id desc limit 1`
  return { client_id, access_token, refresh_token, scope, grant_id: grant?.id ?? '', code, asked }
}
