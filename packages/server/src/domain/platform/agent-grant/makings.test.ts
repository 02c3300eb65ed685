import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeTo, grantTo, rpc, useTool } from '../../../../test/support/agent-grant.ts'
import { connectRoutes } from '../../../../test/support/bank-connection.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { MASTER_KEY } from '../../../../test/support/master-key.ts'
import { openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openReceiver, type Receiver } from '../../../../test/support/webhook-receiver.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { COLD_START_SCOPES } from '../../../catalog/scopes.ts'
import { documentRoutes } from '../../../http/page-routes/public-links.ts'
import { oneKey } from '../../../kernel/vault.ts'
import { OPERATIONS } from '../../../operations.ts'
import { openSessions } from '../account/session.ts'
import { revokeSlug } from './revoke.ts'

let world: World
let issuer: Issuer
let receiver: Receiver
beforeAll(async () => {
  world = await openWorld({
    plain: (db, parts) => [...documentRoutes({ sql: db.sql, ...parts }), ...connectRoutes(db, parts)],
  })
  issuer = await openIssuer(world, { scopes: [...COLD_START_SCOPES, 'keys:write'] })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await world.close()
})

const agent = () => grantTo(world, issuer.account, { two_steps: false })
const end = (id: string) => world.delete(`/v1/agent_grants/${id}`, { key: issuer.key })
const expire = (id: string) =>
  world.db.sql`update agent_grant set expires_at = ${new Date(Date.now() - 1_000)} where id = ${id}`
const endpoint = async (id: string) => (await world.get(`/v1/webhook_endpoints/${id}`, { key: issuer.key })).body
const patch = (id: string, body: object) => world.patch(`/v1/webhook_endpoints/${id}`, { key: issuer.key, body })

const rotateOwn = (id: string) => world.post(`/v1/webhook_endpoints/${id}/rotate_secret`, { key: issuer.key })

/** How many secrets sign for an endpoint. */
async function signing(id: string): Promise<number> {
  const [row] = await world.db.sql<{ two: boolean }>`
    select coalesce(previous_secret is not null and previous_secret_until > now(), false) as two
    from webhook_endpoint where id = ${id}`
  return row?.two ? 2 : 1
}

async function hookOf(token: string, path = '/'): Promise<string> {
  const { structuredContent } = await useTool(world, token, 'webhook_endpoints_create', { url: receiver.url + path })
  return structuredContent.id
}

/** Makes an event, and gives the endpoints that have a delivery of it. */
async function hearing(): Promise<string[]> {
  const made = await world.post('/v1/api_keys', { key: issuer.key, body: { name: 'x', scopes: ['documents:read'] } })
  const rows = await world.db.sql<{ endpoint_id: string }>`
    select d.endpoint_id from webhook_delivery d join event e on e.id = d.event_id
    where e.data->'object'->>'id' = ${made.body.id}`
  return rows.map(({ endpoint_id }) => endpoint_id)
}

describe('a webhook endpoint that an agent made', () => {
  it('hears nothing more once the grant is revoked, and says why', async () => {
    const { id, token } = await agent()
    const hook = await hookOf(token)
    expect(await hearing()).toContain(hook)
    expect((await end(id)).status).toBe(204)
    expect(await hearing()).not.toContain(hook)
    expect(await endpoint(hook)).toMatchObject({ status: 'disabled', disabled_reason: 'grant_ended' })
  })

  it('hears nothing more once the grant expires', async () => {
    const { id, token } = await agent()
    const hook = await hookOf(token)
    await expire(id)
    expect(await hearing()).not.toContain(hook)
    expect(await endpoint(hook)).toMatchObject({ status: 'disabled', disabled_reason: 'grant_ended' })
  })

  it('takes no ping once the grant has ended, and is sent none', async () => {
    const { id, token } = await agent()
    const hook = await hookOf(token, 'late')
    const seen = receiver.received.length
    await world.db.sql`update agent_grant set revoked_at = ${new Date()} where id = ${id}`
    const ping = await world.post(`/v1/webhook_endpoints/${hook}/ping`, { key: issuer.key })
    expect([ping.status, ping.body.error.code]).toEqual([409, 'webhook_endpoint_distrusted'])
    expect(receiver.received.slice(seen).filter(({ path }) => path === '/late')).toEqual([])
  })

  it('goes on once a person gives it another secret and enables it: the agent knows the one it had', async () => {
    const { id, token } = await agent()
    const hook = await hookOf(token)
    await end(id)
    expect((await patch(hook, { description: 'mío' })).body.disabled_reason).toBe('grant_ended')
    expect(await hearing()).not.toContain(hook)
    const refused = await patch(hook, { status: 'enabled' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'webhook_secret_exposed'])
    expect((await patch(hook, { url: receiver.url })).body.disabled_reason).toBe('grant_ended')
    expect((await rotateOwn(hook)).status).toBe(200)
    expect((await patch(hook, { status: 'enabled' })).body).toMatchObject({ status: 'enabled', disabled_reason: null })
    expect(await signing(hook)).toBe(1)
    expect(await hearing()).toContain(hook)
  })
})

describe('a webhook endpoint of the account', () => {
  it('ends with the grant of an agent that sent it elsewhere, and not with one that only described it', async () => {
    const own = await openHook(world, { account: issuer.account })
    const describing = await agent()
    const args = { webhook_endpoint_id: own.id }
    await useTool(world, describing.token, 'webhook_endpoints_update', { ...args, description: 'x' })
    await end(describing.id)
    expect(await hearing()).toContain(own.id)
    const moving = await agent()
    await agreeTo(world, moving.token, 'webhook_endpoints_update', { ...args, url: receiver.url })
    await end(moving.id)
    expect(await hearing()).not.toContain(own.id)
    await patch(own.id, { url: own.receiver.url })
    expect(await hearing()).toContain(own.id)
    await own.close()
  })

  it('keeps its secret from every agent: no tool tells it anew, directly or by the name of the operation', async () => {
    const own = await openHook(world, { account: issuer.account })
    const { token } = await agent()
    const args = { webhook_endpoint_id: own.id }
    const name = 'webhook_endpoints_rotate_secret'
    const direct = await rpc(world, token, 'tools/call', { name, arguments: args })
    expect(direct.body.error?.message).toBe(`Unknown tool: ${name}`)
    const { error } = (await useTool(world, token, 'operations_call', { operation: name, arguments: args }))
      .structuredContent
    expect([error.code, error.param]).toEqual(['invalid_field', 'operation'])
    expect(await signing(own.id)).toBe(1)
    await own.close()
  })
})

describe('a webhook endpoint that two agents had in hand', () => {
  const move = (token: string, webhook_endpoint_id: string) =>
    agreeTo(world, token, 'webhook_endpoints_update', { webhook_endpoint_id, url: `${receiver.url}/otra` })
  const madeBy = async (id: string) => (await world.get(`/v1/agent_grants/${id}`, { key: issuer.key })).body.made

  it('ends with either: the one that was told its secret, and the one that gave it its address', async () => {
    for (const which of [0, 1]) {
      const both = [await agent(), await agent()] as const
      const hook = await hookOf(both[0].token)
      await move(both[1].token, hook)
      for (const { id } of both) expect(await madeBy(id)).toMatchObject({ total: 1, newest: [{ id: hook }] })
      expect(await hearing()).toContain(hook)
      await end(both[which]?.id ?? '')
      expect(await hearing()).not.toContain(hook)
      expect(await endpoint(hook)).toMatchObject({ status: 'disabled', disabled_reason: 'grant_ended' })
    }
  })

  it('is one thing in the list of the agent that made it, and ends with it though another moved it', async () => {
    const [first, second] = [await agent(), await agent()]
    const hook = await hookOf(first.token)
    expect(await madeBy(first.id)).toMatchObject({ total: 1, newest: [{ id: hook }] })
    await move(second.token, hook)
    await end(first.id)
    expect(await endpoint(hook)).toMatchObject({ status: 'disabled', disabled_reason: 'grant_ended' })
  })

  it('ends with the agent that knows its secret though a person enabled it, and is theirs once they rotate it', async () => {
    for (const rotates of [false, true]) {
      const { id, token } = await agent()
      const hook = await hookOf(token)
      expect((await patch(hook, { status: 'enabled' })).status).toBe(200)
      if (rotates) {
        expect((await rotateOwn(hook)).status).toBe(200)
        expect(await signing(hook)).toBe(1)
      }
      await end(id)
      expect((await endpoint(hook)).status).toBe(rotates ? 'enabled' : 'disabled')
    }
  })

  it('is brought back by another agent only once a person gave it a secret that no agent knows', async () => {
    const [first, second] = [await agent(), await agent()]
    const hook = await hookOf(first.token)
    await end(first.id)
    const enable = () =>
      useTool(world, second.token, 'webhook_endpoints_update', { webhook_endpoint_id: hook, status: 'enabled' })
    expect(JSON.stringify(await enable())).toContain('webhook_secret_exposed')
    await rotateOwn(hook)
    await enable()
    expect([(await endpoint(hook)).status, await signing(hook)]).toEqual(['enabled', 1])
    await end(second.id)
    expect((await endpoint(hook)).status).toBe('disabled')
  })
})

describe('a link that an agent made', () => {
  it('404 once the grant ended, to a document', async () => {
    const { id, token } = await agent()
    const created = await issuer.create(FACTURA)
    const path = `/v1/documents/${created.body.id}`
    await expect.poll(async () => (await issuer.get(path)).body.status).toBe('accepted')
    const args = { document_id: created.body.id, empresa_rut: issuer.rut }
    const { structuredContent } = await useTool(world, token, 'documents_public_links_create', args)
    const page = new URL(structuredContent.url).pathname
    expect((await world.get(page)).status).toBe(200)
    await expire(id)
    expect((await world.get(page)).status).toBe(404)
  })

  it('404 once the grant ended, to the page where a bank is linked', async () => {
    const { id, token } = await agent()
    const { structuredContent } = await useTool(world, token, 'connections_create', { empresa_rut: issuer.rut })
    const page = new URL(structuredContent.link.url).pathname
    expect((await world.get(page)).status).toBe(200)
    await end(id)
    expect((await world.get(page)).status).toBe(404)
  })
})

describe('the list of what an agent made', () => {
  const sessions = openSessions(oneKey(MASTER_KEY))

  it('is in the grant and on its page, before and after it ended', async () => {
    const { id, token } = await agent()
    const hook = await hookOf(token)
    const contact = { counterparty_rut: '76192083-9', email: 'ventas@example.cl', empresa_id: issuer.empresa_id }
    await useTool(world, token, 'counterparties_contacts_create', contact)
    const expected = {
      total: 2,
      newest: [
        { object: 'counterparty_contact', label: 'ventas@example.cl', ends_with_grant: false },
        { object: 'webhook_endpoint', id: hook, label: new URL(receiver.url).host, ends_with_grant: true },
      ],
    }
    const read = async () => (await world.get(`/v1/agent_grants/${id}`, { key: issuer.key })).body.made
    const page = async () => (await world.get(`/agentes/${revokeSlug(sessions, id)}`)).text
    expect(await read()).toMatchObject(expected)
    expect(await page()).toMatch(/Aviso a 127\.0\.0\.1:\d+<\/bdi> .*termina al quitarle el acceso/)
    await end(id)
    expect(await read()).toMatchObject(expected)
    const text = await page()
    expect(text).toMatch(/Aviso a 127\.0\.0\.1:\d+<\/bdi> .*ya no funciona/)
    expect(text).toMatch(/Contacto ventas@example\.cl<\/bdi> .*sigue/)
    const listed = await world.get('/v1/agent_grants', { key: issuer.key })
    expect(listed.body.data.find((grant: { id: string }) => grant.id === id).made).toMatchObject(expected)
  })
})

describe('what an agent changed that outlives it', () => {
  const args = (more: object) => ({ empresa_id: issuer.empresa_id, ...more })
  const ACTS: readonly [tool: string, args: () => object][] = [
    ['counterparties_update', () => args({ counterparty_rut: '77123456-9', legal_name: 'Otro nombre', giro: 'x' })],
    ['empresas_update', () => args({ legal_name: 'Otra razón SpA', resolucion: { numero: 1, fecha: '2020-01-01' } })],
    ['empresas_create', () => ({ rut: randomRut(), legal_name: 'Nueva SpA' })],
    ['connections_create', () => ({ empresa_rut: issuer.rut })],
  ]

  it('takes two steps that say so, is listed with its fields, and is on the page after the grant ended', async () => {
    const { id, token } = await grantTo(world, issuer.account)
    for (const [tool, given] of ACTS) {
      const sent = given()
      const { structuredContent: shown } = await useTool(world, token, tool, sent)
      expect(shown.message, tool).toContain('Queda así también después de que el agente pierda su acceso.')
      const done = await useTool(world, token, tool, { ...sent, confirmation: shown.confirmation.token })
      expect(done.isError, JSON.stringify(done.structuredContent)).toBeUndefined()
    }
    await end(id)
    const { made } = (await world.get(`/v1/agent_grants/${id}`, { key: issuer.key })).body
    expect(made.total).toBe(4)
    const told = made.newest.map(({ object, label, act, fields, ends_with_grant }: Record<string, unknown>) => [
      object,
      label,
      act,
      fields,
      ends_with_grant,
    ])
    expect(told.slice(1)).toEqual([
      ['empresa', 'Nueva SpA', 'created', ['legal_name', 'rut'], false],
      ['empresa', 'Otra razón SpA', 'changed', ['legal_name', 'resolucion'], false],
      ['counterparty', 'Otro nombre (77.123.456-9)', 'changed', ['giro', 'legal_name'], false],
    ])
    expect(told[0].slice(0, 1)).toEqual(['connection'])
    const page = (await world.get(`/agentes/${revokeSlug(openSessions(oneKey(MASTER_KEY)), id)}`)).text
    expect(page).toMatch(
      /Cliente o proveedor Otro nombre \(77\.123\.456-9\), cambiado: giro, nombre<\/bdi> .*sigue: revísalo/,
    )
    const log = await world.db.sql<{ action: string }>`
      select action from audit_entry where actor_id = ${id} and outcome = 'succeeded' order by id`
    expect(log.map(({ action }) => action)).toEqual(ACTS.map(([tool]) => tool.replace('_', '.')))
  })
})

describe('whatever hands an agent an address or a secret', () => {
  it('is known to end with the grant', () => {
    const carries = (schema: unknown): boolean =>
      typeof schema === 'object' &&
      schema !== null &&
      Object.entries(schema).some(
        ([name, value]) =>
          (name === 'properties' && ('url' in (value as object) || 'secret' in (value as object))) || carries(value),
      )
    const offered = OPERATIONS.filter(({ method, mcp, returns }) => method !== 'GET' && !mcp.not && carries(returns))
    expect(offered.map(({ id }) => id).sort()).toEqual([
      'connections.create',
      'connections.reconnect',
      'documents.public_links.create',
      // They name pages of ours and of the SII, which open nothing.
      'empresas.create',
      'empresas.update',
      'tax.f29.proposals.public_links.create',
      // Calls of this API, named in what is pending.
      'test_helpers.onboarding.move_step',
      'test_helpers.onboarding.rehearse',
      'webhook_endpoints.create',
      'webhook_endpoints.update',
    ])
  })
})

describe('a contact that an agent adds', () => {
  it('is shown first, with the news that it outlives the grant', async () => {
    const { token } = await grantTo(world, issuer.account)
    const args = { counterparty_rut: '76192083-9', email: 'otra@example.cl', empresa_id: issuer.empresa_id }
    const { structuredContent } = await useTool(world, token, 'counterparties_contacts_create', args)
    expect(JSON.stringify(structuredContent)).toContain('también después de que el agente pierda su acceso')
  })
})
