import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpc } from '../../test/agent.ts'
import {
  ALLOW,
  asking,
  Browser,
  codeIn,
  connect,
  exchange,
  newPerson,
  type Person,
  RETURN_TO,
  redeem,
  refresh,
  register,
  toConsent,
} from '../../test/oauth.ts'
import { openWorld, type Sent, type World } from '../../test/world.ts'

let world: World
let person: Person

beforeAll(async () => {
  world = await openWorld()
  person = await newPerson(world)
})
afterAll(() => world.close())

const opens = async (token: string) => (await rpc(world, token, 'tools/list')).status
const errorOf = ({ status, body }: Sent) => [status, body?.error]
const sentBack = (sent: Sent) => Object.fromEntries(new URL(sent.headers.location ?? 'http://nowhere').searchParams)

/** A client, and a code that was given to it. */
async function withCode() {
  const { client_id } = (await register(world)).body
  const asked = asking(client_id)
  const { browser, consent } = await toConsent(world, person, asked)
  return { asked, code: codeIn(await browser.follow(consent.at, ALLOW)) }
}

describe('registering a client', () => {
  it('201 answers with what it got, whatever else it asked for', async () => {
    const asked = { token_endpoint_auth_method: 'client_secret_post', scope: 'all', logo_uri: 'https://x/y.png' }
    const { status, body } = await register(world, asked)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      response_types: ['code'],
      client_name: 'Asistente',
    })
    expect(Object.keys(body)).not.toContain('client_secret')
    expect(Object.keys(body)).not.toContain('logo_uri')
  })

  it('400 invalid_redirect_uri for what is neither https nor http on this machine', async () => {
    const bad = [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://evil.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'miapp://callback',
      'https://x.example/cb#parte',
      'https://quien:sabe@x.example/cb',
      'no es una dirección',
      `https://x.example/${'a'.repeat(2_000)}`,
      7,
    ]
    for (const uri of bad) {
      expect(errorOf(await register(world, { redirect_uris: [RETURN_TO, uri] }))).toEqual([400, 'invalid_redirect_uri'])
    }
    for (const redirect_uris of [[], undefined, 'x', Array.from({ length: 11 }, () => RETURN_TO)]) {
      expect(errorOf(await register(world, { redirect_uris }))).toEqual([400, 'invalid_redirect_uri'])
    }
  })

  it('400 invalid_client_metadata for a name that is too long, other grants, and what is not JSON', async () => {
    expect(errorOf(await register(world, { client_name: 'x'.repeat(81) }))).toEqual([400, 'invalid_client_metadata'])
    expect(errorOf(await register(world, { client_name: 7 }))).toEqual([400, 'invalid_client_metadata'])
    expect(errorOf(await register(world, { grant_types: ['password'] }))).toEqual([400, 'invalid_client_metadata'])
    for (const raw of ['{', '[]', 'null', '"x"']) {
      const sent = await world.post('/oauth/register', { raw, headers: { 'content-type': 'application/json' } })
      expect(errorOf(sent)).toEqual([400, 'invalid_client_metadata'])
    }
  })

  it('shows a name as text, without what would hide or turn around its neighbours', async () => {
    const { body } = await register(world, { client_name: '<b>Banco‮odatsE</b>\u0000 \n del' })
    expect(body.client_name).toBe('<b>BancoodatsE</b> del')
    const page = await new Browser(world).follow(asking(body.client_id).url)
    expect(page.text).toContain('&lt;b&gt;BancoodatsE&lt;/b&gt; del')
  })

  it('429 for the hundredth from one address, which is told when to come back', async () => {
    const narrow = await openWorld({ unlimited: false, beside: world, runs_jobs: false })
    try {
      const sent: Sent[] = []
      for (let i = 0; i < 100; i++) sent.push(await register(narrow))
      expect(sent.filter(({ status }) => status === 201)).toHaveLength(20)
      expect(sent.at(-1)?.status).toBe(429)
      expect(Number(sent.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await narrow.close()
    }
  })
})

describe('asking for a code', () => {
  it('400 in a page of ours, and no redirect, where the address to go back to is not the registered one', async () => {
    const { client_id } = (await register(world)).body
    for (const redirect_uri of ['https://mala.example/callback', `${RETURN_TO}/otra`, `${RETURN_TO}?x=1`]) {
      const sent = await new Browser(world).follow(asking(client_id, { redirect_uri }).url)
      expect([sent.status, sent.headers.location]).toEqual([400, undefined])
      expect(sent.text).toContain('Esta solicitud no sirve')
    }
    expect((await new Browser(world).follow(asking('cli_nadie').url)).status).toBe(400)
  })

  it('takes another port on the loopback address, and no other address (RFC 8252, 7.3)', async () => {
    const { client_id } = (await register(world, { redirect_uris: ['http://127.0.0.1:1234/cb'] })).body
    const at = (redirect_uri: string) => new Browser(world).follow(asking(client_id, { redirect_uri }).url)
    expect((await at('http://127.0.0.1:5678/cb')).status).toBe(200)
    for (const other of ['http://localhost:1234/cb', 'http://127.0.0.1:1234/otra', 'https://127.0.0.1:1234/cb']) {
      expect((await at(other)).status).toBe(400)
    }
  })

  it('invalid_request without PKCE, or with the plain one', async () => {
    const { client_id } = (await register(world)).body
    const none = asking(client_id, { code_challenge: null, code_challenge_method: null })
    const plain = asking(client_id, { code_challenge_method: 'plain' })
    const silent = asking(client_id, { code_challenge_method: null })
    for (const { url } of [none, plain, silent]) {
      expect(sentBack(await new Browser(world).follow(url))).toMatchObject({
        error: 'invalid_request',
        state: 'estado',
      })
    }
  })

  it('invalid_target for another audience, alone or beside ours', async () => {
    const { client_id } = (await register(world)).body
    const { url } = asking(client_id, { resource: 'https://otro.example/mcp' })
    expect(sentBack(await new Browser(world).follow(url)).error).toBe('invalid_target')
    const both = await new Browser(world).follow(`${url}&resource=${encodeURIComponent('http://timbre.test/mcp')}`)
    expect(sentBack(both).error).toBe('invalid_target')
  })

  it('refuses every other way to a token: implicit, hybrid, by password or by device', async () => {
    const { client_id } = (await register(world)).body
    for (const response_type of ['token', 'code id_token', 'id_token']) {
      const sent = await new Browser(world).follow(asking(client_id, { response_type }).url)
      expect(sent.headers.location).toMatch(
        /[?#&]error=(unsupported_response_type|unauthorized_client|invalid_request)/,
      )
    }
    const { email: username, password } = person
    const sent = await exchange(world, { grant_type: 'password', client_id, username, password })
    expect(errorOf(sent)).toEqual([400, 'unsupported_grant_type'])
    expect((await world.post('/oauth/device/auth')).status).toBe(404)
  })

  it('asks for nothing that is not ours to give: neither keys nor an identity', async () => {
    const { client_id } = (await register(world)).body
    const asked = asking(client_id, { scope: 'openid keys:write documents:read offline_access' })
    const { browser, consent } = await toConsent(world, person, asked)
    expect(consent.text).toContain('scope_documents:read')
    expect(consent.text).not.toContain('scope_keys:write')
    const form = { ...ALLOW, 'scope_keys:write': 'on', 'scope_empresas:read': 'on' }
    const { body } = await redeem(world, asked, codeIn(await browser.follow(consent.at, form)))
    expect([body.scope, body.id_token]).toEqual(['documents:read', undefined])
  })
})

describe('exchanging a code', () => {
  it('invalid_grant without the verifier, with another one, another client or another address', async () => {
    const { asked, code } = await withCode()
    const { client_id: stranger } = (await register(world)).body
    const wrong: Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { client_id: stranger },
      { redirect_uri: `${RETURN_TO}/otra` },
    ]
    for (const over of wrong) expect(errorOf(await redeem(world, asked, code, over))).toEqual([400, 'invalid_grant'])
    const { verifier: _, ...rest } = asked
    const bare = { grant_type: 'authorization_code', client_id: rest.client_id, code, redirect_uri: RETURN_TO }
    expect(errorOf(await exchange(world, bare))).toEqual([400, 'invalid_grant'])
    expect((await redeem(world, asked, code)).status).toBe(200)
  })

  it('invalid_grant for a code used twice, which ends all that the first use gave', async () => {
    const { asked, code } = await withCode()
    const { access_token, refresh_token } = (await redeem(world, asked, code)).body
    expect(await opens(access_token)).toBe(200)
    expect(errorOf(await redeem(world, asked, code))).toEqual([400, 'invalid_grant'])
    expect(await opens(access_token)).toBe(401)
    expect(errorOf(await refresh(world, asked.client_id, refresh_token))).toEqual([400, 'invalid_grant'])
  })

  it('gives tokens to one of two who use a code in the same moment', async () => {
    const { asked, code } = await withCode()
    const sent = await Promise.all([redeem(world, asked, code), redeem(world, asked, code)])
    expect(sent.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('invalid_target for another audience', async () => {
    const { asked, code } = await withCode()
    const sent = await redeem(world, asked, code, { resource: 'https://otro.example/mcp' })
    expect(errorOf(sent)).toEqual([400, 'invalid_target'])
  })

  it('invalid_grant for a code that waited too long', async () => {
    const { asked, code } = await withCode()
    await world.db.sql`
      update oauth_item set payload = jsonb_set(payload, '{exp}', '1') where model = 'AuthorizationCode'`
    expect(errorOf(await redeem(world, asked, code))).toEqual([400, 'invalid_grant'])
  })
})

describe('refreshing', () => {
  it('invalid_grant for a token that was refreshed before, which ends the whole family', async () => {
    const { client_id, refresh_token, access_token, grant_id } = await connect(world, person)
    const next = (await refresh(world, client_id, refresh_token)).body
    expect(errorOf(await refresh(world, client_id, refresh_token))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await refresh(world, client_id, next.refresh_token))).toEqual([400, 'invalid_grant'])
    for (const token of [access_token, next.access_token]) expect(await opens(token)).toBe(401)
    const key = await world.key(person.account_id, { scopes: ['keys:write'] })
    expect((await world.get(`/v1/agent_grants/${grant_id}`, { key })).body.status).toBe('revoked')
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
    const key = await world.key(person.account_id, { scopes: ['keys:write'] })
    expect(await opens(other.access_token)).toBe(200)
    await world.delete(`/v1/agent_grants/${other.grant_id}`, { key })
    expect(await opens(other.access_token)).toBe(401)
    expect(errorOf(await refresh(world, other.client_id, other.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  it('401 for an access token of a grant that expired, of a closed account, and one of the past', async () => {
    const one = await connect(world, person)
    await world.db.sql`update agent_grant set expires_at = now() where id = ${one.grant_id}`
    expect(await opens(one.access_token)).toBe(401)
    const two = await connect(world, person)
    await world.db.sql`update oauth_item set expires_at = now() where grant_id = ${two.grant_id}`
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

describe('the page that asks', () => {
  const grants = async () => {
    const [row] = await world.db.sql<{ many: number }>`select count(*)::int as many from agent_grant`
    return row?.many ?? 0
  }

  it('400 for a form without the cookie, with the cookie of another question, or with a tampered one', async () => {
    const { client_id } = (await register(world)).body
    const mine = await toConsent(world, person, asking(client_id))
    const other = await toConsent(world, await newPerson(world), asking(client_id))
    const before = await grants()
    const bare = new Browser(world)
    expect((await bare.open(mine.consent.at, ALLOW)).status).toBe(400)
    // Somebody else, logged in, with the address of my question.
    for (const [name, cookie] of other.browser.cookies) {
      const path = cookie.path.startsWith('/oauth/consent') ? mine.consent.at : cookie.path
      bare.cookies.set(name, { ...cookie, path })
    }
    expect((await bare.open(mine.consent.at, ALLOW)).status).toBe(400)
    // The right id, signed by nobody.
    const uid = mine.consent.at.split('/').at(-1) ?? ''
    const forged = createHmac('sha1', 'otra clave').update(`timbre_consent=${uid}`).digest('base64url')
    const forger = new Browser(world)
    forger.cookies.set('timbre_consent /', { value: uid, path: '/' })
    forger.cookies.set('timbre_consent.sig /', { value: forged, path: '/' })
    expect((await forger.open(mine.consent.at, ALLOW)).status).toBe(400)
    expect(await grants()).toBe(before)
  })

  it('takes an answer before the login for a failed login', async () => {
    const { client_id } = (await register(world)).body
    const browser = new Browser(world)
    const login = await browser.follow(asking(client_id).url)
    const before = await grants()
    const sent = await browser.open(login.at, ALLOW)
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect(sent.text).toContain('name="password"')
    expect(await grants()).toBe(before)
  })

  it('400 for a form that came from another site', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const sent = await browser.open(consent.at, ALLOW, { 'sec-fetch-site': 'cross-site' })
    expect(sent.status).toBe(400)
  })

  it('401 for a wrong password, and 429 for whoever keeps trying', async () => {
    const narrow = await openWorld({ unlimited: false, beside: world, runs_jobs: false })
    try {
      const { client_id } = (await register(narrow)).body
      const browser = new Browser(narrow)
      const login = await browser.follow(asking(client_id).url)
      const form = { decision: 'login', email: person.email, password: 'no es esta clave' }
      const statuses: number[] = []
      for (let i = 0; i < 6; i++) statuses.push((await browser.open(login.at, form)).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    } finally {
      await narrow.close()
    }
  })

  it('403 for production from an account whose e-mail is not confirmed, which the sandbox does not ask', async () => {
    const unknown = await newPerson(world, { verified: false })
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, unknown, asking(client_id))
    const live = await browser.open(consent.at, { ...ALLOW, mode: 'live', all_live: 'on' })
    expect(live.status).toBe(403)
    expect(live.text).toContain('confirma primero tu correo')
    expect((await browser.open(consent.at, ALLOW)).status).toBe(303)
  })

  it('400 says what does not add up and keeps what was chosen', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const { all_test: _, ...nowhere } = ALLOW
    const wrong: [Record<string, string>, string][] = [
      [nowhere, 'Elige al menos una empresa'],
      [{ ...ALLOW, max_clp_per_day: 'mucho' }, 'El tope por día debe ser un monto en pesos'],
      [{ ...ALLOW, max_clp_per_document: '0' }, 'El tope por documento debe ser un monto en pesos'],
      [{ ...ALLOW, receptores: '76.192.083-9\n1-1' }, '1-1 no es un RUT válido'],
      [{ decision: 'allow', mode: 'test', all_test: 'on' }, 'Activa al menos un permiso'],
    ]
    for (const [form, text] of wrong) {
      const sent = await browser.open(consent.at, form)
      expect([sent.status, sent.text.includes(text)]).toEqual([400, true])
    }
    const kept = await browser.open(consent.at, { ...ALLOW, receptores: 'mal', max_clp_per_day: '77.000' })
    expect(kept.text).toContain('value="77.000"')
  })

  it('makes one grant of a form that was sent twice, and both lead to the same end', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const before = await grants()
    const [one, two] = await Promise.all([browser.open(consent.at, ALLOW), browser.open(consent.at, ALLOW)])
    expect([one.status, two.status]).toEqual([303, 303])
    expect(one.headers.location).toBe(two.headers.location)
    expect(await grants()).toBe(before + 1)
  })
})
