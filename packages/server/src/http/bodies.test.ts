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
    expect(bodies().held.of('test')).toBe(fits * 10 * MIB)
    for (const { socket } of held) socket.destroy()
    await expect.poll(() => bodies().held.of('test')).toBe(0)
  })

  it('counts the message of an agent on its account, and one without a credential that is let in on its address', async () => {
    const known = await begin('/mcp', [`Authorization: Bearer ${key}`, ...json(MIB)])
    expect(bodies().held.of('test')).toBe(MIB)
    const stranger = await begin('/mcp', ['Authorization: Bearer nobody', ...json(MIB)])
    expect([bodies().held.of('test'), bodies().held.of('strangers long')]).toEqual([MIB, MIB])
    for (const { socket } of [known, stranger]) socket.destroy()
    await expect.poll(() => bodies().held.of('test') + bodies().held.of('strangers long')).toBe(0)
  })

  it('503 for one more than a process holds of all accounts of a mode, and none in the other', () => {
    const held = new BytesInHand()
    const { owner_bytes, pool_bytes } = BODIES.accounts
    const of = (mode: string, account: string) => held.hold(mode, account, BODIES.accounts).grow(owner_bytes)
    const accounts = Array.from({ length: pool_bytes / owner_bytes }, (_, n) => of('test', `acc_${n}`))
    expect(new Set(accounts)).toEqual(new Set([null]))
    expect([of('test', 'acc_x'), of('test', 'acc_0'), of('live', 'acc_0')]).toEqual(['pool', 'owner', null])
  })

  it('a body without a length counts as the longest of its route', async () => {
    const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    const { socket } = await begin(UPLOAD, [...headers, ...chunked], '1\r\n{\r\n')
    expect(bodies().held.of('test')).toBe(10 * MIB)
    socket.destroy()
    await expect.poll(() => bodies().held.of('test')).toBe(0)
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
    await expect.poll(() => bodies().held.of('test')).toBe(0)
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
