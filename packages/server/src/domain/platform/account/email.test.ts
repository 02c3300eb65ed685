import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmed, letterTo, newPerson, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const verify = (token: string) => world.post('/account/verify_email', { body: { token } })
const account = async (session: string) => (await world.get('/account/session', { session })).body.data.account
const changeEmail = (session: string, email: string, password: string) =>
  world.post('/account/change_email', { session, body: { email, password } })
const newEmail = () => `${randomUUID()}@example.cl`

describe('POST /account/verify_email', () => {
  it('200 confirms the address, once, and opens the way to a live key', async () => {
    const ana = await newPerson(world)
    const mint = (session: string) =>
      world.post('/dashboard/api_keys', { session, body: { name: 'x', scopes: ['documents:read'] } })
    expect((await mint(ana.token)).body.error.code).toBe('email_verification_required')
    const token = tokenIn(await letterTo(world, ana.email, /Confirma tu correo/))
    const sent = await verify(token)
    expect([sent.status, sent.body.data]).toEqual([200, { email: ana.email, email_verified: true }])
    const body = { email: ana.email, password: ana.password }
    const session = (await world.post('/account/login', { body })).body.data.token
    expect((await account(session)).email_verified).toBe(true)
    expect((await mint(session)).body.secret).toMatch(/^sk_live_/)
    const again = await verify(token)
    expect([again.status, again.body.errors, again.body.data.param]).toEqual([400, ['invalid_link'], 'token'])
  })

  it('200 once when a link is followed many times at once', async () => {
    const ana = await newPerson(world)
    const token = tokenIn(await letterTo(world, ana.email, /Confirma tu correo/))
    const sent = await Promise.all([1, 2, 3, 4].map(() => verify(token)))
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })

  it('400 invalid_link after 48 hours, and not before', async () => {
    const ana = await newPerson(world)
    const token = tokenIn(await letterTo(world, ana.email, /Confirma tu correo/))
    const [link] = await world.db.sql<{ left: number }>`
      select extract(epoch from expires_at - ${new Date(systemNow())})::int as left from account_link
      where account_id = ${ana.account_id}`
    expect(Math.round((link?.left ?? 0) / 3600)).toBe(48)
    await world.db.sql`
      update account_link set expires_at = ${new Date(systemNow())} where account_id = ${ana.account_id}`
    expect((await verify(token)).body.errors).toEqual(['invalid_link'])
    expect((await account(ana.token)).email_verified).toBe(false)
  })

  it('400 invalid_link for a token nobody was sent, and for one that sets a password', async () => {
    const ana = await newPerson(world)
    expect((await verify('x'.repeat(43))).body.errors).toEqual(['invalid_link'])
    await world.post('/account/forgot_password', { body: { email: ana.email } })
    const token = tokenIn(await letterTo(world, ana.email, /contraseña nueva/))
    expect((await verify(token)).body.errors).toEqual(['invalid_link'])
  })
})

describe('POST /account/resend_verification', () => {
  it('200 sends another letter; the older link still works', async () => {
    const ana = await newPerson(world)
    const first = await letterTo(world, ana.email, /Confirma tu correo/)
    const sent = await world.post('/account/resend_verification', { session: ana.token })
    expect([sent.status, sent.body.data]).toEqual([200, null])
    await restOfPost(world)
    const second = await letterTo(world, ana.email, /Confirma tu correo/)
    expect(tokenIn(second)).not.toBe(tokenIn(first))
    expect((await verify(tokenIn(first))).status).toBe(200)
  })

  it('409 email_already_verified once it is', async () => {
    const session = await world.session(await world.account())
    const sent = await world.post('/account/resend_verification', { session })
    expect([sent.status, sent.body.errors]).toEqual([409, ['email_already_verified']])
  })

  it('401 invalid_session without one', async () => {
    expect((await world.post('/account/resend_verification')).body.errors).toEqual(['invalid_session'])
  })
})

describe('POST /account/change_email', () => {
  it('200 changes nothing until the letter to the new address is followed, then tells the old one', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const email = newEmail()
    const asked = await changeEmail(ana.token, ` ${email.toUpperCase()}`, ana.password)
    expect([asked.status, asked.body.data]).toEqual([200, null])
    expect((await account(ana.token)).email).toBe(ana.email)
    const token = tokenIn(await letterTo(world, email, /Confirma tu nuevo correo/))
    expect((await verify(token)).body.data).toEqual({ email, email_verified: true })
    expect(await account(ana.token)).toMatchObject({ email, email_verified: true })
    expect((await letterTo(world, ana.email, /Cambió el correo/)).text).toContain(email)
    const login = (address: string) =>
      world.post('/account/login', { body: { email: address, password: ana.password } })
    expect((await login(email)).status).toBe(200)
    expect((await login(ana.email)).body.errors).toEqual(['invalid_credentials'])
  })

  it('200 leaves no link of the old mailbox alive', async () => {
    const ana = await newPerson(world)
    const email = newEmail()
    const confirm = tokenIn(await letterTo(world, ana.email, /Confirma tu correo/))
    await world.post('/account/forgot_password', { body: { email: ana.email } })
    const reset = tokenIn(await letterTo(world, ana.email, /contraseña nueva/))
    await changeEmail(ana.token, email, ana.password)
    await verify(tokenIn(await letterTo(world, email, /Confirma tu nuevo correo/)))
    expect((await verify(confirm)).body.errors).toEqual(['invalid_link'])
    const body = { token: reset, password: 'otra clave larga' }
    expect((await world.post('/account/reset_password', { body })).body.errors).toEqual(['invalid_link'])
  })

  it('200 lets only the last address asked for be confirmed', async () => {
    const ana = await newPerson(world)
    const [first, second] = [newEmail(), newEmail()]
    await changeEmail(ana.token, first, ana.password)
    const early = tokenIn(await letterTo(world, first, /nuevo correo/))
    await changeEmail(ana.token, second, ana.password)
    expect((await verify(early)).body.errors).toEqual(['invalid_link'])
    expect((await verify(tokenIn(await letterTo(world, second, /nuevo correo/)))).status).toBe(200)
  })

  it('401 invalid_credentials without the right password, and no letter leaves', async () => {
    const ana = await newPerson(world)
    const email = newEmail()
    const sent = await changeEmail(ana.token, email, 'otra clave larga')
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([401, ['invalid_credentials'], 'password'])
    await restOfPost(world)
    expect(world.letters.some(({ to }) => to === email)).toBe(false)
  })

  it('400 invalid_field when it is the address already in use', async () => {
    const ana = await newPerson(world)
    const sent = await changeEmail(ana.token, ana.email.toUpperCase(), ana.password)
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([400, ['invalid_field'], 'email'])
  })

  it('409 email_taken when another account has it, also when it took it meanwhile', async () => {
    const [ana, eva] = [await newPerson(world), await newPerson(world)]
    expect((await changeEmail(ana.token, eva.email, ana.password)).body.errors).toEqual(['email_taken'])
    const email = newEmail()
    await changeEmail(ana.token, email, ana.password)
    const token = tokenIn(await letterTo(world, email, /nuevo correo/))
    await world.post('/account/register', { body: { email, password: 'una clave larga' } })
    const sent = await verify(token)
    expect([sent.status, sent.body.errors]).toEqual([409, ['email_taken']])
    expect((await account(ana.token)).email).toBe(ana.email)
  })
})
