import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asking, Browser, RETURN_TO, register } from '../../test/support/oauth-client.ts'
import { openWorld, type Sent, type World } from '../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const errorOf = ({ status, body }: Sent) => [status, body?.error]

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

  it('400 invalid_redirect_uri for what is no URI: other characters, or a host that would mean more in a policy', async () => {
    const bad = [
      'https://x.example/\u0000',
      'https://x.example/\ud800',
      'https://x.example/cb\n',
      ' https://x.example/cb',
      'https://x.exa\tmple/cb',
      'https://аpple.example/cb',
      'https://x.example\\@y.example/cb',
      'https://*.example/cb',
      'https://x;sandbox/cb',
      'https://x,y/cb',
    ]
    for (const uri of bad) {
      expect(errorOf(await register(world, { redirect_uris: [uri] }))).toEqual([400, 'invalid_redirect_uri'])
    }
    const good = ['https://x.example:8443/a%20b?c=d&e=(1)', 'http://[::1]:3000/cb', 'http://127.0.0.1/cb']
    expect((await register(world, { redirect_uris: good })).body.redirect_uris).toEqual(good)
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

  it('400 invalid_client_metadata for a name that stands twice: a proxy and we may not read the same one', async () => {
    const twice = [
      `{"redirect_uris":["${RETURN_TO}"],"redirect_uris":["https://otro.example/cb"]}`,
      `{"redirect_uris":["${RETURN_TO}"],"client_name":"Uno","client\\u005fname":"Otro"}`,
      `{"redirect_uris":["${RETURN_TO}"],"contact":{"a":1,"a":2}}`,
    ]
    for (const raw of twice) {
      const sent = await world.post('/oauth/register', { raw, headers: { 'content-type': 'application/json' } })
      expect(errorOf(sent)).toEqual([400, 'invalid_client_metadata'])
      expect(sent.body.error_description).toContain('same name twice')
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
      expect(sent.filter(({ status }) => status === 201)).toHaveLength(60)
      expect(sent.at(-1)?.status).toBe(429)
      expect(Number(sent.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await narrow.close()
    }
  })
})
