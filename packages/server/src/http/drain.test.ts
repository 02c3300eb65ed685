import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { PROBED } from '../../test/support/request-probe.ts'
import { selfSigned } from '../../test/support/self-signed-certificate.ts'
import { openWorld } from '../../test/support/world.ts'
import { openDrain } from './drain.ts'

/** Longer than any test: whatever ends did so by itself. */
const NEVER_MS = 30_000
const GET = 'GET / HTTP/1.1\r\nHost: timbre\r\n\r\n'

/** A call that is answered when the test says so. */
function heldAnswer() {
  let begun = () => {}
  let go = () => {}
  const begins = new Promise<void>((resolve) => {
    begun = resolve
  })
  const goes = new Promise<void>((resolve) => {
    go = resolve
  })
  const listener: RequestListener = async (request, answer) => {
    if (request.url === '/held') {
      begun()
      await goes
    }
    answer.end('all of it')
  }
  return { listener, begins, go }
}

function watched(server: Server, is_tls = false) {
  const drain = openDrain(server, is_tls)
  server.prependListener('request', (_request, answer) => drain.begun(answer))
  return drain
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function opened(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** As a framework closes: what has no call under way goes first, then the server waits for the rest. */
async function closing(server: Server, drain: () => void): Promise<void> {
  drain()
  await new Promise((resolve) => server.close(resolve))
}

describe('a stop', () => {
  it('waits for no connection without a call: one that never sent a byte, half a head, or one that was answered and kept', async () => {
    const { listener } = heldAnswer()
    const server = createServer(listener)
    const drain = watched(server)
    const port = await listening(server)
    const sockets = [await opened(port), await opened(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-'), await opened(port, GET)]
    sockets.push(await opened(port, `${GET}GET / HTTP/1.1\r\nX-`))
    await Promise.all(sockets.slice(2).map((socket) => once(socket, 'data')))
    const closed = Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
    await closing(server, () => drain.begin(NEVER_MS))
    await closed
  })

  it('answers a call under way whole, tells that the connection ends, and ends it', async () => {
    const { listener, begins, go } = heldAnswer()
    const server = createServer(listener)
    const drain = watched(server)
    const socket = await opened(await listening(server), GET.replace('/', '/held'))
    await begins
    const text = textOf(socket)
    const closed = closing(server, () => drain.begin(NEVER_MS))
    go()
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n(?:.*\r\n)*\r\nall of it$/)
    await closed
  })

  it('answers all that was sent at once on one connection, and ends it after the last', async () => {
    const { listener, begins, go } = heldAnswer()
    const server = createServer(listener)
    const drain = watched(server)
    const socket = await opened(await listening(server), GET.replace('/', '/held') + GET + GET)
    await begins
    // The others are read behind it.
    await sleep(50)
    const text = textOf(socket)
    const closed = closing(server, () => drain.begin(NEVER_MS))
    go()
    expect((await text).match(/all of it/g)).toHaveLength(3)
    await closed
  })

  it('cuts after its time what does not end: an answer that nobody reads, and a call that is never answered', async () => {
    const listener: RequestListener = (request, answer) => {
      if (request.url === '/big') answer.end(Buffer.alloc(64 * 1024 * 1024))
    }
    const server = createServer(listener)
    const drain = watched(server)
    const port = await listening(server)
    const unread = await opened(port, GET.replace('/', '/big'))
    unread.pause()
    const unanswered = await opened(port, GET)
    const requests = [once(server, 'request'), once(server, 'request')]
    await Promise.all(requests)
    await closing(server, () => drain.begin(100))
    unanswered.destroy()
    unread.destroy()
  })

  it('over TLS waits for no connection without a call, and only for its time for a handshake', async () => {
    const { listener, begins, go } = heldAnswer()
    const server = createTlsServer(await selfSigned(), listener)
    const drain = watched(server, true)
    const port = await listening(server)
    const silent = await opened(port)
    const secured = () =>
      connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => undefined)
    const [idle, busy] = [secured(), secured()]
    await Promise.all([once(idle, 'secureConnect'), once(busy, 'secureConnect')])
    busy.write(GET.replace('/', '/held'))
    await begins
    const text = textOf(busy)
    const idled = once(idle, 'close')
    const closed = closing(server, () => drain.begin(500))
    await idled
    go()
    expect(await text).toContain('all of it')
    await closed
    silent.destroy()
  })
})

describe('a stop of the service', () => {
  it('answers what was sent before it, and waits for nobody else', async () => {
    const world = await openWorld({ operations: PROBED })
    await world.app.http.listen({ host: '127.0.0.1', port: 0 })
    const { port } = world.app.http.server.address() as AddressInfo
    await opened(port)
    const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(port)))
    // They have been taken in, and are idle when the bytes come.
    await sleep(50)
    const texts = sockets.map(textOf)
    for (const socket of sockets) socket.write('GET /v1/account HTTP/1.1\r\nHost: timbre\r\n\r\n')
    await world.close()
    for (const text of await Promise.all(texts)) expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('takes on no job any more that the last calls queue', async () => {
    const world = await openWorld({ operations: PROBED })
    await world.app.worker.stop()
    expect(world.app.worker.expect([])).toBe(false)
    await world.close()
  })
})
