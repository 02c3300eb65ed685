import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup, resolve4 } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HAS_CHROMIUM, openChromium } from './support/chromium.ts'
import { failOnRefusals, takeRefusals } from './support/loopback-only-setup.ts'

// 192.0.2.0/24 is for documentation (RFC 5737): should the guard fail one day, nobody is there to hear it.
const OUTSIDE = '192.0.2.1'

const refused = (what: string) => `No test leaves this machine: ${what} was refused`

describe('a test worker', () => {
  it('refuses a connection to another machine, and names it', () => {
    expect(() => connect(80, OUTSIDE)).toThrow(refused(`a connection to ${OUTSIDE}:80`))
    expect(() => connectTls(443, OUTSIDE)).toThrow(refused(`a connection to ${OUTSIDE}:443`))
    expect(takeRefusals()).toHaveLength(2)
  })

  it('refuses what a look-up of the caller answers, whichever address would be tried first', async () => {
    const found = [
      { address: '127.0.0.1', family: 4 },
      { address: OUTSIDE, family: 4 },
    ]
    const socket = connect({ port: 80, host: 'mixto.example.cl', lookup: (_name, _options, done) => done(null, found) })
    const [error] = await once(socket, 'error').catch((failure) => [failure])
    expect(error.message).toBe(refused(`a connection to mixto.example.cl (${OUTSIDE})`))
    expect(takeRefusals()).toHaveLength(1)
  })

  it('refuses fetch, a datagram, a look-up and a query to a name server', async () => {
    await expect(fetch('https://example.cl/')).rejects.toMatchObject({
      cause: { message: refused('a look-up of example.cl') },
    })
    const socket = createSocket('udp4')
    onTestFinished(() => void socket.close())
    expect(() => socket.send('hola', 53, OUTSIDE)).toThrow(refused(`a datagram to ${OUTSIDE}`))
    await expect(promisify(lookup)('example.cl')).rejects.toThrow(refused('a look-up of example.cl'))
    await expect(promisify(resolve4)('example.cl')).rejects.toThrow(refused('a DNS query for example.cl'))
    await expect(new Resolver().resolve6('example.cl')).rejects.toThrow(refused('a DNS query for example.cl'))
    expect(takeRefusals()).toHaveLength(5)
  })

  it('lets through what stays here', async () => {
    const server = createServer((socket) => socket.end('hola')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost', undefined]) {
      const [said] = await once(connect({ port, ...(host && { host }) }), 'data')
      expect(String(said)).toBe('hola')
    }
    failOnRefusals()
  })

  it('fails the test even where the error was swallowed', async () => {
    await fetch(`http://${OUTSIDE}/`).catch(() => undefined)
    expect(failOnRefusals).toThrow(refused(`a connection to ${OUTSIDE}:80`))
    expect(takeRefusals()).toEqual([])
  })
})

describe('a process that a test starts', () => {
  it.each([
    ['the environment of the worker', process.env],
    ['an environment of its own', { PATH: process.env.PATH }],
  ])('refuses the same with %s, and the test hears of it', async (_whose, env) => {
    const program = `fetch('http://${OUTSIDE}/').catch(({ cause }) => console.log(cause.message))`
    const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout, 'data')
    await once(child, 'exit')
    expect(String(said)).toContain(refused(`a connection to ${OUTSIDE}:80`))
    expect(takeRefusals().join()).toContain(`process ${child.pid}`)
  })
})

describe.skipIf(!HAS_CHROMIUM)('a browser', () => {
  it('finds no other machine, by name or by address', async () => {
    const browser = await openChromium('http://127.0.0.1:1')
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    for (const url of [`http://${OUTSIDE}/`, 'http://example.cl/'])
      await expect(page.goto(url)).rejects.toThrow('ERR_NAME_NOT_RESOLVED')
    // A browser may ask a second time before it gives up.
    const refused = [`A page asked for http://${OUTSIDE}/`, 'A page asked for http://example.cl/']
    expect([...new Set(takeRefusals())]).toEqual(refused)
  })
})
