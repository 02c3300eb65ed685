import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { openWorld, type Request, randomRut, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { OPERATIONS } from '../operations.ts'

let world: World
let issuer: Issuer
let keys: readonly [string, string]
let session: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world, { scopes: SCOPE_NAMES })
  keys = [issuer.key, await world.key(issuer.account, { scopes: SCOPE_NAMES })]
  session = await world.session(issuer.account)
})
afterAll(() => world.close())

interface Asked {
  readonly path: string
  readonly body?: object
  readonly empresa?: string
}

const hook = async () => {
  const body = { url: 'http://127.0.0.1:1/timbre' }
  return (await world.post('/v1/webhook_endpoints', { key: issuer.key, body })).body.id as string
}
const connection = async () => (await issuer.post('/v1/connections', {})).body.id as string

/** How to ask for each secret: an operation that tells one cannot come without a line here. */
const ASKED: Record<string, () => Promise<Asked>> = {
  'api_keys.create': async () => ({ path: '/api_keys', body: { name: 'x', scopes: ['documents:read'] } }),
  'api_keys.roll': async () => {
    const { body } = await world.get('/v1/account', { key: await world.key(issuer.account) })
    return { path: `/api_keys/${body.key.id}/roll` }
  },
  'webhook_endpoints.create': async () => ({ path: '/webhook_endpoints', body: { url: 'http://127.0.0.1:1/otra' } }),
  'webhook_endpoints.rotate_secret': async () => ({ path: `/webhook_endpoints/${await hook()}/rotate_secret` }),
  'documents.public_links.create': async () => {
    const { body } = await issuer.create(BOLETA)
    return { path: `/documents/${body.id}/public_links`, body: {}, empresa: issuer.rut }
  },
  'tax.f29.proposals.public_links.create': async () => {
    await issuer.post('/v1/tax/f29/proposals/2026-09/recompute', {})
    return { path: '/tax/f29/proposals/2026-09/public_links', body: {}, empresa: issuer.rut }
  },
  'connections.create': async () => ({ path: '/connections', body: {}, empresa: issuer.rut }),
  'connections.reconnect': async () => ({ path: `/connections/${await connection()}/reconnect`, empresa: issuer.rut }),
}

type Shape = { readonly properties?: Readonly<Record<string, object>> }

/** The secrets of an answer, wherever its schema says that one is. */
function secretsIn(schema: object | null, value: unknown): unknown[] {
  if (schema === null || typeof value !== 'object' || value === null) return []
  const properties = Object.entries((schema as Shape).properties ?? {})
  return properties.flatMap(([name, property]) => {
    const inside = (value as Record<string, unknown>)[name]
    return 'x-secret' in property ? [inside] : secretsIn(property, inside)
  })
}

const TELLING = OPERATIONS.filter(({ reveals_secret, idempotent }) => reveals_secret && idempotent !== false)

describe('an answer with a secret', () => {
  it('is known for every operation that replays one', () => {
    expect(TELLING.map(({ id }) => id).sort()).toEqual(Object.keys(ASKED).sort())
  })

  for (const { id, returns, status } of TELLING) {
    it(`${id} is replayed to the credential that asked, and to no other`, async () => {
      const ask = ASKED[id] as () => Promise<Asked>
      const { path, ...asked } = await ask()
      const headers = { 'idempotency-key': randomUUID() }
      const by = (root: string, who: Request) => world.post(root + path, { ...asked, ...who, headers })
      const [first, second] = keys
      const other = await world.session(issuer.account)
      const sent = [
        await by('/v1', { key: first }),
        await by('/v1', { key: second }),
        await by('/dashboard', { session, mode: 'test' }),
        await by('/dashboard', { session: other, mode: 'test' }),
      ]
      expect(sent.map((one) => [one.status, one.headers['svc-idempotent-replay']])).toEqual(
        sent.map(() => [status, undefined]),
      )
      const told = sent.flatMap(({ body }) => secretsIn(returns, body))
      expect(told.length).toBeGreaterThanOrEqual(sent.length)
      expect(new Set(told).size).toBe(told.length)
      const again = [await by('/v1', { key: first }), await by('/v1/dashboard', { session, mode: 'test' })]
      expect(again.map(({ text, headers }) => [text, headers['svc-idempotent-replay']])).toEqual([
        [sent[0]?.text, 'true'],
        [sent[2]?.text, 'true'],
      ])
    })
  }
})

describe('an answer without one', () => {
  it('is replayed to every credential of the account, at whichever of its addresses the operation is asked for', async () => {
    const asked = [
      { path: '/empresas', body: { rut: randomRut(), legal_name: 'Otra SpA' } },
      { path: '/documents', body: BOLETA, empresa: issuer.rut },
    ]
    for (const { path, ...rest } of asked) {
      const request = { ...rest, headers: { 'idempotency-key': randomUUID() } }
      const sent = [
        await world.post(`/dashboard${path}`, { session, mode: 'test', ...request }),
        await world.post(`/v1/dashboard${path}`, { session, mode: 'test', ...request }),
        await world.post(`/v1${path}`, { key: issuer.key, ...request }),
      ]
      expect(sent.map(({ status, text, headers }) => [status, text, headers['svc-idempotent-replay']])).toEqual(
        [undefined, 'true', 'true'].map((replay) => [201, sent[0]?.text, replay]),
      )
    }
  })
})
