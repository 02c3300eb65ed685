import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../../../test/support/agent-grant.ts'
import { confirmed, letterTo, newPerson, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { ALLOW, asking, Browser, register } from '../../../../test/support/oauth-client.ts'
import { FRESH, openRecoveryWorld, recoveryIn } from '../../../../test/support/recovery.ts'
import type { World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openRecoveryWorld()
})
afterAll(() => world.close())

const { post, login, verify, works, resetOf, moving, mint, mintAgain } = recoveryIn(() => world)

describe('a password set by a letter', () => {
  it('ends a link to change the address: whoever once knew the password takes nothing later', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const link = await moving(ana, `ladron-${ana.email}`)
    expect((await resetOf(ana)).body.data.ended).toMatchObject({ sessions: 1, links: 1 })
    expect((await verify(link)).body.errors).toEqual(['invalid_link'])
    expect((await login(ana.email, FRESH)).status).toBe(200)
  })

  it('ends keys, grants and endpoints made before the address was confirmed, with what those keys minted', async () => {
    const opened = await newPerson(world)
    const root = await mint(opened.token, ['keys:write', 'documents:read', 'webhooks:write'])
    const agent = await grantTo(world, opened.account_id)
    const hook = { key: root, body: { url: 'https://ladron.example/' } }
    expect((await world.post('/v1/webhook_endpoints', hook)).status).toBe(201)
    const ana = await confirmed(world, opened)
    const minted = await world.post('/v1/api_keys', { key: root, body: { name: 'b', scopes: ['webhooks:write'] } })
    const grandchild = minted.body.secret
    expect((await world.post('/v1/webhook_endpoints', { ...hook, key: grandchild })).status).toBe(201)
    const live = await mint(ana.token, ['documents:read'], 'live')
    const later = await grantTo(world, ana.account_id)
    const own = await mint(ana.token, ['webhooks:write'])
    expect((await world.post('/v1/webhook_endpoints', { ...hook, key: own })).status).toBe(201)

    const { data } = (await resetOf(ana)).body
    expect(data.ended).toMatchObject({ sessions: 1, links: 0, api_keys: 2, agent_grants: 1, webhook_endpoints: 2 })
    expect(data.kept).toMatchObject({ api_keys: 2, agent_grants: 1, webhook_endpoints: 1 })
    expect([await works(root), await works(grandchild), await works(live), await works(own)]).toEqual([
      401, 401, 200, 200,
    ])
    expect((await rpc(world, agent.token, 'tools/list')).status).toBe(401)
    expect((await rpc(world, later.token, 'tools/list')).status).toBe(200)
    const told = await world.db.sql<{ type: string }>`
      select type from event where account_id = ${ana.account_id} and type like '%.revoked' order by seq`
    expect(told.map(({ type }) => type).sort()).toEqual(['agent_grant.revoked', 'api_key.revoked', 'api_key.revoked'])
  })

  it('ends or disables what a key from before that changed later, by its maker or its last changer', async () => {
    const opened = await newPerson(world)
    const root = await mint(opened.token, ['keys:write', 'documents:read', 'webhooks:write'])
    const ana = await confirmed(world, opened)
    const own = await mint(ana.token, ['documents:read', 'webhooks:write'])
    const hook = async (url: string) => (await world.post('/v1/webhook_endpoints', { key: own, body: { url } })).body.id
    const [moved, rotated, enabled, back, untouched, replaced] = [
      await hook('https://ana.example/1'),
      await hook('https://ana.example/2'),
      await hook('https://ana.example/3'),
      await hook('https://ana.example/4'),
      await hook('https://ana.example/5'),
      await hook('https://ana.example/6'),
    ]
    const at = (id: string) => `/v1/webhook_endpoints/${id}`
    const away = { key: root, body: { url: 'https://ladron.example/' } }
    await world.patch(at(moved), away)
    await world.post(`${at(rotated)}/rotate_secret`, { key: root })
    await world.post(`${at(rotated)}/ping`, { key: root })
    for (const key of [root, own]) await world.post(`${at(replaced)}/rotate_secret`, { key })
    await world.patch(at(enabled), { key: own, body: { status: 'disabled' } })
    await world.patch(at(enabled), { key: root, body: { status: 'enabled' } })
    await world.patch(at(back), away)
    await world.patch(at(back), { key: own, body: { url: 'https://ana.example/4' } })
    const victim = await mint(ana.token, ['documents:read'])
    const id = (await world.get('/v1/account', { key: victim })).body.key.id
    const rolled = (await world.post(`/v1/api_keys/${id}/roll`, { key: root })).body.secret

    const { ended, kept } = (await resetOf(ana)).body.data
    expect(ended).toMatchObject({ api_keys: 2, webhook_endpoints: 0, webhook_endpoints_disabled: 3 })
    expect(kept).toMatchObject({ api_keys: 1, webhook_endpoints: 3 })
    expect([await works(victim), await works(rolled), await works(own)]).toEqual([401, 401, 200])
    const read = async (one: string) => {
      const { status, disabled_reason } = (await world.get(at(one), { key: await mintAgain(ana) })).body
      return [status, disabled_reason]
    }
    for (const one of [moved, rotated, enabled]) expect(await read(one)).toEqual(['disabled', 'account_recovered'])
    for (const one of [back, untouched, replaced]) expect(await read(one)).toEqual(['enabled', null])
    const signing = async (one: string) =>
      (await world.db.sql`select 1 from webhook_endpoint where id = ${one} and previous_secret is not null`).length + 1
    expect([await signing(rotated), await signing(replaced)]).toEqual([1, 1])
    const enable = () => world.patch(at(rotated), { key: own, body: { status: 'enabled' } })
    const refused = await enable()
    expect([refused.status, refused.body.error.code]).toEqual([409, 'webhook_secret_exposed'])
    const ping = async () => {
      const { status, body } = await world.post(`${at(rotated)}/ping`, { key: own })
      return [status, body.error?.code]
    }
    const [waiting] = await world.db.sql<{ id: string }>`
      select id from webhook_delivery where endpoint_id = ${rotated} order by id limit 1`
    const retried = await world.post(`${at(rotated)}/deliveries/${waiting?.id}/retry`, { key: own })
    expect([retried.status, retried.body.error.code]).toEqual([409, 'webhook_endpoint_distrusted'])
    expect(await ping()).toEqual([409, 'webhook_endpoint_distrusted'])
    await world.post(`${at(rotated)}/rotate_secret`, { key: own })
    expect(await ping()).toEqual([409, 'webhook_endpoint_distrusted'])
    expect([(await enable()).body.status, await signing(rotated)]).toEqual(['enabled', 1])
    expect(await ping()).toEqual([202, undefined])
  })

  it('ends everything of an account whose address nobody had confirmed, whatever its test clock said', async () => {
    const ana = await newPerson(world)
    const key = await mint(ana.token, ['keys:write', 'documents:read'])
    const now = new Date(Date.now() + 200 * 86_400_000)
    await world.db.sql`update api_key set created_at = ${now} where account_id = ${ana.account_id}`
    await confirmed(world, ana)
    expect((await resetOf(ana)).body.data.ended.api_keys).toBe(1)
    expect(await works(key)).toBe(401)

    const eva = await newPerson(world)
    const other = await mint(eva.token, ['documents:read'])
    expect((await resetOf(eva)).body.data.ended.api_keys).toBe(1)
    expect(await works(other)).toBe(401)
  })

  it('counts from the first address that was confirmed, not from the newest', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const live = await mint(ana.token, ['documents:read'], 'live')
    const email = `nueva-${ana.email}`
    await verify(await moving(ana, email))
    expect((await resetOf({ email })).body.data).toMatchObject({ ended: { api_keys: 0 }, kept: { api_keys: 1 } })
    expect(await works(live)).toBe(200)
  })

  it('ends a login that waits at the consent page', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const { client_id } = (await register(world)).body
    const browser = new Browser(world)
    const { at } = await browser.follow(asking(client_id).url)
    const form = { decision: 'login', email: ana.email, password: ana.password }
    const consent = await browser.follow(at, form)
    expect(consent.text).toContain('¿Le das acceso?')
    await resetOf(ana)
    await browser.follow(consent.at, ALLOW)
    const grants = await world.db.sql`select 1 from agent_grant where account_id = ${ana.account_id}`
    expect(grants).toEqual([])
  })

  it('says by mail what ended and what goes on', async () => {
    const ana = await newPerson(world)
    await mint(ana.token, ['documents:read'])
    await resetOf(ana)
    const { text } = await letterTo(world, ana.email, /Cambió la contraseña/)
    expect(text).toContain('Sesiones cerradas: 1')
    expect(text).toContain('Claves de API terminadas: 1')
    expect(text).toContain('Claves de API que siguen: 0')
  })

  it('lets nothing be made behind it by a credential that it ends', async () => {
    const ana = await newPerson(world)
    const root = await mint(ana.token, ['keys:write', 'documents:read'])
    await restOfPost(world)
    await post('/account/forgot_password', { email: ana.email })
    await restOfPost(world)
    const token = tokenIn(await letterTo(world, ana.email, /Crea una contraseña nueva/))
    const body = { name: 'detrás', scopes: ['documents:read'] }
    const [, ...minted] = await Promise.all([
      post('/account/reset_password', { token, password: FRESH }),
      ...Array.from({ length: 8 }, () => world.post('/v1/api_keys', { key: root, body })),
      world.post('/dashboard/api_keys', { session: ana.token, mode: 'test', body }),
    ])
    expect(minted.every(({ status }) => [201, 401].includes(status))).toBe(true)
    const left = await world.db.sql`
      select 1 from api_key where account_id = ${ana.account_id} and revoked_at is null`
    expect(left).toEqual([])
  })
})

describe('a password changed in a session', () => {
  it('ends a link to change the address, too', async () => {
    const ana = await newPerson(world)
    const link = await moving(ana, `ladron-${ana.email}`)
    await post('/account/change_password', { current_password: ana.password, password: FRESH }, ana.token)
    expect((await verify(link)).body.errors).toEqual(['invalid_link'])
  })
})
