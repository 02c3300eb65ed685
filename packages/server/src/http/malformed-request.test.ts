import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBED } from '../../test/support/request-probe.ts'
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

describe('a header that decides, sent twice', () => {
  async function raw(lines: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.write(`${lines.join('\r\n')}\r\n\r\n`) // not end: Node answers nobody who has closed one side
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

  it('400 at the door of agents too, where the second could be somebody else’s token', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const lines = ['POST /mcp HTTP/1.1', 'Host: timbre', 'Connection: close', 'Content-Type: application/json']
    const tokens = [`Authorization: Bearer ${key}`, 'Authorization: Bearer otro']
    const text = await raw([...lines, `Content-Length: ${body.length}`, ...tokens, '', body])
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
  })

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

describe('what Node would refuse by itself, or read in its own way', () => {
  const ends = ['Connection: close', '', '']
  const lines = (...all: string[]) => Buffer.from([...all, ...ends].join('\r\n'))
  const chunked = ['Host: timbre', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  const post = (chunks: string) => Buffer.from(`POST /v1/probe/x HTTP/1.1\r\n${chunked.join('\r\n')}\r\n\r\n${chunks}`)

  async function answerTo(bytes: Buffer): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(bytes)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    await once(socket, 'close')
    return text
  }

  it.each([
    ['a request without a Host', lines('GET /v1/error_codes HTTP/1.1'), 400, 'invalid_url'],
    ['one without a Host at a page', lines('GET /nowhere HTTP/1.1'), 400, 'invalid_url'],
    ['two hosts', lines('GET /v1/error_codes HTTP/1.1', 'Host: timbre', 'host: otro'), 400, 'invalid_url'],
    ['two hosts at a page', lines('GET /nowhere HTTP/1.1', 'Host: timbre', 'Host: timbre'), 400, 'invalid_url'],
    [
      'a message that is packed, and not only cut in chunks',
      lines('POST /v1/probe/x HTTP/1.1', 'Host: timbre', 'Transfer-Encoding: gzip, chunked'),
      415,
      'unsupported_media_type',
    ],
    ['CONNECT', lines('CONNECT example.cl:443 HTTP/1.1', 'Host: example.cl'), 400, 'invalid_url'],
    ['too many headers', lines('GET / HTTP/1.1', 'Host: timbre', `X: ${'a'.repeat(70_000)}`), 400, 'invalid_url'],
    ['a chunk without a length', post('zz\r\n{}\r\n0\r\n\r\n'), 400, 'invalid_url'],
    ['the greeting of HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400, 'invalid_url'],
    ['an odd Expect', lines('GET /v1/account HTTP/1.1', 'Host: timbre', 'Expect: a-miracle'), 401, 'invalid_api_key'],
    [
      'an upgrade',
      lines('GET /v1/account HTTP/1.1', 'Host: timbre', 'Connection: Upgrade', 'Upgrade: websocket'),
      401,
      'invalid_api_key',
    ],
  ])('is answered in the envelope, with a Svc-Request-Id: %s', async (_what, bytes, status, code) => {
    const text = await answerTo(bytes)
    const error = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error
    expect([Number(text.slice(9, 12)), error.code]).toEqual([status, code])
    expect(text.toLowerCase()).toContain(`svc-request-id: ${error.request_id}`)
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
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
