import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused, PROBED } from '../../test/support/request-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let key: string
let port: number
beforeAll(async () => {
  world = await openWorld({ operations: PROBED })
  key = await world.key(await world.account())
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (world.app.http.server.address() as AddressInfo).port
})
afterAll(() => world.close())

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
    await expectRefused(world, await post(raw), 400, 'invalid_json')
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
    await expectRefused(world, sent, 400, 'invalid_field')
    expect(sent.body.error.param).toBe(param)
  })

  it('400 invalid_field for a control character at any depth of a free-form object', async () => {
    const sent = await post(`{"note":"a","loose":${'{"a":'.repeat(1000)}"\\u0007"${'}'.repeat(1000)}}`)
    await expectRefused(world, sent, 400, 'invalid_field')
  })

  it('leaves no prototype changed', async () => {
    await post('{"note":"a","__proto__":{"polluted":true}}')
    await world.post('/v1/probe/x?__proto__[polluted]=1&constructor=1', { key, body: { note: 'a' } })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a body of the wrong kind', () => {
  it('413 payload_too_large for 20 MB, told before they are read', async () => {
    await expectRefused(world, await post(Buffer.alloc(20_000_000, 0x20)), 413, 'payload_too_large')
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
    await expectRefused(world, await post('{"note":"a"}', { 'content-type': type }), 415, 'unsupported_media_type')
  })

  it('401 invalid_api_key before any of it is judged', async () => {
    const sent = await world.post('/v1/probe/x', { raw: '{', headers: { 'content-type': 'text/plain' } })
    await expectRefused(world, sent, 401, 'invalid_api_key')
  })
})
