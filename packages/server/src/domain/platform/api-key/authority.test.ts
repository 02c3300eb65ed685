import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo } from '../../../../test/support/agent-grant.ts'
import { openWorld, type Request, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'

let world: World
let account: string
let chief: string
const [ours, theirs] = [randomRut(), randomRut()]

beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  chief = await world.key(account, { scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

type Sent = { status: number; body: { error: { code: string; param?: string; details?: { exceeds?: string } } } | null }
const refused = ({ status, body }: Sent) => [status, body?.error.code, body?.error.details?.exceeds]
const idOf = async (secret: string) => (await world.get('/v1/account', { key: secret })).body.key.id as string
const isAlive = async (key: string) => (await world.get('/v1/account', { key })).status === 200
const roll = async (by: Request, secret: string, root = '/v1') =>
  world.post(`${root}/api_keys/${await idOf(secret)}/roll`, by)
const revoke = async (by: Request, secret: string, root = '/v1') =>
  world.delete(`${root}/api_keys/${await idOf(secret)}`, by)

describe('rolling and revoking a key', () => {
  const narrow = () => world.key(account, { scopes: ['keys:write', 'documents:read'], empresas: [ours] })
  const wider = {
    'of the other mode': [{ mode: 'live', scopes: ['documents:read'], empresas: [ours] }, 'mode'],
    'that is the root of the other mode': [{ mode: 'live', scopes: SCOPE_NAMES }, 'mode'],
    'with a scope more': [{ scopes: ['documents:read', 'documents:write'], empresas: [ours] }, 'scopes'],
    'with another empresa': [{ scopes: ['documents:read'], empresas: [ours, theirs] }, 'empresas'],
    'of every empresa': [{ scopes: ['documents:read'], empresas: ['*'] }, 'empresas'],
    'that is another root, even a lesser one': [{ scopes: ['keys:write'], empresas: [ours] }, 'scopes'],
  } as const

  for (const [which, [options, exceeds]] of Object.entries(wider)) {
    it(`403 privilege_escalation for one ${which}, and it goes on as it was`, async () => {
      const by = { key: await narrow() }
      const key = await world.key(account, options)
      for (const act of [roll, revoke]) {
        const sent = await act(by, key)
        expect(refused(sent)).toEqual([403, 'privilege_escalation', exceeds])
        expect(sent.text).not.toContain('sk_')
      }
      expect(await isAlive(key)).toBe(true)
      const [secrets] = await world.db.sql<{ count: number }>`
        select count(*) as count from api_key_secret where key_id = ${await idOf(key)}`
      expect(secrets?.count).toBe(1)
    })
  }

  it('200 and 204 for one that the caller could have minted', async () => {
    const by = { key: await narrow() }
    const key = await world.key(account, { scopes: ['documents:read'], empresas: [ours] })
    expect((await roll(by, key)).status).toBe(200)
    expect((await revoke(by, key)).status).toBe(204)
  })

  it('200 a root key rolls itself and no other root; 403 it revokes neither', async () => {
    const other = await world.key(account, { scopes: SCOPE_NAMES })
    expect(refused(await revoke({ key: chief }, other))).toEqual([403, 'privilege_escalation', 'scopes'])
    expect(refused(await roll({ key: chief }, other))).toEqual([403, 'privilege_escalation', 'scopes'])
    expect(refused(await revoke({ key: other }, other)).slice(0, 2)).toEqual([403, 'root_key_required'])
    const rolled = await roll({ key: other }, other)
    expect([rolled.status, await isAlive(rolled.body.secret)]).toEqual([200, true])
  })

  it('403 a secret that was rolled out works on, and makes, rolls and revokes nothing, itself neither', async () => {
    const old = await world.key(account, { scopes: SCOPE_NAMES })
    const lesser = await world.key(account, { scopes: ['documents:read'] })
    const session = await world.session(account)
    const { body } = await roll({ session, mode: 'test' }, old, '/dashboard')
    expect(await isAlive(old)).toBe(true)
    const mint = { key: old, body: { name: 'x', scopes: ['documents:read'] } }
    const refusals = [
      await roll({ key: old }, old),
      await roll({ key: old }, lesser),
      await revoke({ key: old }, lesser),
    ]
    for (const sent of [...refusals, await world.post('/v1/api_keys', mint)]) {
      expect(refused(sent)).toEqual([403, 'privilege_escalation', 'secret'])
    }
    expect((await world.post('/v1/api_keys', { ...mint, key: body.secret })).status).toBe(201)
    expect((await world.get('/v1/account', { key: body.secret })).body.key.last4).toBe(body.secret.slice(-4))
  })

  it('a session rolls and revokes every key of its mode, root keys too, and 403 for one of the other mode', async () => {
    const session = await world.session(account)
    for (const mode of ['test', 'live'] as const) {
      const [own, foreign] = [
        await world.key(account, { mode, scopes: SCOPE_NAMES }),
        mode === 'test' ? 'live' : 'test',
      ]
      for (const act of [roll, revoke]) {
        expect(refused(await act({ session, mode: foreign }, own, '/dashboard'))).toEqual([
          403,
          'privilege_escalation',
          'mode',
        ])
      }
      expect((await roll({ session, mode }, own, '/dashboard')).status).toBe(200)
      expect((await revoke({ session, mode }, own, '/dashboard')).status).toBe(204)
    }
  })

  it('403 email_verification_required: a live secret goes to nobody whose address is not confirmed', async () => {
    const unverified = await world.account({ verified: false })
    const key = await world.key(unverified, { mode: 'live' })
    const by = { session: await world.session(unverified), mode: 'live' }
    expect(refused(await roll(by, key, '/dashboard')).slice(0, 2)).toEqual([403, 'email_verification_required'])
    expect((await revoke(by, key, '/dashboard')).status).toBe(204)
  })
})

describe('cutting an agent off', () => {
  it('403 privilege_escalation by a root key that reaches or may do less than the grant', async () => {
    const narrow = await world.key(account, { scopes: ['keys:write', 'documents:read'], empresas: [ours] })
    const granted = {
      scopes: { scopes: ['documents:write'], empresas: [ours] },
      empresas: { scopes: ['documents:read'], empresas: ['*'] },
    } as const
    for (const [exceeds, options] of Object.entries(granted)) {
      const { id } = await grantTo(world, account, options)
      expect(refused(await world.delete(`/v1/agent_grants/${id}`, { key: narrow }))).toEqual([
        403,
        'privilege_escalation',
        exceeds,
      ])
      expect((await world.delete(`/v1/agent_grants/${id}`, { key: chief })).status).toBe(204)
    }
    const { id } = await grantTo(world, account, { scopes: ['documents:read'], empresas: [ours] })
    expect((await world.delete(`/v1/agent_grants/${id}`, { key: narrow })).status).toBe(204)
  })
})
