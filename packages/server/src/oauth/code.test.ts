import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpc } from '../../test/support/agent-grant.ts'
import {
  ALLOW,
  asking,
  Browser,
  codeIn,
  exchange,
  newPerson,
  type Person,
  RETURN_TO,
  redeem,
  refresh,
  register,
  toConsent,
} from '../../test/support/oauth-client.ts'
import { openWorld, type Sent, type World } from '../../test/support/world.ts'
import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'

let world: World
let person: Person

beforeAll(async () => {
  world = await openWorld()
  person = await newPerson(world)
})
afterAll(() => world.close())

const opens = async (token: string) => (await rpc(world, token, 'tools/list')).status
const errorOf = ({ status, body }: Sent) => [status, body?.error]

/** A client, and a code that was given to it. */
async function withCode() {
  const { client_id } = (await register(world)).body
  const asked = asking(client_id)
  const { browser, consent } = await toConsent(world, person, asked)
  return { asked, code: codeIn(await browser.follow(consent.at, ALLOW)) }
}

/** Nobody has seen yet who asks, so nobody is sent there: anybody may register any address. */
function expectPage(sent: Sent): void {
  expect([sent.status, sent.headers.location]).toEqual([400, undefined])
  expect(sent.text).toContain('Esta solicitud no sirve')
}

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

  it('400 in a page of ours without PKCE, or with the plain one', async () => {
    const { client_id } = (await register(world)).body
    const none = asking(client_id, { code_challenge: null, code_challenge_method: null })
    const plain = asking(client_id, { code_challenge_method: 'plain' })
    const silent = asking(client_id, { code_challenge_method: null })
    for (const { url } of [none, plain, silent]) {
      expectPage(await new Browser(world).follow(url))
    }
  })

  it('400 in a page of ours for an answer in a fragment or in a form that sends itself', async () => {
    const { client_id } = (await register(world)).body
    for (const response_mode of ['fragment', 'form_post', 'web_message', 'jwt']) {
      const sent = await new Browser(world).open(asking(client_id, { response_mode }).url)
      expectPage(sent)
    }
    expect((await new Browser(world).follow(asking(client_id, { response_mode: 'query' }).url)).status).toBe(200)
  })

  it('400 for a character that nothing can keep', async () => {
    const { url } = asking((await register(world)).body.client_id, { state: 'a\u0000b' })
    expect((await world.get(url)).status).toBe(400)
  })

  it('429 in a page that a person can read, and when to come back', async () => {
    const narrow = await openWorld({ unlimited: false, beside: world, runs_jobs: false })
    try {
      const { url } = asking((await register(narrow)).body.client_id)
      const sent: Sent[] = []
      for (let i = 0; i < 61; i++) sent.push(await narrow.get(url))
      expect(sent.filter(({ status }) => status === 303)).toHaveLength(60)
      expect(sent.at(-1)?.text).toContain('Espera un momento')
      expect(Number(sent.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await narrow.close()
    }
  })

  it('400 in a page of ours for another audience, alone or beside ours', async () => {
    const { client_id } = (await register(world)).body
    const { url } = asking(client_id, { resource: 'https://otro.example/mcp' })
    expectPage(await new Browser(world).follow(url))
    expectPage(await new Browser(world).follow(`${url}&resource=${encodeURIComponent('http://timbre.test/mcp')}`))
  })

  it('refuses every other way to a token: implicit, hybrid, by password or by device', async () => {
    const { client_id } = (await register(world)).body
    for (const response_type of ['token', 'code id_token', 'id_token']) {
      const sent = await new Browser(world).follow(asking(client_id, { response_type }).url)
      expectPage(sent)
    }
    const { email: username, password } = person
    const sent = await exchange(world, { grant_type: 'password', client_id, username, password })
    expect(errorOf(sent)).toEqual([400, 'unsupported_grant_type'])
    expect((await world.post('/oauth/device/auth')).status).toBe(404)
  })

  it('400 in a page of ours for nothing but scopes that are not offered', async () => {
    const { client_id } = (await register(world)).body
    const sent = await new Browser(world).follow(asking(client_id, { scope: 'openid profile' }).url)
    expectPage(sent)
  })

  it('shows all that is offered to a client that names no scope', async () => {
    const { client_id } = (await register(world)).body
    const { consent } = await toConsent(world, person, asking(client_id, { scope: null }))
    for (const scope of AGENT_SCOPES) expect(consent.text).toContain(`name="scope_${scope}"`)
  })

  it('believes no header about its own address', async () => {
    const { client_id } = (await register(world)).body
    const headers = { host: 'mala.example', 'x-forwarded-host': 'mala.example', 'x-forwarded-proto': 'https' }
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const start = await browser.open(asking(client_id).url, undefined, headers)
    expect(start.headers.location).toMatch(/^\/oauth\/consent\//)
    const back = await browser.open(consent.at, ALLOW, headers)
    expect(back.headers.location).toMatch(/^http:\/\/timbre\.test\/oauth\/authorize\//)
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

  it('gives tokens to one at most of those who use a code in the same moment, and they open nothing', async () => {
    const { asked, code } = await withCode()
    const sent = await Promise.all(Array.from({ length: 4 }, () => redeem(world, asked, code)))
    const given = sent.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(given.length).toBeLessThanOrEqual(1)
    for (const { access_token, refresh_token } of given) {
      expect(await opens(access_token)).toBe(401)
      expect(errorOf(await refresh(world, asked.client_id, refresh_token))).toEqual([400, 'invalid_grant'])
    }
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
