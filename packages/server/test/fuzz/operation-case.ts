// A request to an operation, valid or not, drawn from its schemas.

import { HEADERS } from '../../src/catalog/headers.ts'
import { isOperators } from '../../src/domain/context.ts'
import { namesEmpresa, type Operation } from '../../src/domain/operation.ts'
import type { OperationRoute } from '../../src/http/routes.ts'
import { EIGHT } from '../support/bodies-by-tipo.ts'
import { OPERATOR_SECRET } from '../support/world.ts'
import type { Draw } from './chance.ts'
import type { Message } from './client.ts'
import { hostileCartola, hostileXml } from './hostile-files.ts'
import { hostileJson, hostileString, type Sizes } from './hostile-text.ts'
import { mutate } from './mutate.ts'
import { type Sampling, type Shape, sample } from './sample.ts'
import type { Tenant } from './target.ts'

const DOCUMENTS = EIGHT.map(([tipo_dte, body]) => ({ tipo_dte, ...body }))

/** Bodies that go further than their schema alone would: a document that adds up. */
const BODIES: Readonly<Record<string, (draw: Draw) => object>> = {
  'documents.create': (draw) => draw.one(DOCUMENTS),
  'documents.previews.create': (draw) => draw.one(DOCUMENTS),
}

function fileFor({ id }: Operation, sizes: Sizes): Sampling['file'] {
  return (draw) => (id.startsWith('tax.statements') ? hostileCartola(draw, sizes) : hostileXml(draw, sizes))
}

function sampleBody(operation: Operation, draw: Draw, sizes: Sizes): unknown {
  if (!operation.body) return {}
  const drawn = BODIES[operation.id]
  if (drawn && draw.often(0.6)) return drawn(draw)
  const file = fileFor(operation, sizes)
  return sample(operation.body as Shape, draw, { share: draw.one([0, 0.2, 0.6, 1]), file })
}

const encoded = (text: string) => encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed())

function pathOf(path: string, ids: Tenant['ids'], draw: Draw, hostile: boolean): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = ids[name]
    if (value === undefined) throw new Error(`tell support/one-of-each.ts an id for {${name}}`)
    if (!hostile) return value
    const odd = encoded(hostileString(draw, { bytes: 400, depth: 1 }).slice(0, 600))
    return draw.one([
      odd === '' ? '%20' : odd,
      '%00',
      '%ff',
      '..%2f..',
      `${value}%0a`,
      value.slice(0, -1),
      'x'.repeat(490),
    ])
  })
}

function queryOf(operation: Operation, draw: Draw, hostile: boolean, sizes: Sizes): string {
  const shape = operation.query as Shape | undefined
  const share = draw.one([0, 0.2, 0.5])
  const asked = shape ? (sample(shape, draw, { share, file: () => Buffer.alloc(0) }) as Record<string, unknown>) : {}
  // A cursor is ours to write: a drawn one is refused, and hides what else is asked for.
  const { cursor: _, ...valid } = asked
  const pairs = Object.entries(valid).map(([name, value]) => [name, String(value)] as const)
  if (!hostile) return pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.map(encoded).join('=')).join('&')}`
  const names = [...Object.keys(shape?.properties ?? {}), 'cursor', 'limit', 'x', '__proto__', 'a[]', 'expand[]']
  const small = { bytes: Math.min(sizes.bytes, 4_000), depth: 1 }
  const odd = Array.from({ length: 1 + draw.below(3) }, () => [draw.one(names), hostileString(draw, small)] as const)
  const text = [...pairs, ...odd].map((pair) => pair.map(encoded).join('=')).join('&')
  return `?${draw.one([text, `${text}&${text}`, '%', '&&&==', `${text}&=`])}`
}

function oddHeaders(draw: Draw): Record<string, string> {
  return draw.one<Record<string, string>>([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': ';;;' },
    { 'content-encoding': 'gzip' },
    { accept: 'text/html;q=0.1, */*;q=x' },
    { 'accept-language': 'x'.repeat(5_000) },
    { [HEADERS.empresa]: 'quillay' },
    { [HEADERS.empresa]: '9'.repeat(2_000) },
    { [HEADERS.mode]: 'live' },
    { [HEADERS.mode]: '__proto__' },
    { [HEADERS.idempotency_key]: 'k'.repeat(256) },
    { [HEADERS.idempotency_key]: 'ñ\x80' },
    { authorization: 'Basic Og==' },
    { authorization: `Bearer ${'a'.repeat(6_000)}` },
    { 'x-forwarded-for': '::1, 1.2.3.4', forwarded: 'for=_x' },
    { 'x-http-method-override': 'DELETE' },
    { 'if-none-match': '*', range: 'bytes=0-' },
    { expect: '100-continue' },
    { origin: 'null', cookie: `a=${'b'.repeat(3_000)}` },
  ])
}

async function credentials({ operation, api }: OperationRoute, tenant: Tenant): Promise<Record<string, string>> {
  if (isOperators(operation.reach)) return { [HEADERS.operator_secret]: OPERATOR_SECRET }
  if (operation.reach === 'public') return {}
  const empresa = operation.reach === 'empresa' && !namesEmpresa(operation) ? { [HEADERS.empresa]: tenant.rut } : {}
  if (api === 'v1') return { authorization: `Bearer ${tenant.key}`, ...empresa }
  const mode = api === 'dashboard' ? { [HEADERS.mode]: 'test' } : {}
  return { authorization: `Bearer ${await tenant.session()}`, ...mode, ...empresa }
}

export interface CaseOptions {
  readonly draw: Draw
  readonly hostile: boolean
  readonly sizes: Sizes
  readonly tenant: Tenant
}

/** A request that fits its schemas, or one with a few things wrong about it. */
export async function operationCase(route: OperationRoute, options: CaseOptions): Promise<Message> {
  const { draw, hostile, sizes, tenant } = options
  const { operation } = route
  const { method } = operation
  const has_body = method === 'POST' || method === 'PATCH'
  const hit = (share: number) => hostile && draw.often(share)
  const path =
    pathOf(route.path, tenant.ids, draw, hit(0.15)) + queryOf(operation, draw, hit(has_body ? 0.1 : 0.7), sizes)
  // A key that was used before comes back with another body: it is refused, or answered as then.
  const key = method === 'POST' && { [HEADERS.idempotency_key]: `k${hit(0.3) ? draw.below(3) : draw.below(2 ** 31)}` }
  const headers: Record<string, string> = { ...(await credentials(route, tenant)), ...key }
  if (!has_body) return { method, path, headers: { ...headers, ...(hit(0.3) && oddHeaders(draw)) } }
  const valid = sampleBody(operation, draw, sizes)
  const body = () => {
    if (!hit(0.85)) return Buffer.from(JSON.stringify(valid))
    return draw.often(0.35) ? hostileJson(draw, valid, sizes) : Buffer.from(JSON.stringify(mutate(valid, draw, sizes)))
  }
  headers['content-type'] = 'application/json'
  return { method, path, headers: { ...headers, ...(hit(0.15) && oddHeaders(draw)) }, body: body() }
}
