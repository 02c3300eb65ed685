import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letterTo, restOfPost } from '../../../../test/support/mailbox.ts'
import { openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'
import { COLD_START_SCOPES } from '../../../catalog/scopes.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const password = 'una clave larga'
const newEmail = () => `${randomUUID()}@example.cl`
const register = (body: object) => world.post('/account/register', { body })
/** The call that an answer names, made as it says: every value in angle brackets is a field of the same answer. */
async function followed({ body }: Sent): Promise<Sent> {
  const { url, headers, body: next_body } = body.data.next
  const field = (path: string) => path.split('.').reduce((at, name) => at[name], body)
  const filled = Object.entries(headers as Record<string, string>).map(([name, value]) => [
    name.toLowerCase(),
    value.replace(/<(.+)>/, (_, path) => field(path)),
  ])
  return world.post(new URL(url).pathname, { headers: Object.fromEntries(filled), body: next_body })
}
const accounts = async (email: string) => world.db.sql<{ id: string; name: string }>`
  select id, name from account where email = ${email}`

describe('POST /account/register', () => {
  it('201 opens an account and a session, and says how to get a key', async () => {
    const email = newEmail()
    const sent = await register({ email, password })
    expect(sent.status).toBe(201)
    expect(sent.body.status).toBe('success')
    expect(sent.body.errors).toEqual([])
    expect(Object.keys(sent.body.data)).toEqual(['token', 'next'])
    expect(sent.body.data.next).toEqual({
      action: 'create_api_key',
      method: 'POST',
      url: 'http://timbre.test/dashboard/api_keys',
      headers: { Authorization: 'Bearer <data.token>', 'Svc-Mode': 'test', 'Content-Type': 'application/json' },
      body: { name: 'sandbox', scopes: COLD_START_SCOPES, empresas: ['*'] },
    })
    expect(await followed(sent)).toMatchObject({ status: 201, body: { object: 'api_key', mode: 'test' } })
    await letterTo(world, email, /Confirma tu correo/)
  })

  it('201 with bootstrap gives a sandbox key with the six cold-start scopes and the empresa', async () => {
    const rut = randomRut()
    const bootstrap = { sandbox_key: { name: 'tienda' }, empresa: { rut, legal_name: 'Comercial Ñuñoa SpA' } }
    const sent = await register({ email: newEmail(), password, bootstrap })
    expect(sent.status).toBe(201)
    const { api_key, empresa, next } = sent.body.data
    expect(Object.keys(sent.body.data)).toEqual(['token', 'api_key', 'empresa', 'next'])
    expect(api_key).toEqual({ object: 'api_key', id: expect.stringMatching(/^key_/), secret: api_key.secret })
    expect(api_key.secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/)
    expect(empresa).toEqual({ object: 'empresa', id: expect.stringMatching(/^emp_/), rut, mode: 'test' })
    const account = await world.get('/v1/account', { key: api_key.secret })
    expect(account.body.key).toMatchObject({ name: 'tienda', root: false, empresas: ['*'], scopes: COLD_START_SCOPES })
    expect(account.body).toMatchObject({ empresas_total: 1, empresas_ready: 1, plan: 'starter' })
    expect(next).toMatchObject({ action: 'issue_document', method: 'POST' })
    expect(await followed(sent)).toMatchObject({ status: 201, body: { object: 'document', status: 'queued' } })
  })

  it('201 with an empty bootstrap gives a key and says to create an empresa', async () => {
    const sent = await register({ email: newEmail(), password, bootstrap: {} })
    expect(Object.keys(sent.body.data)).toEqual(['token', 'api_key', 'next'])
    expect(sent.body.data.next).toMatchObject({
      action: 'create_empresa',
      method: 'POST',
      url: 'http://timbre.test/v1/empresas',
    })
    expect(await followed(sent)).toMatchObject({ status: 201, body: { object: 'empresa', mode: 'test' } })
  })

  it('201 keeps the scopes that were asked for, folios:write among them', async () => {
    const bootstrap = { sandbox_key: { name: 'folios', scopes: ['folios:write', 'documents:read'] } }
    const { body } = await register({ email: newEmail(), password, bootstrap })
    const { body: account } = await world.get('/v1/account', { key: body.data.api_key.secret })
    expect(account.key.scopes).toEqual(['folios:write', 'documents:read'])
  })

  it('201 puts the key and the empresa in the test ledger of the new account', async () => {
    const bootstrap = { empresa: { rut: randomRut(), legal_name: 'Uno SpA' } }
    const { body } = await register({ email: newEmail(), password, bootstrap })
    const { api_key, empresa } = body.data
    const events = await world.get('/v1/events', { key: api_key.secret })
    expect(events.body.data.map((event: { type: string }) => event.type)).toEqual([
      'empresa.created',
      'api_key.created',
    ])
    expect(events.body.data[0]).toMatchObject({ mode: 'test', empresa: { id: empresa.id, rut: empresa.rut } })
    expect(events.body.data[1].data.object).toMatchObject({ object: 'api_key', id: api_key.id })
    expect(events.text).not.toContain(api_key.secret)
  })

  it('201 with empresa_error when another account holds the RUT: account and key are made all the same', async () => {
    const empresa = { rut: randomRut(), legal_name: 'Primera SpA' }
    await register({ email: newEmail(), password, bootstrap: { empresa } })
    const sent = await register({ email: newEmail(), password, bootstrap: { empresa } })
    expect(sent.status).toBe(201)
    expect(Object.keys(sent.body.data)).toEqual(['token', 'api_key', 'empresa_error', 'next'])
    expect(sent.body.data.empresa_error.code).toBe('empresa_exists')
    expect(sent.body.data.empresa_error.message).toMatch(/RUT ya está en uso/)
    expect(sent.body.data.next.action).toBe('create_empresa')
    const { body: account } = await world.get('/v1/account', { key: sent.body.data.api_key.secret })
    expect(account.empresas_total).toBe(0)
  })

  it('201 for both of two that race for one RUT, and one of them is told', async () => {
    const bootstrap = { empresa: { rut: randomRut(), legal_name: 'Carrera SpA' } }
    const sent = await Promise.all([1, 2].map(() => register({ email: newEmail(), password, bootstrap })))
    expect(sent.map(({ status }) => status)).toEqual([201, 201])
    expect(sent.filter(({ body }) => body.data.empresa_error)).toHaveLength(1)
  })

  it('201 writes the e-mail in one way and names the account after it, or as asked', async () => {
    const local = randomUUID()
    await register({ email: `  ${local.toUpperCase()}@Example.CL `, password })
    expect((await accounts(`${local}@example.cl`))[0]?.name).toBe(local)
    const email = newEmail()
    await register({ email, password, name: 'Panadería Ana' })
    expect((await accounts(email))[0]?.name).toBe('Panadería Ana')
  })

  it('201 puts no word of the newcomer in a letter that a stranger may receive', async () => {
    const email = newEmail()
    await register({ email, password, name: 'Gana dinero en http://example.com' })
    const { text, html } = await letterTo(world, email, /Confirma tu correo/)
    expect(text + html).not.toMatch(/Gana dinero|example\.com/)
  })

  it.each([
    ['keys:write', { sandbox_key: { name: 'x', scopes: ['keys:write'] } }],
    ['a go-live scope', { sandbox_key: { name: 'x', scopes: ['documents:read', 'onboarding:attest'] } }],
    ['an unknown scope', { sandbox_key: { name: 'x', scopes: ['all'] } }],
    ['no scope', { sandbox_key: { name: 'x', scopes: [] } }],
    ['a blank key name', { sandbox_key: { name: ' ' } }],
    ['a wrong check digit', { empresa: { rut: '76192083-8', legal_name: 'X' } }],
    ['no RUT', { empresa: { legal_name: 'X' } }],
    ['a blank legal_name', { empresa: { rut: '76192083-9', legal_name: '  ' } }],
    ['a legal_name that no DTE can carry', { empresa: { rut: '76192083-9', legal_name: '東京' } }],
    ['an unknown field', { empresas: [] }],
    ['a NUL', { sandbox_key: { name: '\u0000' } }],
    ['a list', []],
    ['null', null],
  ])('400 invalid_bootstrap refuses %s and creates nothing', async (_what, bootstrap) => {
    const email = newEmail()
    const sent = await register({ email, password, bootstrap })
    expect([sent.status, sent.body.errors]).toEqual([400, ['invalid_bootstrap']])
    expect(sent.body.data.param).toMatch(/^bootstrap/)
    expect(await accounts(email)).toEqual([])
  })

  it.each([
    ['nine characters', '123456789'],
    ['two hundred and one characters', 'x'.repeat(201)],
    ['nothing', ''],
  ])('400 weak_password refuses %s', async (_what, weak) => {
    const sent = await register({ email: newEmail(), password: weak })
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([400, ['weak_password'], 'password'])
  })

  it('400 weak_password refuses the e-mail itself, however it is written', async () => {
    const email = newEmail()
    expect((await register({ email, password: ` ${email.toUpperCase()}` })).body.errors).toEqual(['weak_password'])
    expect(await accounts(email)).toEqual([])
  })

  it('201 counts characters, not bytes, up to two hundred', async () => {
    const letters = 'ñandú güiña épico'
    expect((await register({ email: newEmail(), password: '🔑🦉🍋🚲🧉🪁🌶🎻🦊🛶' })).status).toBe(201)
    const longest = [...Array(200)].map((_, i) => letters[(i * i + 7 * i) % letters.length]).join('')
    expect((await register({ email: newEmail(), password: longest })).status).toBe(201)
  })

  it.each([
    ['no e-mail', { password }, 'email'],
    ['an e-mail that is none', { email: 'ana', password }, 'email'],
    ['a header in the e-mail', { email: 'ana@example.cl\r\nBcc: x@example.cl', password }, 'email'],
    ['two addresses', { email: 'a@example.cl,b@example.cl', password }, 'email'],
    ['a password that is a number', { email: 'ana@example.cl', password: 1234567890 }, 'password'],
    ['a misspelt field', { email: 'ana@example.cl', password, bootstap: {} }, 'bootstap'],
    ['a blank name', { email: 'ana@example.cl', password, name: ' ' }, 'name'],
  ])('400 invalid_field names it when there is %s', async (_what, body, param) => {
    const sent = await register(body)
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([400, ['invalid_field'], param])
    expect(sent.body.message).toMatch(/Revisa los datos/)
    expect(sent.headers['svc-request-id']).toMatch(/^req_/)
    expect(sent.headers['ratelimit-limit']).toBeUndefined()
  })

  it('400 invalid_json speaks the envelope of this surface', async () => {
    const sent = await world.post('/account/register', { raw: '{"email":' })
    expect([sent.status, sent.body.status, sent.body.errors]).toEqual([400, 'error', ['invalid_json']])
  })

  it('409 email_taken when the address has an account, also when two race for it', async () => {
    const email = newEmail()
    const sent = await Promise.all([1, 2, 3].map(() => register({ email, password, bootstrap: {} })))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const late = await register({ email: email.toUpperCase(), password })
    expect([late.status, late.body.errors]).toEqual([409, ['email_taken']])
    expect(await accounts(email)).toHaveLength(1)
    await restOfPost(world)
    expect(world.letters.filter(({ to }) => to === email)).toHaveLength(1)
  })
})
