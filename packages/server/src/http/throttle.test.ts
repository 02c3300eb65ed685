import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type Sent, type World } from '../../test/support/world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld({ unlimited: false })
})
afterEach(() => world.close())

const password = 'una clave larga'
const newEmail = () => `${randomUUID()}@example.cl`
const post = (path: string, body: object, session?: string) =>
  world.post(path, { body, ...(session !== undefined && { session }) })

async function times(n: number, ask: (i: number) => Promise<Sent>): Promise<number[]> {
  const seen: number[] = []
  for (let i = 0; i < n; i++) seen.push((await ask(i)).status)
  return seen
}

function expectThrottled(sent: Sent, seconds: number): void {
  expect([sent.status, sent.body.errors]).toEqual([429, ['auth_throttled']])
  expect(sent.headers['retry-after']).toBe(String(seconds))
  expect(sent.body.data.retry_after_seconds).toBe(seconds)
  expect(sent.body.message).toBe('Demasiados intentos. Espera un momento y vuelve a intentarlo.')
}

describe('the doors of /account', () => {
  it('429 auth_throttled after five attempts on one e-mail, right ones included, however it is written', async () => {
    const email = newEmail()
    await post('/account/register', { email, password })
    const seen = await times(4, (i) =>
      post('/account/login', { email: i % 2 ? email : ` ${email.toUpperCase()}`, password }),
    )
    expect(seen).toEqual([200, 200, 200, 200])
    expectThrottled(await post('/account/login', { email, password }), 60)
    expect((await post('/account/login', { email: newEmail(), password })).status).toBe(401)
  })

  it('429 auth_throttled after ten attempts from one address, whatever they carry, and says no more than that', async () => {
    const seen = await times(10, (i) =>
      i % 2 ? post('/account/login', { email: newEmail(), password }) : post('/account/register', { email: 'x' }),
    )
    expect(seen).toEqual([400, 401, 400, 401, 400, 401, 400, 401, 400, 401])
    const by_ip = await post('/account/login', { email: newEmail(), password })
    expectThrottled(by_ip, 60)
    expect(by_ip.headers['ratelimit-limit']).toBeUndefined()
    expectThrottled(await post('/account/register', { email: newEmail(), password }), 60)
  })

  it('429 auth_throttled after ten attempts from one /64 of IPv6, whatever address of it is used', async () => {
    const from = (remoteAddress: string) =>
      world.app.http.inject({
        method: 'POST',
        url: '/account/login',
        remoteAddress,
        payload: { email: newEmail(), password },
      })
    for (let i = 0; i < 10; i++) expect((await from(`2001:db8:1:2:${i}::1`)).statusCode).toBe(401)
    expect((await from('2001:db8:1:2:ffff::1')).statusCode).toBe(429)
    expect((await from('2001:db8:1:3::1')).statusCode).toBe(401)
  })

  it('429 answers alike for the address and for the e-mail', async () => {
    const email = newEmail()
    await times(5, () => post('/account/login', { email, password }))
    const by_email = await post('/account/login', { email, password })
    await times(4, () => post('/account/login', { email: newEmail(), password }))
    const by_ip = await post('/account/login', { email: newEmail(), password })
    const told = ({ status, headers, text }: Sent) => [status, headers['retry-after'], text.replace(/req_\w+/, '')]
    expect(told(by_email)).toEqual(told(by_ip))
  })

  it('429 keeps forgot_password from being a mail cannon, with or without an account', async () => {
    const email = newEmail()
    await post('/account/register', { email, password })
    for (const address of [email, newEmail()]) {
      expect(await times(5, () => post('/account/forgot_password', { email: address }))).toEqual([
        200, 200, 200, 200, 200,
      ])
      expectThrottled(await post('/account/forgot_password', { email: address }), 3600)
    }
    await times(8, () => post('/account/forgot_password', { email: newEmail() }))
    expectThrottled(await post('/account/forgot_password', { email: newEmail() }), 3600)
    expect((await post('/account/login', { email, password })).status).toBe(200)
  })

  it('429 keeps resend_verification and change_email from it too, by account and by target', async () => {
    const register = async () => (await post('/account/register', { email: newEmail(), password })).body.data.token
    const [ana, eva] = [await register(), await register()]
    expect(await times(5, () => post('/account/resend_verification', {}, ana))).toEqual([200, 200, 200, 200, 200])
    expectThrottled(await post('/account/change_email', { email: newEmail(), password }, ana), 3600)
    const target = newEmail()
    await times(5, () => post('/account/forgot_password', { email: target }))
    expectThrottled(await post('/account/change_email', { email: target, password }, eva), 3600)
  })

  it('429 stops a stolen session from guessing the password, by account and not by session', async () => {
    const email = newEmail()
    const { token } = (await post('/account/register', { email, password })).body.data
    const other = (await post('/account/login', { email, password })).body.data.token
    const guess = (session: string) => post('/account/close', { password: 'adivina buena' }, session)
    expect(await times(5, (i) => guess(i % 2 ? token : other))).toEqual([401, 401, 401, 401, 401])
    expectThrottled(await guess(token), 60)
    const change = { current_password: password, password: 'otra clave larga' }
    expectThrottled(await post('/account/change_password', change, other), 60)
  })

  it('429 auth_throttled when a session asks more than 300 times a minute, and the headers count down', async () => {
    const session = (await post('/account/register', { email: newEmail(), password })).body.data.token
    const read = () => world.get('/account/session', { session })
    expect((await read()).headers['ratelimit-remaining']).toBe('299')
    await Promise.all(Array.from({ length: 299 }, read))
    const sent = await read()
    expect([sent.status, sent.body.errors, sent.headers['ratelimit-remaining']]).toEqual([429, ['auth_throttled'], '0'])
  })
})
