import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type TcpNetConnectOpts } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../../../test/support/self-signed-certificate.ts'
import { openReceiver, type Receiver } from '../../../test/support/webhook-receiver.ts'
import type { WebhookSenderOptions } from './http-client.ts'
import { httpWebhookSender } from './sender.ts'

let receiver: Receiver
const closings: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(async () => {
  for (const close of closings) await close()
  await receiver.close()
})

function open(options: Partial<WebhookSenderOptions> = {}) {
  const receivers = httpWebhookSender({ allow_private: true, ...options })
  closings.push(() => receivers.close())
  return (url = receiver.url) =>
    receivers.post({
      url,
      headers: { 'content-type': 'application/json', 'x-mark': 'm' },
      body: Buffer.from('{"ñ":1}'),
    })
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(async () => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('a port of our own process', () => {
  it('is never sent to on this machine, however it is written, and others are', async () => {
    const port = Number(new URL(receiver.url).port)
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const own = open({ own_ports: new Set([port]), resolve })
    const seen = receiver.received.length
    for (const host of [
      '127.0.0.1',
      '127.1.2.3',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'nombre.example',
    ]) {
      expect((await own(`http://${host}:${port}/control/reset`)).failure, host).toBe('address_not_allowed')
    }
    expect(receiver.received).toHaveLength(seen)
    receiver.behave((response) => response.writeHead(204).end())
    expect((await open({ own_ports: new Set([port + 1]), resolve })(`http://nombre.example:${port}/`)).status).toBe(204)
  })

  it('is refused as the address of an endpoint, without a port too', () => {
    const sender = httpWebhookSender({ allow_private: true, own_ports: new Set([80, 7400]) })
    const forbidden = (url: string) => sender.forbids(new URL(url))
    expect(['http://127.0.0.1:7400/control/reset', 'http://localhost', 'http://[::1]:80'].map(forbidden)).toEqual([
      true,
      true,
      true,
    ])
    expect(['http://127.0.0.1:7401', 'https://localhost', 'http://example.cl'].map(forbidden)).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('a delivery over HTTP', () => {
  it('carries the body and the headers as they are, and tells the status and the beginning of the answer', async () => {
    receiver.behave((response) => response.writeHead(202).end('gracias'))
    const result = await open()(`${receiver.url}?a=1`)
    expect(result).toMatchObject({ status: 202, failure: null, excerpt: 'gracias', retry_after: null })
    expect(receiver.received.at(-1)).toMatchObject({
      path: '/hook?a=1',
      body: '{"ñ":1}',
      headers: { 'x-mark': 'm', 'content-type': 'application/json', 'content-length': '8' },
    })
  })

  it('does not follow a redirect', async () => {
    const before = receiver.received.length
    receiver.behave((response) => response.writeHead(307, { location: receiver.url }).end())
    expect((await open()()).status).toBe(307)
    expect(receiver.received).toHaveLength(before + 1)
  })

  it('tells what Retry-After said', async () => {
    receiver.behave((response) => response.writeHead(429, { 'retry-after': '120' }).end())
    expect(await open()()).toMatchObject({ status: 429, retry_after: '120' })
  })

  it('reads a KiB of the answer, cuts a huge one off, and never keeps it', async () => {
    let sent = 0
    let cut = false
    receiver.behave((response) => {
      response.once('close', () => {
        cut = true
      })
      response.writeHead(200)
      const pour = (failure?: Error | null) => {
        if (failure || response.destroyed) return
        sent += 65_536
        response.write(Buffer.alloc(65_536, 'a'), pour)
      }
      pour()
    })
    const result = await open()()
    expect([result.status, result.excerpt]).toEqual([200, 'a'.repeat(1024)])
    await expect.poll(() => cut).toBe(true)
    // What the sockets buffered on the way, and nowhere near what two seconds would have let through.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('shows no excerpt of what is not text, and no half of a character', async () => {
    receiver.behave((response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00, 0x41])))
    expect((await open()()).excerpt).toBeNull()
    receiver.behave((response) => response.writeHead(200).end('a\0b'))
    expect((await open()()).excerpt).toBeNull()
    receiver.behave((response) => response.writeHead(200).end(`${'a'.repeat(1023)}ñandú`))
    expect((await open()()).excerpt).toBe('a'.repeat(1023))
    receiver.behave((response) => {
      response.writeHead(200).write('a'.repeat(1000))
      setTimeout(() => response.end('b'.repeat(1000)), 50)
    })
    expect((await open()()).excerpt).toBe('a'.repeat(1000) + 'b'.repeat(24))
  })

  it('counts the status of an answer whose body never ends', async () => {
    receiver.behave((response) => response.writeHead(200).write('...'))
    expect(await open()()).toMatchObject({ status: 200, failure: null, excerpt: '...' })
  })

  it('uses connections again', async () => {
    const sockets = new Set<unknown>()
    receiver.behave((response, _received, socket) => {
      sockets.add(socket)
      response.writeHead(200).end('ok')
    })
    const post = open()
    for (let i = 0; i < 20; i++) await post()
    // Two at most: a connection rests for a turn of the event loop before it is used again.
    expect(sockets.size).toBeLessThanOrEqual(2)
  })
})

describe('no answer', () => {
  it('is response_timeout from one that hangs', async () => {
    receiver.behave(() => undefined)
    expect(await open({ answer_ms: 200 })()).toMatchObject({ status: null, failure: 'response_timeout' })
  })

  it('is connection_lost from one that hangs up', async () => {
    receiver.behave((_response, _received, socket) => socket.resetAndDestroy())
    expect(await open()()).toMatchObject({ status: null, failure: 'connection_lost' })
  })

  it('is connection_refused where nobody listens', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    expect((await open()(`http://127.0.0.1:${port}/`)).failure).toBe('connection_refused')
  })

  it('is connection_timeout from a port that takes nobody in', async () => {
    // Resolution counts too: a name server that never answers must not hold the slot.
    const post = open({ connect_ms: 200, resolve: () => new Promise(() => undefined) })
    expect((await post('http://nunca.example.cl/')).failure).toBe('connection_timeout')
  })

  it('is dns_lookup_failed for a name that stands for nothing', async () => {
    const unknown = open({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    expect((await unknown('http://nada.example.cl/')).failure).toBe('dns_lookup_failed')
    const empty = open({ resolve: async () => [] })
    expect((await empty('http://nada.example.cl/')).failure).toBe('dns_lookup_failed')
  })

  it('is tls_failed from a certificate that nobody vouches for', async () => {
    const port = await listening(createTlsServer(await selfSigned(), (_request, response) => response.end()))
    expect((await open()(`https://127.0.0.1:${port}/`)).failure).toBe('tls_failed')
  })

  it('is invalid_response from what does not speak HTTP', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.write('500 no entiendo\r\n')))
    const port = await listening(server)
    expect((await open()(`http://127.0.0.1:${port}/`)).failure).toBe('invalid_response')
  })
})

describe('an address outside the public internet', () => {
  const private_name = (addresses: string[]) => async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

  it('is refused after DNS, and nothing is sent to it', async () => {
    const before = receiver.received.length
    const { port } = new URL(receiver.url)
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '::1']) {
      const post = open({ allow_private: false, resolve: private_name([address]) })
      expect((await post(`http://receptor.example.cl:${port}/hook`)).failure).toBe('address_not_allowed')
    }
    expect(receiver.received).toHaveLength(before)
  })

  it('is refused when it is written out, though nothing is looked up then', async () => {
    const before = receiver.received.length
    expect((await open({ allow_private: false })()).failure).toBe('address_not_allowed')
    expect(receiver.received).toHaveLength(before)
  })

  it('is refused on a name that answers differently every time: one resolution is judged and used', async () => {
    let asked = 0
    const { port } = new URL(receiver.url)
    const before = receiver.received.length
    const resolve = async () => [{ address: asked++ === 0 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
    const post = open({ allow_private: false, resolve })
    for (let i = 0; i < 3; i++) await post(`http://rebind.example.cl:${port}/hook`)
    expect([asked, receiver.received.length]).toEqual([3, before])
  })

  it('is left out where the name also stands for others', async () => {
    const asked: string[] = []
    const dialled: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '8.8.8.8', family: 4 },
      ]
    }
    // Looks up as a connector does, and dials nobody.
    const record: WebhookSenderOptions['buildConnector'] = (made) => (target, done) =>
      (made as TcpNetConnectOpts).lookup?.(target.hostname, { all: true }, (_error, addresses) => {
        for (const { address } of addresses as LookupAddress[]) dialled.push(address)
        done(Object.assign(new Error('nobody listens'), { code: 'ECONNREFUSED' }), null)
      })
    const post = open({ allow_private: false, resolve, buildConnector: record })
    expect((await post('http://mixto.example.cl/hook')).failure).toBe('connection_refused')
    expect([asked, dialled]).toEqual([['mixto.example.cl'], ['8.8.8.8']])
  })

  it('is reached on a machine where receivers live beside the service', async () => {
    receiver.behave(200)
    const { port } = new URL(receiver.url)
    const post = open({ resolve: private_name(['127.0.0.1']) })
    expect((await post(`http://receptor.test:${port}/hook`)).status).toBe(200)
  })
})
