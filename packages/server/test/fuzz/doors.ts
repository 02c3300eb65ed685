// Requests to what is no operation: pages with forms, OAuth, agents, and bytes that are no HTTP.

import type { PlainRoute } from '../../src/http/routes.ts'
import { MCP_HEADERS } from '../support/agent-grant.ts'
import type { Draw } from './chance.ts'
import type { Message } from './client.ts'
import { hostileJson, hostileString, hostileValue, type Sizes } from './hostile-text.ts'
import { mutate } from './mutate.ts'
import { type Shape, sample } from './sample.ts'
import type { Tenant } from './target.ts'

const FORM = 'application/x-www-form-urlencoded'
const encoded = (text: string) => encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed())

function form(names: readonly string[], draw: Draw, sizes: Sizes): string {
  const small = { ...sizes, bytes: Math.min(sizes.bytes, 12_000) }
  const pairs = Array.from({ length: 1 + draw.below(5) }, () => [draw.one(names), hostileString(draw, small)] as const)
  return pairs
    .map((pair) => pair.map(encoded).join('='))
    .join('&')
    .slice(0, 15_000)
}

const FIELDS = ['token', 'password', 'repeated', 'email', 'bank', 'action', '__proto__', 'x', 'token']

export function pageCase({ path, method = 'GET' }: PlainRoute, draw: Draw, sizes: Sizes): Message {
  const small = { bytes: 400, depth: 1 }
  const filled = path.replace(/\{\w+\}/g, () => encoded(hostileString(draw, small).slice(0, 400)) || 'x')
  const query = draw.often(0.6) ? `?${form(FIELDS, draw, small).slice(0, 4_000)}` : ''
  const accept = { accept: draw.one(['text/html', 'text/markdown', '*/*', 'x/y;q=2']) }
  if (method !== 'POST') return { method, path: filled + query, headers: accept }
  const type = draw.one([FORM, FORM, FORM, 'application/json', 'text/plain'])
  const headers = { ...accept, 'content-type': type, 'sec-fetch-site': draw.one(['same-origin', 'cross-site']) }
  return { method, path: filled + query, headers, body: Buffer.from(form(FIELDS, draw, sizes)) }
}

const OAUTH_FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'refresh_token',
  'resource',
  'prompt',
  'request',
  'request_uri',
  'token',
  'client_secret',
]
const CLIENT = {
  client_name: 'Asistente',
  redirect_uris: ['https://agente.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

export function oauthCase(draw: Draw, sizes: Sizes): Message {
  const small = { ...sizes, bytes: Math.min(sizes.bytes, 4_000) }
  const fields = form(OAUTH_FIELDS, draw, small)
  const post = (path: string, type: string, body: string | Buffer): Message => {
    return { method: 'POST', path, headers: { 'content-type': type }, body: Buffer.from(body) }
  }
  return draw.one<() => Message>([
    () => ({ method: 'GET', path: `/oauth/authorize?${fields.slice(0, 6_000)}`, headers: {} }),
    () => post('/oauth/token', FORM, `grant_type=authorization_code&code=x&client_id=y&code_verifier=z&${fields}`),
    () => post('/oauth/token', FORM, fields),
    () => post('/oauth/token', 'application/json', '{"grant_type":"refresh_token"}'),
    () => post('/oauth/revoke', FORM, fields),
    () =>
      post(
        '/oauth/register',
        'application/json',
        JSON.stringify(draw.often(0.2) ? CLIENT : mutate(CLIENT, draw, small)),
      ),
    () => post('/oauth/register', 'application/json', hostileJson(draw, CLIENT, small)),
    () => ({
      method: 'GET',
      path: `/oauth/consent/${encoded(hostileString(draw, small).slice(0, 200)) || 'x'}`,
      headers: {},
    }),
    () => post(`/oauth/consent/${draw.below(10)}`, FORM, fields),
    () => ({ method: draw.one(['GET', 'OPTIONS']), path: '/.well-known/oauth-authorization-server', headers: {} }),
  ])()
}

/** A tool as it is listed to an agent. */
export interface Tool {
  readonly name: string
  readonly inputSchema: Shape
}

export function agentCase({ token }: Tenant, tools: readonly Tool[], draw: Draw, sizes: Sizes): Message {
  const headers = { ...MCP_HEADERS, 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const tool = draw.one(tools)
  const file = () => Buffer.from('x')
  const args = () => sample(tool.inputSchema, draw, { share: draw.one([0, 0.3]), file })
  const call = (params: unknown, method = 'tools/call') => ({ jsonrpc: '2.0', id: 1, method, params })
  const body = draw.one<() => unknown>([
    () => call({ name: tool.name, arguments: args() }),
    () => call({ name: tool.name, arguments: mutate(args(), draw, sizes) }),
    () => call({ name: tool.name, arguments: mutate(args(), draw, sizes) }),
    () => call({ name: hostileString(draw, sizes), arguments: {} }),
    () => call(hostileValue(draw, sizes), draw.one(['resources/read', 'tools/list', 'initialize', 'prompts/get', 'x'])),
    () => mutate(call({ name: tool.name, arguments: {} }), draw, sizes),
    () => [call({}), call({})],
  ])
  const raw = draw.often(0.2) ? hostileJson(draw, call({ name: tool.name, arguments: {} }), sizes) : null
  return { method: 'POST', path: '/mcp', headers, body: raw ?? Buffer.from(JSON.stringify(body()) ?? 'null') }
}

const lines = (...all: string[]) => Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1')

/** What no HTTP client sends. */
export const NOT_HTTP: readonly Buffer[] = [
  Buffer.from('\x16\x03\x01\x02\x00\x01\x00', 'latin1'),
  lines('GET / HTTP/9.9', 'Host: x'),
  lines('GET /v1/empresas HTTP/1.1'),
  lines('POST /v1/documents HTTP/1.1', 'Host: x', 'Content-Length: -1'),
  lines('POST /v1/documents HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Content-Length: 6'),
  lines('POST /v1/documents HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '', 'zz', 'x'),
  lines('POST /v1/documents HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked', '', '0'),
  lines('GET /v1/empresas HTTP/1.1', 'Host: x', 'Authorization: a', 'Authorization: b'),
  lines('GET /v1/empresas HTTP/1.1', 'Host: x', `X: ${'y'.repeat(40_000)}`),
  lines('GET /v1/empresas HTTP/1.1', 'Host: x', 'Sv\x00c: y'),
  lines('GET /%c0%ae%c0%ae/ HTTP/1.1', 'Host: x'),
  lines('GET //v1//empresas HTTP/1.1', 'Host: x'),
  lines('GET http://otro.example/v1/empresas HTTP/1.1', 'Host: x'),
  lines('BREW /v1/empresas HTTP/1.1', 'Host: x'),
  lines('OPTIONS * HTTP/1.1', 'Host: x'),
  lines('CONNECT a:1 HTTP/1.1', 'Host: x'),
]
