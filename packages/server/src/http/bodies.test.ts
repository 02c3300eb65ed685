import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { BODIES } from '../catalog/limits.ts'
import { BytesInHand } from '../kernel/bytes-in-hand.ts'
import { Bodies } from './bodies.ts'

const MIB = 1024 * 1024
const take = vi.spyOn(Bodies.prototype, 'take')
/** Those of the process under test, whose seconds are counted by the test alone. */
const bodies = () => {
  const own = take.mock.contexts[0] as Bodies
  own.close()
  return own
}
const seconds = (count: number) => {
  for (let n = 0; n < count; n++) bodies().look()
}

let world: World
let port: number
let key: string
let headers: string[]
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  const issuer = await openIssuer(world)
  key = issuer.key
  headers = [`Authorization: Bearer ${key}`, `Svc-Empresa: ${issuer.rut}`]
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (world.app.http.server.address() as AddressInfo).port
})
afterAll(() => world.close())

interface Conversation {
  readonly socket: Socket
  /** All that came, once the server has closed. */
  readonly answer: Promise<string>
}

/** Begins a request, and sends so much of its body. */
async function begin(path: string, more: readonly string[], sent = '{'): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const answer = once(socket, 'close').then(() => text)
  const before = take.mock.calls.length
  const lines = [`POST ${path} HTTP/1.1`, 'Host: timbre', 'Connection: close', ...more]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${sent}`)
  await expect.poll(() => take.mock.calls.length).toBe(before + 1)
  return { socket, answer }
}
const json = (length: number) => ['Content-Type: application/json', `Content-Length: ${length}`]
const UPLOAD = '/v1/tax/statements/previews'
const upload = () => begin(UPLOAD, [...headers, ...json(10 * MIB)])

describe('the bodies that a process holds', () => {
  it('429 for one more than an account may send at once; those it gives up make room again', async () => {
    const fits = Math.floor(BODIES.accounts.owner_bytes / (10 * MIB))
    const held: Conversation[] = []
    while (held.length < fits) held.push(await upload())
    const refused = await (await upload()).answer
    expect(refused).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 5\r\n[\s\S]*"code":"rate_limited"/i)
    expect(bodies().held.of('test long')).toBe(fits * 10 * MIB)
    for (const { socket } of held) socket.destroy()
    await expect.poll(() => bodies().held.of('test long')).toBe(0)
  })

  it('counts the message of an agent on its account, and one without a credential that is let in on its address', async () => {
    const known = await begin('/mcp', [`Authorization: Bearer ${key}`, ...json(MIB)])
    expect(bodies().held.of('test long')).toBe(MIB)
    const stranger = await begin('/mcp', ['Authorization: Bearer nobody', ...json(MIB)])
    expect([bodies().held.of('test long'), bodies().held.of('strangers long')]).toEqual([MIB, MIB])
    for (const { socket } of [known, stranger]) socket.destroy()
    await expect.poll(() => bodies().held.of('test long') + bodies().held.of('strangers long')).toBe(0)
  })

  it('leaves room for whoever comes next, however many accounts send as much as they may, and none takes it in the other mode', () => {
    const held = new BytesInHand()
    const of = (mode: string, account: string, bytes: number) => held.hold(mode, account, BODIES.accounts).grow(bytes)
    const fill = (account: string) => {
      let took = 0
      while (of('test', account, MIB) === null) took++
      return took
    }
    expect(Array.from({ length: 6 }, (_, n) => fill(`acc_${n}`))).toEqual([64, 42, 28, 19, 13, 8])
    expect([of('test', 'acc_x', MIB), of('test', 'acc_0', MIB), of('live', 'acc_0', 64 * MIB)]).toEqual([
      null,
      'owner',
      null,
    ])
    expect(of('test', 'acc_y', 30 * MIB)).toBe('pool')
  })

  it('takes a boleta while uploads of others fill all the room for long ones', async () => {
    const full = { owner_bytes: 192 * MIB, pool_bytes: 192 * MIB }
    const hold = bodies().held.hold('test long', 'acc_z', full)
    expect(hold.grow(full.pool_bytes)).toBeNull()
    expect(await (await upload()).answer).toMatch(/^HTTP\/1\.1 503 /)
    const body = '{"tipo_dte":39}'
    expect(await (await begin('/v1/documents', [...headers, ...json(body.length)], body)).answer).toMatch(
      /^HTTP\/1\.1 400 /,
    )
    hold.release()
  })

  it('a body without a length counts as the longest of its route', async () => {
    const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    const { socket } = await begin(UPLOAD, [...headers, ...chunked], '1\r\n{\r\n')
    expect(bodies().held.of('test long')).toBe(10 * MIB)
    socket.destroy()
    await expect.poll(() => bodies().held.of('test long')).toBe(0)
  })

  it('503 for an address that sends too much without a credential; a login has room of its own', async () => {
    const message = () => begin('/mcp', ['Authorization: Bearer x', ...json(MIB)])
    for (let n = 0; n < BODIES.strangers.owner_bytes / MIB; n++) await message()
    const refused = await (await message()).answer
    expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"service_unavailable"/)
    const body = '{"email":"a@b.cl","password":"x"}'
    expect(await (await begin('/account/login', json(body.length), body)).answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  it.each([
    ['an operation', UPLOAD, () => [...headers, ...json(MIB)]],
    ['/account', '/account/login', () => json(100)],
    ['agents', '/mcp', () => ['Authorization: Bearer x', ...json(100)]],
    ['a page', '/ingresar', () => ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100']],
    ['the bank', '/webhooks/fintoc', () => json(100)],
    ['OAuth', '/oauth/token', () => ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100']],
    ['nothing', '/v1/nothing', () => json(100)],
  ])('408 request_timeout for one that stalls, at the door of %s', async (_, path, more) => {
    const { answer } = await begin(path, more())
    seconds(BODIES.stalled_seconds + 1)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*request_timeout/i)
    await expect.poll(() => bodies().held.of('test long')).toBe(0)
  })

  it('408 request_timeout for one that drips, though it never stops', () => {
    const own = new Bodies()
    onTestFinished(() => own.close())
    const socket = { bytesRead: 0 }
    const cut = vi.fn()
    const req = { headers: { 'content-length': '65536' }, socket, complete: false } as never
    own.take(req, { account: undefined, ip: '192.0.2.1' }, MIB, cut)
    for (let n = 1; n <= BODIES.stalled_seconds + 1; n++) {
      expect(cut).not.toHaveBeenCalled()
      socket.bytesRead += 1
      own.look()
    }
    expect(cut).toHaveBeenCalledOnce()
  })

  it('lets an honest one take its time while it comes', async () => {
    const body = '{"email":"a@b.cl","password":"x"}'
    const { socket, answer } = await begin('/account/login', json(body.length), body.slice(0, 5))
    seconds(BODIES.stalled_seconds - 1)
    expect(bodies().held.of('strangers small')).toBe(body.length)
    socket.write(body.slice(5))
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
  })
})
