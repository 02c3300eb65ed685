import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letterTo, newPerson, type Person, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const fresh = 'otra clave larga'
const forgot = (email: string) => world.post('/account/forgot_password', { body: { email } })
const reset = (token: string, password: string) => world.post('/account/reset_password', { body: { token, password } })
const change = (session: string, current_password: string, password: string) =>
  world.post('/account/change_password', { session, body: { current_password, password } })
const login = (email: string, password: string) => world.post('/account/login', { body: { email, password } })
const alive = async (session: string) => (await world.get('/account/session', { session })).status === 200

async function linkOf(ana: Person): Promise<string> {
  await restOfPost(world)
  await forgot(ana.email)
  await restOfPost(world)
  return tokenIn(await letterTo(world, ana.email, /Crea una contraseña nueva/))
}

describe('POST /account/forgot_password', () => {
  it('200 answers the same whether or not the address has an account, and writes only to those that do', async () => {
    const ana = await newPerson(world)
    const known = await forgot(` ${ana.email.toUpperCase()}`)
    const unknown = await forgot('nadie@example.cl')
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(unknown.body).toEqual(known.body)
    expect(known.body).toMatchObject({ status: 'success', data: null, errors: [] })
    await restOfPost(world)
    expect(world.letters.some(({ to }) => to === 'nadie@example.cl')).toBe(false)
    expect((await letterTo(world, ana.email, /Crea una contraseña nueva/)).text).toContain(
      'http://timbre.test/restablecer?token=',
    )
  })

  it('400 invalid_field names email', async () => {
    expect((await forgot('ana')).body.data.param).toBe('email')
  })
})

describe('POST /account/reset_password', () => {
  it('200 sets the password once, confirms the address, ends every session and says so by mail', async () => {
    const ana = await newPerson(world)
    const token = await linkOf(ana)
    expect((await reset(token, fresh)).body.data.ended.sessions).toBe(1)
    expect(await alive(ana.token)).toBe(false)
    expect((await login(ana.email, ana.password)).body.errors).toEqual(['invalid_credentials'])
    const session = (await login(ana.email, fresh)).body.data.token
    expect((await world.get('/account/session', { session })).body.data.account.email_verified).toBe(true)
    await letterTo(world, ana.email, /Cambió la contraseña/)
    expect((await reset(token, 'tercera clave larga')).body.errors).toEqual(['invalid_link'])
  })

  it('400 weak_password does not use the link up', async () => {
    const ana = await newPerson(world)
    const token = await linkOf(ana)
    expect((await reset(token, 'corta')).body.errors).toEqual(['weak_password'])
    expect((await reset(token, ana.email)).body.errors).toEqual(['weak_password'])
    expect((await reset(token, fresh)).status).toBe(200)
  })

  it('400 invalid_link after an hour, and for all but the last link asked for', async () => {
    const ana = await newPerson(world)
    const [first, second] = [await linkOf(ana), await linkOf(ana)]
    expect((await reset(first, fresh)).body.errors).toEqual(['invalid_link'])
    const [link] = await world.db.sql<{ left: number }>`
      select extract(epoch from expires_at - ${new Date(systemNow())})::int as left from account_link
      where account_id = ${ana.account_id} and kind = 'reset_password'`
    // The letters of a slow machine take a while.
    expect(Math.ceil((link?.left ?? 0) / 600)).toBe(6)
    await world.db.sql`
      update account_link set expires_at = ${new Date(systemNow())} where account_id = ${ana.account_id}`
    expect((await reset(second, fresh)).body.errors).toEqual(['invalid_link'])
    expect((await login(ana.email, ana.password)).status).toBe(200)
  })

  it('400 invalid_link for a link that only confirms an address', async () => {
    const ana = await newPerson(world)
    const token = tokenIn(await letterTo(world, ana.email, /Confirma tu correo/))
    expect((await reset(token, fresh)).body.errors).toEqual(['invalid_link'])
  })

  it('200 once when the link is used and asked for again at the same time', async () => {
    const ana = await newPerson(world)
    const token = await linkOf(ana)
    const sent = await Promise.all([reset(token, fresh), reset(token, fresh), forgot(ana.email), forgot(ana.email)])
    await restOfPost(world)
    const [one, other] = [sent[0].status, sent[1].status]
    expect([one, other].filter((status) => status === 200).length).toBeLessThanOrEqual(1)
    expect([one, other].every((status) => status === 200 || status === 400)).toBe(true)
  })
})

describe('POST /account/change_password', () => {
  it('200 keeps this session, ends the others, and drops a link to set another one', async () => {
    const ana = await newPerson(world)
    const other = (await login(ana.email, ana.password)).body.data.token
    const link = await linkOf(ana)
    const sent = await change(ana.token, ana.password, fresh)
    expect([sent.status, sent.body.data]).toEqual([200, null])
    expect([await alive(ana.token), await alive(other)]).toEqual([true, false])
    expect((await login(ana.email, fresh)).status).toBe(200)
    expect((await login(ana.email, ana.password)).status).toBe(401)
    expect((await reset(link, 'tercera clave larga')).body.errors).toEqual(['invalid_link'])
    await letterTo(world, ana.email, /Cambió la contraseña/)
  })

  it('401 invalid_credentials names current_password and changes nothing', async () => {
    const ana = await newPerson(world)
    const sent = await change(ana.token, 'no es esta clave', fresh)
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([
      401,
      ['invalid_credentials'],
      'current_password',
    ])
    expect((await login(ana.email, ana.password)).status).toBe(200)
  })

  it('400 weak_password holds for the new one', async () => {
    const ana = await newPerson(world)
    const sent = await change(ana.token, ana.password, 'corta')
    expect([sent.status, sent.body.errors]).toEqual([400, ['weak_password']])
  })
})
