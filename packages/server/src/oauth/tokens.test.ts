import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpc } from '../../test/support/agent-grant.ts'
import { connect, newPerson, type Person, refresh, register } from '../../test/support/oauth-client.ts'
import { openWorld, type Sent, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'

let world: World
let person: Person

beforeAll(async () => {
  world = await openWorld()
  person = await newPerson(world)
})
afterAll(() => world.close())

const opens = async (token: string) => (await rpc(world, token, 'tools/list')).status
const errorOf = ({ status, body }: Sent) => [status, body?.error]

describe('refreshing', () => {
  it('invalid_grant for a token that was refreshed before, which ends the whole family', async () => {
    const { client_id, refresh_token, access_token, grant_id } = await connect(world, person)
    const next = (await refresh(world, client_id, refresh_token)).body
    expect(errorOf(await refresh(world, client_id, refresh_token))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await refresh(world, client_id, next.refresh_token))).toEqual([400, 'invalid_grant'])
    for (const token of [access_token, next.access_token]) expect(await opens(token)).toBe(401)
    const key = await world.key(person.account_id, { scopes: SCOPE_NAMES })
    expect((await world.get(`/v1/agent_grants/${grant_id}`, { key })).body.status).toBe('revoked')
  })

  it('ends the whole family for a token that several refresh in the same moment', async () => {
    const { client_id, refresh_token, access_token, grant_id } = await connect(world, person)
    const sent = await Promise.all(Array.from({ length: 6 }, () => refresh(world, client_id, refresh_token)))
    const given = sent.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(given.length).toBeLessThanOrEqual(1)
    for (const token of [access_token, ...given.map((one) => one.access_token)]) expect(await opens(token)).toBe(401)
    for (const one of given) {
      expect(errorOf(await refresh(world, client_id, one.refresh_token))).toEqual([400, 'invalid_grant'])
    }
    const key = await world.key(person.account_id, { scopes: SCOPE_NAMES })
    expect((await world.get(`/v1/agent_grants/${grant_id}`, { key })).body.status).toBe('revoked')
  })

  it('gives a token that two refresh at once to one of them alone, and then to none', async () => {
    // Both have found the token unused before either uses it: only the statement that uses it can tell them apart.
    let waiting = 0
    let letGo = () => {}
    const both = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const slow = await openWorld({
      beside: world,
      database: (db) => ({
        ...db,
        async sql(strings, ...values) {
          if (strings.join('').includes('set consumed_at') && values.includes('RefreshToken')) {
            if (++waiting === 2) letGo()
            await both
          }
          return db.sql(strings, ...values)
        },
      }),
    })
    const { client_id, refresh_token, access_token, grant_id } = await connect(world, person)
    const sent = await Promise.all([1, 2].map(() => refresh(slow, client_id, refresh_token)))
    expect(waiting).toBe(2)
    expect(sent.map(errorOf).filter(([status]) => status === 400)).toEqual([[400, 'invalid_grant']])
    const [given] = sent.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(errorOf(await refresh(world, client_id, given.refresh_token))).toEqual([400, 'invalid_grant'])
    for (const token of [access_token, given.access_token]) expect(await opens(token)).toBe(401)
    const key = await world.key(person.account_id, { scopes: SCOPE_NAMES })
    expect((await world.get(`/v1/agent_grants/${grant_id}`, { key })).body.status).toBe('revoked')
    await slow.close()
  })

  it('invalid_scope for more than was granted, and what was declined stays declined', async () => {
    const { client_id, refresh_token } = await connect(world, person, { 'scope_documents:write': '' })
    const more = await refresh(world, client_id, refresh_token, { scope: 'documents:read webhooks:write' })
    expect(errorOf(more)).toEqual([400, 'invalid_scope'])
    const declined = await refresh(world, client_id, refresh_token, { scope: 'documents:read documents:write' })
    expect(errorOf(declined)).toEqual([400, 'invalid_scope'])
    expect((await refresh(world, client_id, refresh_token)).body.scope).toBe('documents:read empresas:read')
  })

  it('invalid_grant with the token of another client, once the grant expired, and once it was revoked', async () => {
    const { client_id: stranger } = (await register(world)).body
    const { client_id, refresh_token, grant_id } = await connect(world, person)
    expect(errorOf(await refresh(world, stranger, refresh_token))).toEqual([400, 'invalid_grant'])
    await world.db.sql`update oauth_item set payload = jsonb_set(payload, '{exp}', '1')
      where model = 'Grant' and grant_id = ${grant_id}`
    expect(errorOf(await refresh(world, client_id, refresh_token))).toEqual([400, 'invalid_grant'])
    const other = await connect(world, person)
    const key = await world.key(person.account_id, { scopes: SCOPE_NAMES })
    expect(await opens(other.access_token)).toBe(200)
    await world.delete(`/v1/agent_grants/${other.grant_id}`, { key })
    expect(await opens(other.access_token)).toBe(401)
    expect(errorOf(await refresh(world, other.client_id, other.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  it('401 for an access token of a grant that expired, of a closed account, and one of the past', async () => {
    const one = await connect(world, person)
    await world.db.sql`update agent_grant set expires_at = now() - interval '1 minute' where id = ${one.grant_id}`
    expect(await opens(one.access_token)).toBe(401)
    const two = await connect(world, person)
    await world.db.sql`update oauth_item set expires_at = now() - interval '1 minute' where grant_id = ${two.grant_id}`
    expect(await opens(two.access_token)).toBe(401)
    const leaver = await newPerson(world)
    const three = await connect(world, leaver)
    await world.db.sql`update account set closed_at = now() where id = ${leaver.account_id}`
    expect(await opens(three.access_token)).toBe(401)
    expect(errorOf(await refresh(world, three.client_id, three.refresh_token))).toEqual([400, 'invalid_grant'])
  })
})

describe('giving a token back', () => {
  const revoke = (token: string, client_id: string) =>
    world.post('/oauth/revoke', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: new URLSearchParams({ token, client_id }).toString(),
    })

  it('200 ends the grant with all its tokens, and a stranger ends nothing (RFC 7009)', async () => {
    const { client_id, access_token, refresh_token, grant_id } = await connect(world, person)
    const { client_id: stranger } = (await register(world)).body
    expect((await revoke(refresh_token, stranger)).status).toBe(200)
    expect(await opens(access_token)).toBe(200)
    expect((await revoke(refresh_token, client_id)).status).toBe(200)
    expect(await opens(access_token)).toBe(401)
    const told = await world.db.sql`
      select 1 from event where type = 'agent_grant.revoked' and data->'object'->>'id' = ${grant_id}`
    expect(told).toHaveLength(1)
  })
})
