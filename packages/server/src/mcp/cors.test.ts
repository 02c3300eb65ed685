import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, MCP_HEADERS, rpc } from '../../test/support/agent-grant.ts'
import { type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let issuer: Issuer
let token: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  token = (await grantTo(world, issuer.account)).token
})
afterAll(() => world.close())

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const from = (origin: string, more: Record<string, string> = {}) =>
  world.post('/mcp', { headers: { ...MCP_HEADERS, authorization: `Bearer ${token}`, origin, ...more }, body: ping })
const INSPECTOR = 'http://localhost:6274'

describe('pages that speak to /mcp', () => {
  it('403 from another site, whatever its name looks like, and before it asks too', async () => {
    const bad = [
      'https://mala.example',
      'http://localhost.mala.example',
      'http://timbre.test.mala.example',
      'null',
      'x',
    ]
    for (const origin of bad) {
      const sent = await from(origin)
      expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([403, undefined])
      expect((await world.call('OPTIONS', '/mcp', { headers: { origin } })).status).toBe(403)
    }
  })

  it('200 from ours, and from a tool on the machine of the person, which may read the answer', async () => {
    expect((await from('http://timbre.test')).status).toBe(200)
    for (const origin of [INSPECTOR, 'http://127.0.0.1:5173', 'http://[::1]:80']) {
      const sent = await from(origin)
      expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([200, origin])
      expect(sent.headers.vary).toBe('Origin')
    }
  })

  it('401 tells such a tool where to authorize, and lets it read that', async () => {
    const sent = await world.post('/mcp', { headers: { ...MCP_HEADERS, origin: INSPECTOR }, body: ping })
    expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([401, INSPECTOR])
    expect(sent.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
  })

  it('204 to what its browser asks first', async () => {
    const sent = await world.call('OPTIONS', '/mcp', { headers: { origin: INSPECTOR } })
    expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([204, INSPECTOR])
    expect(sent.headers['access-control-allow-headers']).toContain('Authorization')
    expect(sent.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
  })

  it('403 on a developer’s machine under a name that somebody else led there', async () => {
    const local = await openWorld({ beside: world, public_url: 'http://127.0.0.1:3000', runs_jobs: false })
    try {
      const to = (host: string) => local.post('/mcp', { headers: { ...MCP_HEADERS, host }, body: ping })
      expect((await to('mala.example:3000')).status).toBe(403)
      expect((await to('localhost:3000')).status).toBe(401)
    } finally {
      await local.close()
    }
  })
})

describe('how often an agent called', () => {
  it('is told with every answer to it, as over HTTP, and each message is counted once', async () => {
    const narrow = await openWorld({ beside: world, unlimited: false, runs_jobs: false })
    try {
      const { token: mine } = await grantTo(narrow, issuer.account)
      const left = async (method: string, params: object = {}) => {
        const { headers } = await rpc(narrow, mine, method, params)
        return [headers['ratelimit-limit'], headers['ratelimit-remaining']]
      }
      expect(await left('ping')).toEqual(['300', '299'])
      expect(await left('tools/call', { name: 'account_get' })).toEqual(['300', '298'])
      expect(await left('tools/call', { name: 'nada' })).toEqual(['300', '297'])
      expect(await left('tools/call', { name: 'account_get', arguments: { idempotency_key: {} } })).toEqual([
        '300',
        '296',
      ])
      const broken = await narrow.post('/mcp', {
        headers: { ...MCP_HEADERS, authorization: `Bearer ${mine}` },
        body: [ping],
      })
      expect([broken.status, broken.headers['ratelimit-remaining']]).toEqual([400, '295'])
      expect((await rpc(narrow, null, 'ping')).headers['ratelimit-limit']).toBeUndefined()
    } finally {
      await narrow.close()
    }
  })

  it('is counted for one empresa, whether it is named or is the only one there is', async () => {
    const narrow = await openWorld({ beside: world, unlimited: false, runs_jobs: false })
    try {
      const { token: mine } = await grantTo(narrow, issuer.account, { empresas: [issuer.rut] })
      const sync = async (args: object) => {
        const { body } = await rpc(narrow, mine, 'tools/call', { name: 'tax_sync', arguments: args })
        return body.result.structuredContent.error?.code
      }
      for (let i = 0; i < 5; i++) expect(await sync({})).toBeUndefined()
      for (let i = 0; i < 5; i++) expect(await sync({ empresa_rut: issuer.rut })).toBeUndefined()
      expect([await sync({}), await sync({ empresa_rut: issuer.rut })]).toEqual(['rate_limited', 'rate_limited'])
    } finally {
      await narrow.close()
    }
  })

  it('is the tightest bucket that applies', async () => {
    const args = { tipo_dte: 39, empresa_rut: issuer.rut, items: [{ description: 'Café', unit_price: 990 }] }
    const narrow = await openWorld({ beside: world, unlimited: false, runs_jobs: false })
    try {
      const { token: mine } = await grantTo(narrow, issuer.account)
      const { headers } = await rpc(narrow, mine, 'tools/call', { name: 'documents_create', arguments: args })
      expect(headers['ratelimit-limit']).toBe('10')
    } finally {
      await narrow.close()
    }
  })
})
