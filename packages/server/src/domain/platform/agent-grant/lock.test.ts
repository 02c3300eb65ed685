import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../../../test/support/agent-grant.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { grantDay } from './store.ts'

let world: World
let issuer: Issuer
let root: string

beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  root = await world.key(issuer.account, { scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

let keys = 0
const issue = (token: string, external_id: string) =>
  rpc(world, token, 'tools/call', {
    name: 'documents_create',
    arguments: {
      empresa_rut: issuer.rut,
      tipo_dte: 39,
      items: [{ description: 'Café', quantity: 1, unit_price: 990 }],
      external_id,
      idempotency_key: `act-${keys++}`,
    },
  })
const issued = async (external_id: string) =>
  (await world.db.sql`select 1 from document where external_id = ${external_id}`).length

describe('a grant that ends in the midst of an act', () => {
  it('401 for one that was let in before and acts after: nothing of it lands', async () => {
    const { id, token } = await grantTo(world, issuer.account, { two_steps: false })
    // Remembered as standing, as any process may for a moment.
    expect((await rpc(world, token, 'ping')).status).toBe(200)
    await world.db.sql`update agent_grant set revoked_at = now() where id = ${id}`
    const sent = await issue(token, `tarde-${id}`)
    expect([sent.status, sent.headers['www-authenticate']]).toEqual([401, expect.stringContaining('invalid_token')])
    expect(await issued(`tarde-${id}`)).toBe(0)
  })

  it('204 for who ends it comes after what was under way, and never before', async () => {
    const { id, token } = await grantTo(world, issuer.account, { two_steps: false, max_clp_per_day: 50_000 })
    await issue(token, `primera-${id}`)
    let acting: Promise<unknown> = Promise.resolve()
    let ending: Promise<unknown> = Promise.resolve()
    let ended = false
    await world.db.transact(async (sql) => {
      // Whoever issues by this grant waits for this row, holding the grant.
      await sql`select 1 from agent_spend where grant_id = ${id} and day = ${grantDay()} for update`
      acting = issue(token, `en-curso-${id}`)
      await held(id)
      ending = world.delete(`/v1/agent_grants/${id}`, { key: root }).then(() => {
        ended = true
      })
      await waiting(id)
      expect(ended).toBe(false)
    })
    await Promise.all([acting, ending])
    expect(await issued(`en-curso-${id}`)).toBe(1)
    expect((await issue(token, `despues-${id}`)).status).toBe(401)
  })
})

/** Until somebody acts by the grant: it can no longer be had alone. */
async function held(id: string): Promise<void> {
  for (;;) {
    const free = await world.db.sql`select 1 from agent_grant where id = ${id} for update skip locked`
    if (free.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Until somebody waits to end it. */
async function waiting(id: string): Promise<void> {
  for (;;) {
    const rows = await world.db.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%update agent_grant set revoked_at%'`
    if (rows.length > 0) return
    if ((await world.get(`/v1/agent_grants/${id}`, { key: root })).body.status !== 'active') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
