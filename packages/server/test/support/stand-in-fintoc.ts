// A stand-in for Fintoc on loopback.

import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const FINTOC_KEY = 'sk_test_of_the_organisation'
export const FINTOC_WEBHOOK_SECRET = 'whsec_of_the_endpoint'

export interface ProvidedMovement {
  readonly id: string
  readonly amount: unknown
  readonly post_date: string
  readonly currency?: string
  readonly [field: string]: unknown
}

/** What the provider does to the next request, instead of answering it. */
export type Trouble =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'hang'
  | 'cut'
  | 'flood'

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * Plays the provider of bank data over HTTP, from its public documentation: raw key, offset pages in a Link header,
 * `until` exclusive, failures replayed to a repeated Idempotency-Key. It shares nothing with the adapter.
 */
export interface StandIn {
  readonly url: string
  readonly asked: Asked[]
  /** Requests that go wrong, in order, before things go well again. */
  readonly troubles: Trouble[]
  /** The same for the requests that it picks. */
  trouble_at: (asked: Asked) => Trouble | undefined
  readonly links: Map<string, Record<string, unknown>>
  readonly accounts: Record<string, unknown>[]
  readonly movements: Map<string, ProvidedMovement[]>
  /** What a refresh answers: a status, or a refusal. */
  refresh: { status?: string; refusal?: { http: number; type: string; code: string } }
  close(): Promise<void>
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const refuse = (response: ServerResponse, status: number, type: string, code: string) =>
  json(response, status, { error: { type, message: 'See the documentation.', code, param: null, doc_url: 'x' } })

function pageOf(standIn: StandIn, { path, query }: Asked, response: ServerResponse): void {
  const account = path.split('/')[3] ?? ''
  const { since = '0', until = '9', per_page = '30', page = '1', confirmed_only = 'true' } = query
  const size = Math.min(Number(per_page), 300)
  const all = (standIn.movements.get(account) ?? [])
    .filter(({ post_date }) => post_date.slice(0, 10) >= since && post_date.slice(0, 10) < until)
    .filter(({ status = 'confirmed' }) => confirmed_only !== 'true' || status === 'confirmed')
  const at = Number(page)
  const last = Math.max(1, Math.ceil(all.length / size))
  const link = (to: number, rel: string) => {
    const target = new URL(path, standIn.url)
    for (const [name, value] of Object.entries({ ...query, page: String(to) })) target.searchParams.set(name, value)
    return `<${target}>; rel="${rel}"`
  }
  const links = [link(1, 'first'), ...(at < last ? [link(at + 1, 'next')] : []), link(last, 'last')]
  json(response, 200, all.slice((at - 1) * size, at * size), { link: links.join(', ') })
}

function answer(standIn: StandIn, asked: Asked, response: ServerResponse): void {
  const { method, path, query } = asked
  if (asked.headers.authorization !== FINTOC_KEY) return void refuse(response, 401, 'authentication_error', 'bad_key')
  if (method === 'POST' && path === '/v1/link_intents') {
    const widget_token = 'li_1_sec_abcdefgh'
    return void json(response, 201, { id: 'li_1', object: 'link_intent', ...JSON.parse(asked.body), widget_token })
  }
  if (method === 'GET' && path === '/v1/links/exchange') {
    const link_token = `${query.exchange_token?.replace('exchange_', 'link_')}_token_secret`
    const link = standIn.links.get(link_token)
    if (!link) return void refuse(response, 400, 'invalid_request_error', 'invalid_exchange_token')
    return void json(response, 200, { ...link, link_token, accounts: standIn.accounts })
  }
  const token = query.link_token ?? decodeURIComponent(path.split('/')[3] ?? '')
  const link = standIn.links.get(token)
  if (!link) return void refuse(response, 404, 'invalid_request_error', 'missing_resource')
  if (method === 'POST' && path === '/v1/refresh_intents') {
    const { refusal, status = 'created' } = standIn.refresh
    if (refusal) return void refuse(response, refusal.http, refusal.type, refusal.code)
    return void json(response, 201, { id: 'ri_1', object: 'refresh_intent', status })
  }
  if (method === 'GET' && path === '/v1/accounts') return void json(response, 200, standIn.accounts)
  if (method === 'GET' && path.endsWith('/movements')) return void pageOf(standIn, asked, response)
  if (method === 'DELETE') {
    standIn.links.delete(token)
    return void response.writeHead(204).end()
  }
  json(response, 200, link)
}

function misbehave(trouble: Trouble, request: IncomingMessage, response: ServerResponse): void {
  if (trouble === 'hang') return
  if (trouble === 'cut') return void request.socket.destroy()
  if (trouble === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.on('error', () => undefined)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
    return
  }
  const { status, body = {}, headers } = trouble
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

export async function openStandInFintoc(): Promise<StandIn> {
  const replayed = new Map<string, Trouble>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', standIn.url)
      const body = Buffer.concat(chunks).toString('utf8')
      const asked: Asked = {
        method: request.method ?? '',
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body,
      }
      standIn.asked.push(asked)
      const key = String(request.headers['idempotency-key'] ?? randomBytes(8).toString('hex'))
      const trouble = replayed.get(key) ?? standIn.trouble_at(asked) ?? standIn.troubles.shift()
      if (!trouble) return answer(standIn, asked, response)
      replayed.set(key, trouble)
      misbehave(trouble, request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    troubles: [],
    trouble_at: () => undefined,
    links: new Map(),
    accounts: [],
    movements: new Map(),
    refresh: {},
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}

export interface ProvidedLink {
  readonly exchange_token: string
  readonly link_token: string
  readonly link_id: string
  readonly account: string
}

/** A link with one checking account, as the documentation shows them. */
export function provideLink(standIn: StandIn, name: string): ProvidedLink {
  const account = `acc_${name}`
  const link_id = `link_${name}`
  const link_token = `${link_id}_token_secret`
  standIn.links.set(link_token, {
    id: link_id,
    object: 'link',
    active: true,
    status: 'active',
    holder_id: '416148503',
    holder_type: 'business',
    institution: { id: 'cl_banco_estado', country: 'cl', name: 'Banco Estado' },
    refresh_status: 'succeeded',
  })
  standIn.accounts.push({
    id: account,
    object: 'account',
    name: 'Cuenta Corriente',
    official_name: 'Cuenta Corriente Moneda Local',
    number: '9530516286',
    type: 'checking_account',
    currency: 'CLP',
    balance: { available: 7_010_510, current: 7_010_510, limit: 7_510_510 },
    refreshed_at: '2026-11-10T12:00:00.000Z',
  })
  standIn.movements.set(account, [])
  return { exchange_token: `exchange_${name}`, link_token, link_id, account }
}

/** A movement as the provider writes it. */
export function provided(id: string, post_date: string, more: Record<string, unknown> = {}): ProvidedMovement {
  return {
    id,
    object: 'movement',
    amount: -59_400,
    currency: 'CLP',
    description: 'Traspaso a:Fulano de Tal',
    comment: null,
    post_date: `${post_date}T00:00:00.000Z`,
    transaction_date: null,
    type: 'transfer',
    pending: false,
    status: 'confirmed',
    reference_id: '123740123',
    recipient_account: {
      holder_id: '761920839',
      holder_name: 'Comercial y Producción SpA',
      number: '1530108000',
      institution: { id: 'cl_banco_de_chile', country: 'cl', name: 'Banco de Chile' },
    },
    sender_account: null,
    ...more,
  }
}

/** Signs as the provider does: HMAC-SHA256 over `<t>.<body>`. */
export function signNotice(body: string, t = Math.floor(Date.now() / 1000), secret = FINTOC_WEBHOOK_SECRET): string {
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
