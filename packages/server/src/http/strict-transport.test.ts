import { once } from 'node:events'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../../test/support/self-signed-certificate.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let port: number
beforeAll(async () => {
  const { cert, key } = await selfSigned()
  const tls = { cert: Buffer.from(cert), key: Buffer.from(key) }
  world = await openWorld({
    tls,
    plain: () => [{ path: '/page', answer: () => ({ status: 200, headers: {}, body: '' }) }],
  })
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (world.app.http.server.address() as AddressInfo).port
})
afterAll(() => world.close())

async function headersOf(method: string, path: string): Promise<Readonly<Record<string, string>>> {
  const asked = request({ host: '127.0.0.1', port, path, method, rejectUnauthorized: false, agent: false })
  asked.end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  return answer.headers
}

describe('Strict-Transport-Security, and nosniff', () => {
  it.each([
    ['GET', '/v1/account'],
    ['POST', '/account/login'],
    ['GET', '/page'],
    ['GET', '/nothing'],
    ['DELETE', '/v1/account'],
    ['GET', '/v1/documents/%'],
    ['GET', '/oauth/authorize'],
    ['POST', '/oauth/token'],
    ['POST', '/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ])('go with the answer to %s %s where TLS is ours', async (method, path) => {
    const headers = await headersOf(method, path)
    expect(headers['strict-transport-security']).toBe('max-age=63072000')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('go with the answer to bytes that are not HTTP', async () => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
    socket.end('this is not HTTP\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toContain('\r\nStrict-Transport-Security: max-age=63072000\r\n')
    expect(text).toContain('\r\nX-Content-Type-Options: nosniff\r\n')
  })

  it('leave the first to the proxy where TLS ends there', async () => {
    const plain = await openWorld()
    await plain.app.http.listen({ host: '127.0.0.1', port: 0 })
    const { port } = plain.app.http.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/v1/account`)
    expect(answer.headers.get('strict-transport-security')).toBeNull()
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    await plain.close()
  })
})
