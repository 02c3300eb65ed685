import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  ALLOW,
  AUDIENCE,
  asking,
  Browser,
  codeIn,
  connect,
  newPerson,
  type Person,
  RETURN_TO,
  redeem,
  refresh,
  register,
  toConsent,
} from '../../test/support/oauth-client.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'
import { hashSecret } from '../kernel/secret.ts'

let world: World
let person: Person

const said: unknown[] = []

beforeAll(async () => {
  for (const how of ['warn', 'info'] as const) vi.spyOn(console, how).mockImplementation((what) => void said.push(what))
  world = await openWorld()
  person = await newPerson(world)
})
afterAll(() => world.close())

describe('what a client finds', () => {
  it('names the resource, its server and its scopes (RFC 9728), wherever it is looked for', async () => {
    for (const suffix of ['', '/mcp']) {
      const { status, body, headers } = await world.get(`/.well-known/oauth-protected-resource${suffix}`)
      expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
      expect(body).toMatchObject({
        resource: AUDIENCE,
        authorization_servers: ['http://timbre.test'],
        bearer_methods_supported: ['header'],
      })
      expect(body.scopes_supported).toEqual(AGENT_SCOPES)
      expect(body.scopes_supported).not.toContain('keys:write')
    }
  })

  it('offers codes with S256 to public clients and nothing else (RFC 8414)', async () => {
    const { body } = await world.get('/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: 'http://timbre.test',
      authorization_endpoint: 'http://timbre.test/oauth/authorize',
      token_endpoint: 'http://timbre.test/oauth/token',
      registration_endpoint: 'http://timbre.test/oauth/register',
      revocation_endpoint: 'http://timbre.test/oauth/revoke',
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    })
  })

  it('404 for what would say that we identify people: there is no OpenID here', async () => {
    expect((await world.get('/.well-known/openid-configuration')).status).toBe(404)
  })

  it('204 lets a browser of another origin ask first', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/oauth/register']) {
      const { status, headers } = await world.call('OPTIONS', path, { headers: { origin: 'https://x.example' } })
      expect([status, headers['access-control-allow-origin']]).toEqual([204, '*'])
      expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
    }
    const token = await world.call('OPTIONS', '/oauth/token', {
      headers: { origin: 'https://x.example', 'access-control-request-method': 'POST' },
    })
    expect([token.status, token.headers['access-control-allow-origin']]).toEqual([204, 'https://x.example'])
  })
})

describe('the way of an agent', () => {
  it('leads from a stranger to tokens of what the person allowed, on the oldest Node we run on', async () => {
    const { client_id } = (await register(world)).body
    const asked = asking(client_id)
    const { browser, login, consent } = await toConsent(world, person, asked)
    expect(login.text).toContain('Asistente')
    expect(login.text).toContain('agente.example')
    const { 'scope_documents:write': _, ...readOnly } = ALLOW
    const back = await browser.follow(consent.at, readOnly)
    const address = new URL(back.headers.location ?? '')
    expect(address.origin + address.pathname).toBe(RETURN_TO)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ state: 'estado', iss: 'http://timbre.test' })
    const tokens = await redeem(world, asked, codeIn(back))
    expect(tokens.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'documents:read empresas:read',
    })
    // The library speaks of runtimes it does not know, and of what was left to its defaults.
    expect(said).toEqual([])
  })

  it('asks for the password each time, whoever was logged in a moment ago', async () => {
    const { client_id } = (await register(world)).body
    const { browser } = await toConsent(world, person, asking(client_id))
    expect((await browser.follow(asking(client_id).url)).text).toContain('name="password"')
  })

  it('keeps no secret: neither token, code, cookie nor client answer is in the database', async () => {
    const { access_token, refresh_token, code } = await connect(world, person)
    const [dump] = await world.db.sql<{ text: string }>`
      select string_agg(row_to_json(t)::text, '') as text from oauth_item t`
    for (const secret of [access_token, refresh_token, code]) expect(dump?.text).not.toContain(secret)
    const found = await world.db.sql`select 1 from oauth_item where hash = ${hashSecret(access_token)}`
    expect(found).toHaveLength(1)
  })

  it('keeps no cookie of a browser either', async () => {
    const { client_id } = (await register(world)).body
    const { browser } = await toConsent(world, person, asking(client_id))
    const [dump] = await world.db.sql<{ text: string }>`
      select string_agg(row_to_json(t)::text, '') as text from oauth_item t`
    const values = [...browser.cookies.values()].map(({ value }) => value).filter((value) => value.length > 20)
    expect(values.length).toBeGreaterThan(2)
    for (const value of values) expect(dump?.text).not.toContain(value)
  })

  it('gives tokens that open /mcp and not /v1', async () => {
    const { access_token } = await connect(world, person)
    const sent = await world.get('/v1/account', { key: access_token })
    expect([sent.status, sent.body.error.code]).toEqual([401, 'invalid_api_key'])
  })

  it('refuses, in the words of the client, what the person refuses', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const back = await browser.follow(consent.at, { decision: 'refuse' })
    expect(new URL(back.headers.location ?? '').searchParams.get('error')).toBe('access_denied')
    const before = await new Browser(world).follow(asking(client_id).url)
    expect(before.status).toBe(200)
  })

  it('rotates refresh tokens and narrows what is asked for less', async () => {
    const { client_id, refresh_token } = await connect(world, person)
    const first = await refresh(world, client_id, refresh_token, { scope: 'documents:read' })
    expect(first.body.scope).toBe('documents:read')
    expect(first.body.refresh_token).not.toBe(refresh_token)
    const second = await refresh(world, client_id, first.body.refresh_token)
    expect(second.status).toBe(200)
  })

  it('tells the ledger of a grant as a GET shows it, and gives it an end no later than asked for', async () => {
    const { grant_id } = await connect(world, person, { days: '1' })
    const root = await world.key(person.account_id, { scopes: ['keys:write', 'webhooks:read'] })
    const shown = (await world.get(`/v1/agent_grants/${grant_id}`, { key: root })).body
    const { data } = (await world.get('/v1/events?type=agent_grant.created&limit=1', { key: root })).body
    expect(data[0].data.object).toEqual(shown)
    const [item] = await world.db.sql<{ kind: string; late: boolean }>`
      select bool_or(i.expires_at > g.expires_at + interval '2 seconds') as late
      from oauth_item i join agent_grant g on g.id = i.grant_id where g.id = ${grant_id}`
    expect(item?.late).toBe(false)
  })

  it('sends cookies over TLS alone where we are served by it, and to our own pages alone', async () => {
    const secure = await openWorld({ public_url: 'https://timbre.test', beside: world, runs_jobs: false })
    try {
      const { client_id } = (await register(secure)).body
      const sent = await secure.get(asking(client_id).url)
      const cookies = [sent.headers['set-cookie'] ?? []].flat() as string[]
      expect(cookies.length).toBeGreaterThan(1)
      for (const cookie of cookies) expect(cookie).toMatch(/path=\/oauth\/.*samesite=lax; secure; httponly/i)
      const plain = await world.get(asking(client_id).url)
      expect(String(plain.headers['set-cookie'])).not.toMatch(/secure/i)
    } finally {
      await secure.close()
    }
  })
})
