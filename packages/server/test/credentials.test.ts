import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCOPE_NAMES } from '../src/catalog/scopes.ts'
import { revokeSlug } from '../src/domain/platform/agent-grant/revoke.ts'
import { certificationsRoutes } from '../src/http/page-routes/certifications.ts'
import { onboardingRoutes } from '../src/http/page-routes/onboarding/routes.ts'
import { operatorSessionRoutes } from '../src/http/page-routes/operator-session.ts'
import { REACTIONS } from '../src/reactions.ts'
import { rpc } from './support/agent-grant.ts'
import { connectRoutes } from './support/bank-connection.ts'
import { letterTo, tokenIn } from './support/mailbox.ts'
import {
  ALLOW,
  asking,
  Browser,
  codeIn,
  newPerson,
  type Person,
  redeem,
  refresh,
  register,
  toConsent,
} from './support/oauth-client.ts'
import { OPERATOR_EMAIL, OPERATOR_SECRET, openWorld, randomRut, type World } from './support/world.ts'

const public_url = 'http://timbre.test'
const addresses = { public_url, base_url: `${public_url}/v1`, operator_email: OPERATOR_EMAIL } as never

let world: World
let client_id: string
beforeAll(async () => {
  world = await openWorld({
    operator_secret: OPERATOR_SECRET,
    plain: (db, parts) => {
      const given = { sql: db.sql, ...parts, addresses, operator_secret: OPERATOR_SECRET, reactions: REACTIONS }
      return [
        ...operatorSessionRoutes(given),
        ...certificationsRoutes(given),
        ...onboardingRoutes(given),
        ...(connectRoutes?.(db, parts) ?? []),
      ]
    },
  })
})
afterAll(() => world.close())

const slugOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''
const cookieOf = (browser: Browser, name: string) =>
  [...browser.cookies].find(([key]) => key.startsWith(`${name} `))?.[1].value ?? ''

/** Of an agent that was let in: its tokens, the cookies of whoever did, and the link of the letter about it. */
async function ofConsent(person: Person) {
  client_id = (await register(world)).body.client_id
  const asked = asking(client_id)
  const { browser, consent } = await toConsent(world, person, asked)
  const question = cookieOf(browser, 'timbre_consent')
  const code = codeIn(await browser.follow(consent.at, ALLOW))
  const tokens = (await redeem(world, asked, code)).body
  const [grant] = await world.db.sql<{ id: string }>`select id from agent_grant where client_id = ${client_id}`
  return {
    'an agent’s access token': tokens.access_token,
    'the link that ends an agent': revokeSlug(world.sessions, grant?.id ?? ''),
    'the cookie of a login for consent': cookieOf(browser, 'timbre_oauth'),
    'the cookie of a question of consent': question,
    'an agent’s refresh token': tokens.refresh_token,
  }
}

/** Everything that lets somebody in somewhere, of one account. What can be used once is last. */
async function credentials(): Promise<Record<string, string>> {
  const person = await newPerson(world)
  const { account_id, email, password } = person
  await world.db.sql`update account set plan = 'house' where id = ${account_id}`
  const [key, live] = [await world.key(account_id), await world.key(account_id, { mode: 'live', scopes: SCOPE_NAMES })]
  const agents = new Browser(world)
  await agents.open('/agentes', { email, password })
  const operator = new Browser(world)
  await operator.open('/operador', { secret: OPERATOR_SECRET, name: 'Ana Soto' })
  const rut = randomRut()
  await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Panadería Ñandú Ltda' } })
  const bank = await world.post('/v1/connections', { key, empresa: rut, body: { holder_type: 'business' } })
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types: [33] }
  const { id } = (await world.post('/v1/empresas', { key: live, body })).body
  const links = `/v1/empresas/${id}/onboarding/links`
  const hosted = await world.post(links, { key: live, body: { step: 'mandato' } })
  const { 'an agent’s refresh token': refresh_token, ...consent } = await ofConsent(person)
  await world.post('/account/forgot_password', { body: { email } })
  return {
    'an API key': key,
    'a session of the account': (await world.post('/account/login', { body: { email, password } })).body.data.token,
    'the cookie of the pages of agents': cookieOf(agents, 'timbre_agentes'),
    'the operator’s secret': OPERATOR_SECRET,
    'the cookie of the operator’s pages': cookieOf(operator, 'timbre_operador'),
    'the link of an onboarding page': slugOf(hosted.body.url),
    'the link to connect a bank': slugOf(bank.body.link.url),
    ...consent,
    'an agent’s refresh token': refresh_token,
    'the link of a new password': tokenIn(await letterTo(world, email, /Crea una contraseña nueva/)),
  }
}

type Door = (value: string) => Promise<boolean>

const isAt = async (path: string) => (await world.get(path)).status === 200
const withCookie = async (path: string, name: string, value: string) =>
  world.get(path, { headers: { cookie: `${name}=${value}` } })

/** Whether each door opens to whoever brings a value, in the way that its own credential is brought. */
const DOORS: Record<string, Door> = {
  '/v1': async (key) => (await world.get('/v1/empresas', { key })).status === 200,
  '/dashboard': async (key) => (await world.get('/dashboard/empresas', { key, mode: 'test' })).status === 200,
  '/dashboard, minting a key': async (key) =>
    (await world.post('/dashboard/api_keys', { key, mode: 'test', body: { name: 'otra', scopes: ['documents:read'] } }))
      .status === 201,
  '/account': async (session) => (await world.get('/account/session', { session })).status === 200,
  '/mcp': async (token) => (await rpc(world, token, 'tools/list')).status === 200,
  'the operator’s operations': async (secret) => {
    const headers = { 'svc-operator-secret': secret }
    return (await world.post('/v1/empresas/emp_x/onboarding/steps/mandato/take', { headers, body: {} })).status !== 401
  },
  '/agentes': async (value) => (await withCookie('/agentes', 'timbre_agentes', value)).text.includes('Entraste como'),
  '/operador': async (value) =>
    (await withCookie('/operador/certificaciones', 'timbre_operador', value)).status === 200,
  '/agentes/{slug}': async (slug) => isAt(`/agentes/${slug}`),
  '/puesta-en-marcha/{slug}': async (slug) => isAt(`/puesta-en-marcha/${slug}`),
  '/connect/{slug}': async (slug) => isAt(`/connect/${slug}`),
  '/oauth/token': async (token) => (await refresh(world, client_id, token)).status === 200,
  'a new password': async (token) => {
    const body = { token, password: 'otra clave bien larga' }
    return (await world.post('/account/reset_password', { body })).status === 200
  },
}

/** A test key speaks at /mcp too; a cookie of consent is worth nothing without its signature. */
const OPENS: Record<string, readonly string[]> = {
  'an API key': ['/v1', '/mcp'],
  'a session of the account': ['/dashboard', '/dashboard, minting a key', '/account'],
  'the cookie of the pages of agents': ['/agentes'],
  'the operator’s secret': ['the operator’s operations'],
  'the cookie of the operator’s pages': ['/operador'],
  'the link of an onboarding page': ['/puesta-en-marcha/{slug}'],
  'the link to connect a bank': ['/connect/{slug}'],
  'an agent’s access token': ['/mcp'],
  'the link that ends an agent': ['/agentes/{slug}'],
  'the cookie of a login for consent': [],
  'the cookie of a question of consent': [],
  'an agent’s refresh token': ['/oauth/token'],
  'the link of a new password': ['a new password'],
}

it('every credential opens its own doors and no other', async () => {
  const held = await credentials()
  const opened: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(held)) {
    expect([name, value.length > 16]).toEqual([name, true])
    const doors: string[] = []
    for (const [door, opens] of Object.entries(DOORS)) if (await opens(value)) doors.push(door)
    opened[name] = doors
  }
  expect(opened).toEqual(OPENS)
})
