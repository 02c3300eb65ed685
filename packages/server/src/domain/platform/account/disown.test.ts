import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../../../test/support/agent-grant.ts'
import { connectRoutes } from '../../../../test/support/bank-connection.ts'
import { confirmed, letterTo, newPerson, tokenIn } from '../../../../test/support/mailbox.ts'
import { ALLOW, asking, Browser, register } from '../../../../test/support/oauth-client.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { f29Routes } from '../../../http/page-routes/public-links.ts'

// Somebody signs up with an address that is not theirs, and waits for its reader to answer our letter.

let world: World
beforeAll(async () => {
  world = await openWorld({
    plain: (db, parts) => [...f29Routes({ sql: db.sql, ...parts }), ...connectRoutes(db, parts)],
  })
})
afterAll(() => world.close())

const verify = (token: string) => world.post('/account/verify_email', { body: { token } })
const disown = (token: string) => world.post('/account/disown', { body: { token } })
const letter = async (email: string) => tokenIn(await letterTo(world, email, /Confirma tu correo/))
const seen = async (session: string) => (await world.get('/account/session', { session })).status
const body = { name: 'x', scopes: ['keys:write', 'webhooks:write'] }

describe('confirming an address for the first time', () => {
  it('ends the sessions, consent logins and links of whoever opened the account', async () => {
    const squatter = await newPerson(world)
    const other = await world.session(squatter.account_id)
    const { client_id } = (await register(world)).body
    const browser = new Browser(world)
    const { at } = await browser.follow(asking(client_id).url)
    const { email, password } = squatter
    const consent = await browser.follow(at, { decision: 'login', email, password })
    expect(consent.text).toContain('¿Le das acceso?')
    const away = { email: `lejos-${email}`, password }
    await world.post('/account/change_email', { session: squatter.token, body: away })
    const link = tokenIn(await letterTo(world, away.email, /nuevo correo/))

    expect((await verify(await letter(email))).status).toBe(200)
    expect([await seen(squatter.token), await seen(other)]).toEqual([401, 401])
    expect((await world.post('/dashboard/api_keys', { session: squatter.token, body })).status).toBe(401)
    await browser.follow(consent.at, ALLOW)
    expect(await world.db.sql`select 1 from agent_grant where account_id = ${squatter.account_id}`).toEqual([])
    expect((await verify(link)).body.errors).toEqual(['invalid_link'])
  })

  it('does so by a change of address too, and a later change leaves sessions alone', async () => {
    const ana = await newPerson(world)
    const move = async (session: string, email: string) => {
      await world.post('/account/change_email', { session, body: { email, password: ana.password } })
      await verify(tokenIn(await letterTo(world, email, /nuevo correo/)))
    }
    const email = `nueva-${ana.email}`
    await move(ana.token, email)
    expect(await seen(ana.token)).toBe(401)
    const again = await world.post('/account/login', { body: { email, password: ana.password } })
    await move(again.body.data.token, `otra-${ana.email}`)
    expect(await seen(again.body.data.token)).toBe(200)
  })

  it('lets no session make a live key behind it', async () => {
    const squatter = await newPerson(world)
    const link = await letter(squatter.email)
    const mint = () => world.post('/dashboard/api_keys', { session: squatter.token, body })
    const [, ...sent] = await Promise.all([verify(link), ...Array.from({ length: 8 }, mint)])
    expect(sent.every(({ status }) => [401, 403].includes(status))).toBe(true)
    expect(await world.db.sql`select 1 from api_key where account_id = ${squatter.account_id}`).toEqual([])
  })
})

describe('POST /account/disown', () => {
  it('200 ends all that whoever opened the account holds, and offers it to the reader of the letter', async () => {
    const squatter = await newPerson(world)
    const { email, password, token: session } = squatter
    const key = (await world.post('/dashboard/api_keys', { session, mode: 'test', body })).body.secret
    await world.post('/v1/webhook_endpoints', { key, body: { url: 'https://ladron.example/' } })
    const agent = await grantTo(world, squatter.account_id)
    const [rut, by] = [randomRut(), { session, mode: 'test' }]
    const { body: empresa } = await world.post('/dashboard/empresas', { ...by, body: { rut, legal_name: 'Uno SpA' } })
    await world.post(`/dashboard/empresas/${empresa.id}/onboarding/links`, { ...by, body: { step: 'mandato' } })
    const bank = await world.post('/dashboard/connections', { ...by, empresa: rut, body: {} })
    await world.post('/dashboard/tax/f29/proposals/2026-09/recompute', { ...by, empresa: rut, body: {} })
    const shared = { ...by, empresa: rut, body: {} }
    const f29 = await world.post('/dashboard/tax/f29/proposals/2026-09/public_links', shared)
    const opens = async (url: string) => (await world.get(new URL(url).pathname)).status
    expect([await opens(bank.body.link.url), await opens(f29.body.url)]).toEqual([200, 200])
    const sent = await disown(await letter(email))
    expect([await opens(bank.body.link.url), await opens(f29.body.url)]).toEqual([404, 404])
    const ended = { sessions: 1, links: 0, api_keys: 1, agent_grants: 1, webhook_endpoints: 1 }
    expect([sent.status, sent.body.data]).toMatchObject([
      200,
      { email, ended: { ...ended, public_links: 1, bank_pages: 1, onboarding_pages: 1 } },
    ])
    expect(await seen(session)).toBe(401)
    expect((await world.get('/v1/account', { key })).status).toBe(401)
    expect((await rpc(world, agent.token, 'tools/list')).status).toBe(401)
    const login = (typed: string) => world.post('/account/login', { body: { email, password: typed } })
    expect((await login(password)).body.errors).toEqual(['invalid_credentials'])
    const { text } = await letterTo(world, email, /Cerramos lo que abrieron/)
    expect(text).toContain('Claves de API terminadas: 1')
    expect(text).not.toContain('ladron.example')
    const reset = { token: tokenIn({ text } as never), password: 'otra clave larga' }
    expect((await world.post('/account/reset_password', { body: reset })).status).toBe(200)
    expect((await login(reset.password)).status).toBe(200)
  })

  it('400 invalid_link once it was used or confirmed, and for a link that changes the address', async () => {
    const [ana, eva] = [await newPerson(world), await newPerson(world)]
    const link = await letter(ana.email)
    await disown(link)
    expect((await disown(link)).body.errors).toEqual(['invalid_link'])
    const first = await letter(eva.email)
    const { token: session, password } = await confirmed(world, eva)
    expect((await disown(first)).body.errors).toEqual(['invalid_link'])
    const email = `nueva-${eva.email}`
    await world.post('/account/change_email', { session, body: { email, password } })
    const change = tokenIn(await letterTo(world, email, /nuevo correo/))
    expect((await disown(change)).body.errors).toEqual(['invalid_link'])
  })

  it('400 invalid_link for an older letter of an account that was confirmed since', async () => {
    const ana = await newPerson(world)
    const link = await letter(ana.email)
    await world.db.sql`
      update account set email_verified_at = now(), first_verified_at = now() where id = ${ana.account_id}`
    expect((await disown(link)).body.errors).toEqual(['invalid_link'])
    expect(await seen(ana.token)).toBe(200)
  })

  it('tells the reader of the letter, before the button', async () => {
    const { email } = await newPerson(world)
    expect((await letterTo(world, email, /Confirma tu correo/)).text).toContain(
      'Si no creaste esta cuenta, no la confirmes',
    )
  })
})
