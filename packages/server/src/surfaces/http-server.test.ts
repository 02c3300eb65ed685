import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Sent, type World } from '../../test/world.ts'
import { ERROR_CODES } from '../catalog/errors.ts'
import type { AccountContext } from '../kernel/context.ts'
import { defineOperation } from '../kernel/operation.ts'
import { Closed, listQuery, Text } from '../kernel/schema.ts'
import { OPERATIONS } from '../operations.ts'

/** Stores what it is given, so that whatever got through can be found afterwards. */
const keep = defineOperation({
  id: 'probe.keep',
  method: 'POST',
  path: '/probe/{name}',
  summary: 'Keep a note',
  reach: 'account',
  params: Closed({ name: Type.String() }),
  query: listQuery({}),
  body: Closed({
    note: Text(100),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    tags: Type.Optional(Type.Array(Text(10), { uniqueItems: true })),
    loose: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  }),
  returns: Closed({ kept: Type.Boolean() }),
  async run(ctx: AccountContext, input) {
    ctx.emit({ type: 'ping', object: input })
    return { kept: true }
  },
})
const old = defineOperation({
  id: 'probe.old',
  method: 'GET',
  path: '/probe_old',
  summary: 'On its way out',
  reach: 'account',
  returns: Closed({ ok: Type.Boolean() }),
  sunset: '2027-12-31T00:00:00Z',
  run: async () => ({ ok: true }),
})

let world: World
let key: string
let port: number
beforeAll(async () => {
  world = await openWorld({ operations: [...OPERATIONS, keep, old] })
  key = await world.key(await world.account())
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (world.app.http.server.address() as AddressInfo).port
})
afterAll(() => world.close())

const stored = async () => (await world.db.sql<{ n: number }>`select count(*) as n from event`)[0]?.n

/** Refused in the envelope, with everything a refusal carries, and nothing was stored. */
async function expectRefused(sent: Sent, status: number, code: string): Promise<void> {
  expect([sent.status, sent.body?.error?.code]).toEqual([status, code])
  const { type, message, hint, retriable, doc_url, request_id } = sent.body.error
  expect([typeof type, typeof message, typeof hint, typeof retriable]).toEqual([
    'string',
    'string',
    'string',
    'boolean',
  ])
  expect(doc_url).toBe(`http://timbre.test/docs/errors/${code}`)
  expect(request_id).toBe(sent.headers['svc-request-id'])
  expect(ERROR_CODES).toContain(code)
  expect(sent.text).not.toMatch(/\bat .*\.[jt]s:\d+|node_modules|select |insert /i)
  expect(await stored()).toBe(0)
}

const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  world.post('/v1/probe/x', { key, raw, headers })

const DEEP = 100_000

describe('a body that cannot be read', () => {
  const cases: [string, string | Buffer][] = [
    ['malformed JSON', '{"note": '],
    ['nothing but a word', 'hello'],
    ['a trailing comma', '{"note":"a",}'],
    ['NaN', '{"note":"a","count":NaN}'],
    ['two documents', '{"note":"a"}{"note":"b"}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['100,000 opening brackets and no end', '['.repeat(DEEP)],
  ]
  it.each(cases)('400 invalid_json for %s', async (_what, raw) => {
    await expectRefused(await post(raw), 400, 'invalid_json')
  })
})

describe('a body of the wrong shape', () => {
  const deep = '['.repeat(DEEP) + ']'.repeat(DEEP)
  const nested = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`
  const cases: [string, string, string][] = [
    ['an array', '[{"note":"a"}]', 'body'],
    ['null', 'null', 'body'],
    ['a string', '"note"', 'body'],
    ['a number', '7', 'body'],
    ['100,000 arrays inside each other', deep, 'body'],
    ['100,000 objects inside each other', nested, 'a'],
    ['a field that nests 100,000 deep', `{"note":${deep}}`, 'note'],
    ['two equal deep items where items must differ', `{"note":"a","tags":[${deep},${deep}]}`, 'tags[0]'],
    ['__proto__', '{"note":"a","__proto__":{"admin":true}}', '__proto__'],
    ['constructor', '{"note":"a","constructor":{"prototype":{}}}', 'constructor'],
    ['a NUL', '{"note":"a\\u0000b"}', 'note'],
    ['an escape character', '{"note":"a\\u001bb"}', 'note'],
    ['half a surrogate pair', '{"note":"\\ud800"}', 'note'],
    ['a number beyond every number', '{"note":"a","count":1e999}', 'count'],
    ['a huge integer', `{"note":"a","count":${'9'.repeat(400)}}`, 'count'],
    ['a fraction', '{"note":"a","count":0.5}', 'count'],
    ['a number as text', '{"note":"a","count":"5"}', 'count'],
    ['only blanks', '{"note":"   "}', 'note'],
  ]
  it.each(cases)('400 invalid_field for %s', async (_what, raw, param) => {
    const sent = await post(raw)
    await expectRefused(sent, 400, 'invalid_field')
    expect(sent.body.error.param).toBe(param)
  })

  it('400 invalid_field for a control character at any depth of a free-form object', async () => {
    const sent = await post(`{"note":"a","loose":${'{"a":'.repeat(1000)}"\\u0007"${'}'.repeat(1000)}}`)
    await expectRefused(sent, 400, 'invalid_field')
  })

  it('leaves no prototype changed', async () => {
    await post('{"note":"a","__proto__":{"polluted":true}}')
    await world.post('/v1/probe/x?__proto__[polluted]=1&constructor=1', { key, body: { note: 'a' } })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a body of the wrong kind', () => {
  it('413 payload_too_large for 20 MB, told before they are read', async () => {
    const started = performance.now()
    await expectRefused(await post(Buffer.alloc(20_000_000, 0x20)), 413, 'payload_too_large')
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('413 payload_too_large for 20 MB in chunks that do not say how many follow', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit
    const sent = await fetch(`http://127.0.0.1:${port}/v1/probe/x`, init).then(
      async (answer) => ({
        status: answer.status,
        code: ((await answer.json()) as { error: { code: string } }).error.code,
      }),
      () => ({ status: 413, code: 'payload_too_large' }), // the connection was closed on the rest of it
    )
    expect(sent).toEqual({ status: 413, code: 'payload_too_large' })
    expect((await world.get('/v1/account', { key })).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('415 unsupported_media_type for %s', async (type) => {
    await expectRefused(await post('{"note":"a"}', { 'content-type': type }), 415, 'unsupported_media_type')
  })

  it('401 invalid_api_key before any of it is judged', async () => {
    const sent = await world.post('/v1/probe/x', { raw: '{', headers: { 'content-type': 'text/plain' } })
    await expectRefused(sent, 401, 'invalid_api_key')
  })
})

describe('a hostile address', () => {
  it.each([
    ['/v1/probe/%', 400, 'invalid_url'],
    ['/v1/probe/%ff%fe', 400, 'invalid_url'],
    ['/v1/probe/%c0%ae%c0%ae', 400, 'invalid_url'],
    ['/v1/probe/a%00b', 400, 'invalid_field'],
    ['/v1/probe/a%1b%5b2J', 400, 'invalid_field'],
    ['/v1/probe/x?limit=1e999', 400, 'invalid_field'],
    ['/v1/probe/x?limit=0x10', 400, 'invalid_field'],
    ['/v1/probe/x?limit=-1', 400, 'invalid_field'],
    ['/v1/probe/x?limit=1&limit=2', 400, 'invalid_field'],
    ['/v1/probe/x?cursor=%00', 400, 'invalid_field'],
    ['/v1/probe/x?__proto__=1', 400, 'invalid_field'],
    ['/v1/probe/x?nonsense=1', 400, 'invalid_field'],
    ['/v1/../v1/etc/passwd', 404, 'route_not_found'],
    ['/v1/..%2f..%2fetc%2fpasswd', 404, 'route_not_found'],
    ['/v1//probe/x', 404, 'route_not_found'],
    ['/v1/probe/x/', 404, 'route_not_found'],
    [`/v1/probe/${'a'.repeat(600)}`, 400, 'invalid_url'],
    ['/.env', 404, 'route_not_found'],
    ['/V1/probe/x', 404, 'route_not_found'],
  ])('%s', async (path, status, code) => {
    await expectRefused(await world.post(path, { key, body: { note: 'a' } }), status, code)
  })

  it('is told in the envelope of /account only below /account', async () => {
    expect((await world.get('/account/nothing')).body.errors).toEqual(['route_not_found'])
    expect((await world.get('/accounting')).body.error.code).toBe('route_not_found')
  })
})

describe('a header that decides, sent twice', () => {
  async function raw(lines: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.end(`${lines.join('\r\n')}\r\n\r\n`)
    let text = ''
    for await (const chunk of socket) text += chunk
    return text
  }
  const start = ['GET /v1/account HTTP/1.1', 'Host: timbre', 'Connection: close']

  it.each(['Authorization: Bearer', 'Svc-Empresa:', 'Svc-Mode:', 'Idempotency-Key:'])(
    '400 invalid_field names it: %s',
    async (header) => {
      const text = await raw([...start, `Authorization: Bearer ${key}`, `${header} a`, `${header} b`])
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toContain('"code":"invalid_field"')
      expect(text).toContain(`"param":"${header.split(':')[0]}"`)
    },
  )

  it('400 for two lengths, and for a length beside chunks', async () => {
    const post = ['POST /v1/probe/x HTTP/1.1', 'Host: timbre', `Authorization: Bearer ${key}`]
    for (const lines of [
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ]) {
      const text = await raw([...post, ...lines])
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toContain('"code":"invalid_url"')
    }
  })
})

describe('bytes that are not HTTP', () => {
  it.each([
    ['noise', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ['a TLS greeting', Buffer.from('160301020001000000000000', 'hex')],
    ['another protocol', Buffer.from('SSH-2.0-OpenSSH_9.0\r\n\r\n')],
    ['a header without end', Buffer.from(`GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}`)],
    ['a space in the method', Buffer.from('GE T / HTTP/1.1\r\n\r\n')],
  ])('400 in the envelope for %s, and the process stays up', async (_what, bytes) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(bytes)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    await once(socket, 'close')
    const error = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect([error.code, error.doc_url, error.retriable]).toEqual([
      'invalid_url',
      'http://timbre.test/docs/errors/invalid_url',
      false,
    ])
    expect(text).toContain(`Svc-Request-Id: ${error.request_id}`)
    expect((await fetch(`http://127.0.0.1:${port}/v1/error_codes`)).status).toBe(200)
  })
})

describe('every answer', () => {
  it('405 method_not_allowed names the methods that work', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
      const sent = await world.call(method, '/v1/api_keys', { key })
      expect([method, sent.status, sent.headers.allow]).toEqual([method, 405, 'GET, POST'])
    }
  })

  it('carries Sunset and Deprecation on an operation that goes away, also when it refuses', async () => {
    for (const sent of [await world.get('/v1/probe_old', { key }), await world.get('/v1/probe_old')]) {
      expect(sent.headers.sunset).toBe('Fri, 31 Dec 2027 00:00:00 GMT')
      expect(sent.headers.deprecation).toBe('true')
    }
    expect((await world.get('/v1/account', { key })).headers.sunset).toBeUndefined()
  })

  it('is never cached and names its request, errors of the router included', async () => {
    for (const path of ['/v1/account', '/v1/nothing', '/v1/probe/%', '/account/nothing']) {
      const { headers } = await world.get(path, { key })
      expect([path, headers['cache-control']]).toEqual([path, 'no-store'])
      expect(headers['svc-request-id']).toMatch(/^req_[0-9a-z]{26}$/)
    }
  })
})
