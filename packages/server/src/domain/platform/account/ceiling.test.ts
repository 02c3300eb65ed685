import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BOLETA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'
import { CEILINGS } from '../../../catalog/limits.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world, { scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

type Ceiling = 'api_keys' | 'empresas' | 'public_links'

/** A ceiling that a test can reach. */
function lower(ceiling: Ceiling, to: number): void {
  const before = CEILINGS[ceiling]
  Object.assign(CEILINGS, { [ceiling]: to })
  onTestFinished(() => void Object.assign(CEILINGS, { [ceiling]: before }))
}

const refusal = ({ status, body }: Sent) => [status, body.error?.code, body.error?.details]
const told = (limit: Ceiling, max: number) => [422, 'account_limit_reached', { limit, max }]
const made = (sent: readonly Sent[]) => sent.filter(({ status }) => status === 201).length

describe('what an account may hold', () => {
  it('200 is told with the account', async () => {
    const { limits } = (await world.get('/v1/account', { key: issuer.key })).body
    expect(limits).toMatchObject({ api_keys: 200, empresas: 2_000, webhook_endpoints: 16, public_links: 100_000 })
  })

  it('422 account_limit_reached for a key too many, also when many are minted at once; one revoked makes room', async () => {
    const account = await world.account()
    const key = await world.key(account, { scopes: SCOPE_NAMES })
    await world.key(account, { mode: 'live' })
    lower('api_keys', 4)
    const mint = () => world.post('/v1/api_keys', { key, body: { name: 'x', scopes: ['documents:read'] } })
    const sent = await Promise.all(Array.from({ length: 8 }, mint))
    expect(made(sent)).toBe(3)
    for (const one of sent.filter(({ status }) => status !== 201)) expect(refusal(one)).toEqual(told('api_keys', 4))
    const { id } = sent.find(({ status }) => status === 201)?.body ?? {}
    expect((await world.delete(`/v1/api_keys/${id}`, { key })).status).toBe(204)
    expect((await mint()).status).toBe(201)
  })

  it('422 account_limit_reached for an empresa too many, also when many are created at once', async () => {
    const key = await world.key(await world.account())
    lower('empresas', 3)
    const create = () => world.post('/v1/empresas', { key, body: { rut: randomRut(), legal_name: 'Una' } })
    const sent = await Promise.all(Array.from({ length: 8 }, create))
    expect(made(sent)).toBe(3)
    for (const one of sent.filter(({ status }) => status !== 201)) expect(refusal(one)).toEqual(told('empresas', 3))
  })

  it('422 account_limit_reached for a public link too many, of a document or of a proposal; a rotated one counts once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await issuer.create(BOLETA)).body.id as string),
    )
    await issuer.post('/v1/tax/f29/proposals/2026-09/recompute', {})
    lower('public_links', 2)
    const share = (id: string) => issuer.post(`/v1/documents/${id}/public_links`, {})
    const sent = await Promise.all(ids.map(share))
    expect(made(sent)).toBe(2)
    const proposal = await issuer.post('/v1/tax/f29/proposals/2026-09/public_links', {})
    for (const one of [proposal, ...sent.filter(({ status }) => status !== 201)])
      expect(refusal(one)).toEqual(told('public_links', 2))
    const living = sent.find(({ status }) => status === 201)?.body.document_id
    expect((await share(living)).status).toBe(201)
  })
})
