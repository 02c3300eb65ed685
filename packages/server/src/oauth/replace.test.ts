import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpc, useTool } from '../../test/support/agent-grant.ts'
import { type Issuer, openIssuer } from '../../test/support/issuer.ts'
import {
  ALLOW,
  asking,
  codeIn,
  newPerson,
  type Person,
  redeem,
  refresh,
  register,
  toConsent,
} from '../../test/support/oauth-client.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'

let world: World
let person: Person
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  person = await newPerson(world)
  issuer = await openIssuer(world, { account: person.account_id })
})
afterAll(() => world.close())

const newClient = async (): Promise<string> => (await register(world)).body.client_id
const SCOPES = 'documents:read documents:write empresas:read webhooks:write onboarding:write'
const { two_steps: _, ...AT_ONCE } = ALLOW
const MAKING = {
  ...AT_ONCE,
  bundle_notify: 'on',
  'scope_webhooks:write': 'on',
  bundle_launch: 'on',
  'scope_onboarding:write': 'on',
}

/** The person decides about a client, which takes its tokens. */
async function decide(client_id: string, form: Record<string, string> = {}, by = person) {
  const asked = asking(client_id, { scope: SCOPES })
  const { browser, consent } = await toConsent(world, by, asked)
  const code = codeIn(await browser.follow(consent.at, { ...AT_ONCE, ...form }))
  const [row] = await world.db.sql<{ id: string }>`
    select id from agent_grant where client_id = ${client_id} order by id desc limit 1`
  const { access_token: token, refresh_token } = (await redeem(world, asked, code)).body
  return { id: row?.id ?? '', token: token as string, refresh_token: refresh_token as string, page: consent.text }
}

let issued = 0
async function issue(token: string, unit_price: number): Promise<string> {
  const items = [{ description: 'Café', quantity: 1, unit_price }]
  const args = { empresa_rut: issuer.rut, tipo_dte: 39, items, idempotency_key: `boleta ${issued++}` }
  const { isError, structuredContent, content } = await useTool(world, token, 'documents_create', args)
  return isError ? `${content[0]?.text}` : structuredContent.object
}

const isOpen = async (token: string) => (await rpc(world, token, 'tools/list')).status === 200
const grant = async (id: string) => (await world.get(`/v1/agent_grants/${id}`, { key: await rootKey() })).body
const end = async (id: string) =>
  expect((await world.delete(`/v1/agent_grants/${id}`, { key: await rootKey() })).status).toBe(204)
const rootKey = () => world.key(person.account_id, { scopes: SCOPE_NAMES })

describe('deciding anew about an agent', () => {
  it('ends what it had, with every token, so that lower limits hold; other clients, modes and accounts go on', async () => {
    const client = await newClient()
    const other_person = await newPerson(world)
    const others = [
      await decide(await newClient()),
      await decide(client, { mode: 'live', all_live: 'on' }),
      await decide(client, {}, other_person),
    ]
    const before = await decide(client)
    const after = await decide(client, { max_clp_per_document: '1.000' })
    expect([await isOpen(before.token), await isOpen(after.token)]).toEqual([false, true])
    expect((await refresh(world, client, before.refresh_token)).status).toBe(400)
    expect(await issue(after.token, 2_000)).toContain('agent_limit_exceeded')
    for (const { token } of others) expect(await isOpen(token)).toBe(true)
    expect((await grant(before.id)).status).toBe('revoked')
    const told = await world.db.sql`
      select actor_kind, outcome from audit_entry where action = 'agent_grants.revoke' and subject = ${before.id}`
    expect(told).toEqual([{ actor_kind: 'session', outcome: 'succeeded' }])
    const heard = (await world.get('/v1/events?type=agent_grant.revoked', { key: await rootKey() })).body.data
    expect(heard.map(({ data }: { data: { object: { id: string } } }) => data.object.id)).toContain(before.id)
  })

  it('counts what was spent today once, also by a grant that a person had ended', async () => {
    const client = await newClient()
    const caps = { max_clp_per_day: '5.000' }
    const first = await decide(client, caps)
    expect(await issue(first.token, 1_000)).toBe('document')
    const second = await decide(client, caps)
    expect(await issue(second.token, 2_000)).toBe('document')
    await end(second.id)
    const third = await decide(client, caps)
    expect((await grant(third.id)).spent_today).toBe(3_000)
    expect(await issue(third.token, 2_500)).toContain('agent_limit_exceeded')
    expect(await issue(third.token, 2_000)).toBe('document')
  })

  it('stops nothing that the agent made: it goes over to the new grant, and ends with that one', async () => {
    const client = await newClient()
    const before = await decide(client, MAKING)
    const hook = (await useTool(world, before.token, 'webhook_endpoints_create', { url: 'https://a.example/aviso' }))
      .structuredContent.id
    const link = await world.db.sql<{ id: string }>`
      insert into onboarding_link (account_id, empresa_id, mode, id, page, slug_hash, road, made_by, created_at, expires_at)
      select account_id, id, mode, 'onl_de_agente', 'mandato', '\\x01', 'api', ${before.id}, now(), now() + interval '1 hour'
      from empresa where account_id = ${person.account_id} and rut = ${issuer.rut} returning id`
    expect(link).toHaveLength(1)
    const after = await decide(client, MAKING)
    const key = await rootKey()
    const endpoint = async () => (await world.get(`/v1/webhook_endpoints/${hook}`, { key })).body
    expect((await endpoint()).status).toBe('enabled')
    expect((await grant(after.id)).made.newest).toMatchObject([{ id: hook, ends_with_grant: true }])
    const [moved] = await world.db.sql`select made_by from onboarding_link where id = 'onl_de_agente'`
    expect(moved).toEqual({ made_by: after.id })
    await end(after.id)
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabled_reason: 'grant_ended' })
    // What had ended stays so: a decision later on does not wake it up.
    await decide(client, MAKING)
    expect((await endpoint()).status).toBe('disabled')
  })

  it('leaves one grant of two decisions that come at once', async () => {
    const client = await newClient()
    await decide(client)
    const pages = [await toConsent(world, person, asking(client)), await toConsent(world, person, asking(client))]
    await Promise.all(pages.map(({ browser, consent }) => browser.open(consent.at, ALLOW)))
    const standing = await world.db.sql`select 1 from agent_grant where client_id = ${client} and revoked_at is null`
    const made = await world.db.sql`select 1 from agent_grant where client_id = ${client}`
    expect([made.length, standing.length]).toEqual([3, 1])
  })

  it('is told on the page and in the letter where there is something to replace, with its limits', async () => {
    const client = await newClient()
    const first = await decide(client, { max_clp_per_document: '900.000', max_clp_per_day: '' })
    expect(first.page).not.toContain('ya tiene acceso')
    const { page } = await decide(client)
    expect(page).toContain('Este agente ya tiene acceso en modo de prueba')
    expect(page).toContain('$ 900.000 por documento y sin tope por día, sin preguntar antes')
    const stranger = await decide(client, {}, await newPerson(world))
    expect(stranger.page).not.toContain('ya tiene acceso')
    const letters = () =>
      world.letters.filter(({ to, subject }) => to === person.email && /acceso a un agente/.test(subject))
    await world.until(async () =>
      letters().some(({ text }) => text.includes('reemplaza al que el mismo agente ya tenía')),
    )
  })
})
