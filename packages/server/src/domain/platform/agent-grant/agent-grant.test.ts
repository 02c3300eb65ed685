import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../../../test/support/agent-grant.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { recordGrantUses } from './authenticate.ts'
import { deleteExpiredItems } from './oauth-items.ts'

let world: World
let account: string
let root: string

beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  root = await world.key(account, { scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

const refused = ({ status, body }: { status: number; body: { error: { code: string } } }) => [status, body.error.code]

describe('GET /v1/agent_grants', () => {
  it('200 lists the grants of the mode, newest first, page by page, and those of nobody else', async () => {
    const owner = await world.account()
    const key = await world.key(owner, { scopes: SCOPE_NAMES })
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.unshift((await grantTo(world, owner)).id)
    await grantTo(world, owner, { mode: 'live' })
    await grantTo(world, account)
    const first = await world.get('/v1/agent_grants?limit=2', { key })
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    const second = await world.get(`/v1/agent_grants?limit=2&cursor=${first.body.next_cursor}`, { key })
    expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect(second.body.has_more).toBe(false)
    const session = await world.session(owner)
    expect((await world.get('/dashboard/agent_grants', { session, mode: 'live' })).body.data).toHaveLength(1)
  })

  it('200 lists those of one status, and each grant has exactly one', async () => {
    const owner = await world.account()
    const key = await world.key(owner, { scopes: SCOPE_NAMES })
    const [active, expired, revoked] = [
      await grantTo(world, owner),
      await grantTo(world, owner),
      await grantTo(world, owner),
    ]
    await world.db
      .sql`update agent_grant set expires_at = now() - interval '1 minute' where id in (${expired.id}, ${revoked.id})`
    await world.db.sql`update agent_grant set revoked_at = now() where id = ${revoked.id}`
    const ids = async (status: string) =>
      (await world.get(`/v1/agent_grants?status=${status}`, { key })).body.data.map(({ id }: { id: string }) => id)
    expect([await ids('active'), await ids('expired'), await ids('revoked')]).toEqual([
      [active.id],
      [expired.id],
      [revoked.id],
    ])
    expect(refused(await world.get('/v1/agent_grants?status=ended', { key }))).toEqual([400, 'invalid_field'])
  })

  it('200 tells its times by the clock of the account, and lives on in real time when that is moved', async () => {
    const owner = await world.account()
    const key = await world.key(owner, { scopes: SCOPE_NAMES })
    const { id } = await grantTo(world, owner)
    const before = (await world.get(`/v1/agent_grants/${id}`, { key })).body
    await moveClock(world, key, { advance: 'P390D' })
    const after = (await world.get(`/v1/agent_grants/${id}`, { key })).body
    const [row] = await world.db.sql<{
      offset_ms: number
    }>`select offset_ms from test_clock where account_id = ${owner}`
    const ahead = (at: 'created_at' | 'expires_at') => Date.parse(after[at]) - Date.parse(before[at])
    expect(row?.offset_ms).toBeGreaterThan(389 * 86_400_000)
    expect([ahead('created_at'), ahead('expires_at'), after.status]).toEqual([row?.offset_ms, row?.offset_ms, 'active'])
    expect((await world.get('/v1/agent_grants', { key })).body.data[0]).toEqual(after)
  })

  it('400 invalid_cursor', async () => {
    expect(refused(await world.get('/v1/agent_grants?cursor=cur_x', { key: root }))).toEqual([400, 'invalid_cursor'])
  })

  it('403 root_key_required for an ordinary key, on each of the three', async () => {
    const key = await world.key(account)
    const { id } = await grantTo(world, account)
    expect(refused(await world.get('/v1/agent_grants', { key }))).toEqual([403, 'root_key_required'])
    expect(refused(await world.get(`/v1/agent_grants/${id}`, { key }))).toEqual([403, 'root_key_required'])
    expect(refused(await world.delete(`/v1/agent_grants/${id}`, { key }))).toEqual([403, 'root_key_required'])
  })
})

describe('the cursor of a list', () => {
  it('400 invalid_cursor in another account and in the other mode', async () => {
    const [mine, theirs] = [await world.account(), await world.account()]
    for (const mode of ['test', 'live'] as const) {
      for (const owner of [mine, theirs]) for (let i = 0; i < 2; i++) await grantTo(world, owner, { mode })
    }
    const key = await world.key(mine, { scopes: SCOPE_NAMES })
    const { next_cursor } = (await world.get('/v1/agent_grants?limit=1', { key })).body
    const path = `/v1/agent_grants?limit=1&cursor=${next_cursor}`
    expect((await world.get(path, { key })).status).toBe(200)
    for (const other of [
      await world.key(theirs, { scopes: SCOPE_NAMES }),
      await world.key(mine, { scopes: SCOPE_NAMES, mode: 'live' }),
    ]) {
      expect(refused(await world.get(path, { key: other }))).toEqual([400, 'invalid_cursor'])
    }
  })
})

describe('GET /v1/agent_grants/{grant_id}', () => {
  it('200 tells who asked and what was allowed, and that it expired', async () => {
    const { id } = await grantTo(world, account, { max_clp_per_day: 5_000, scopes: ['documents:read'] })
    const sent = await world.get(`/v1/agent_grants/${id}`, { key: root })
    expect(sent.body).toMatchObject({
      object: 'agent_grant',
      id,
      status: 'active',
      mode: 'test',
      client: { name: 'Asistente de prueba', host: 'agente.test' },
      scopes: ['documents:read'],
      empresas: ['*'],
      two_steps: true,
      limits: { max_clp_per_document: null, max_clp_per_day: 5_000, tipos: null, receptores: null },
      spent_today: 0,
      last_used_at: null,
      revoked_at: null,
    })
    await world.db.sql`update agent_grant set expires_at = now() - interval '1 minute' where id = ${id}`
    expect((await world.get(`/v1/agent_grants/${id}`, { key: root })).body.status).toBe('expired')
  })

  it('404 agent_grant_not_found for one that is not there, and one of the other mode', async () => {
    const { id } = await grantTo(world, account, { mode: 'live' })
    for (const each of ['agr_x', id]) {
      const sent = await world.get(`/v1/agent_grants/${each}`, { key: root })
      expect(refused(sent)).toEqual([404, 'agent_grant_not_found'])
    }
  })

  it('shows when it was last used, written down many at once and never backwards', async () => {
    const { id } = await grantTo(world, account)
    const at = Date.parse('2026-11-01T12:00:00Z')
    await recordGrantUses(world.db.sql, new Map([[id, at]]))
    await recordGrantUses(world.db.sql, new Map([[id, at - 1_000]]))
    const { last_used_at } = (await world.get(`/v1/agent_grants/${id}`, { key: root })).body
    expect(last_used_at).toBe('2026-11-01T12:00:00.000Z')
  })
})

describe('DELETE /v1/agent_grants/{grant_id}', () => {
  it('204 cuts the agent off at once, in every process, and says so in the ledger', async () => {
    const { id, token } = await grantTo(world, account)
    const beside = await openWorld({ beside: world, runs_jobs: false })
    try {
      for (const each of [world, beside]) expect((await rpc(each, token, 'tools/list')).status).toBe(200)
      expect((await world.delete(`/v1/agent_grants/${id}`, { key: root })).status).toBe(204)
      expect((await rpc(world, token, 'tools/list')).status).toBe(401)
      expect((await rpc(beside, token, 'tools/list')).status).toBe(401)
    } finally {
      await beside.close()
    }
    const shown = await world.get(`/v1/agent_grants/${id}`, { key: root })
    expect(shown.body.status).toBe('revoked')
    const events = await world.get('/v1/events?type=agent_grant.revoked&limit=1', { key: await world.key(account) })
    // When it was last used is written down by a sweep, at its own pace.
    const { last_used_at: _, ...ended } = events.body.data[0].data.object
    expect(shown.body).toMatchObject(ended)
    const left = await world.db.sql`select 1 from oauth_item where grant_id = ${id}`
    expect(left).toHaveLength(0)
  })

  it('204 again for one that ended, and is told once', async () => {
    const { id } = await grantTo(world, account)
    for (let i = 0; i < 2; i++) expect((await world.delete(`/v1/agent_grants/${id}`, { key: root })).status).toBe(204)
    const told = await world.db.sql`
      select 1 from event where type = 'agent_grant.revoked' and data->'object'->>'id' = ${id}`
    expect(told).toHaveLength(1)
  })

  it('404 agent_grant_not_found for one of the other mode', async () => {
    const { id } = await grantTo(world, account, { mode: 'live' })
    const sent = await world.delete(`/v1/agent_grants/${id}`, { key: root })
    expect(refused(sent)).toEqual([404, 'agent_grant_not_found'])
  })
})

describe('what the authorization server keeps', () => {
  it('is forgotten once it expired, and nothing before', async () => {
    const { id } = await grantTo(world, account)
    const other = await grantTo(world, account)
    await world.db.sql`update oauth_item set expires_at = now() - interval '1 second' where grant_id = ${id}`
    await deleteExpiredItems(world.db.sql, new Date())
    const left = await world.db.sql<{ grant_id: string }>`
      select grant_id from oauth_item where grant_id in (${id}, ${other.id})`
    expect(left).toEqual([{ grant_id: other.id }])
  })
})
