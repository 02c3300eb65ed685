import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPerson, type Person } from '../../../../test/support/mailbox.ts'
import { CHEAP_PASSWORDS, openWorld, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Passwords } from '../../../ports/passwords.ts'

let world: World
let ana: Person
/** What was looked at: the password and the hash. */
const asked: [string, string | null][] = []
const passwords: Passwords = {
  ...CHEAP_PASSWORDS,
  matches(password, password_hash) {
    asked.push([password, password_hash])
    return CHEAP_PASSWORDS.matches(password, password_hash)
  },
}
beforeAll(async () => {
  world = await openWorld({ passwords })
  ana = await newPerson(world)
})
afterAll(() => world.close())

const login = (email: unknown, password: unknown) => world.post('/account/login', { body: { email, password } })
const session = (token: string) => world.get('/account/session', { session: token })

describe('POST /account/login', () => {
  it('200 gives a token that lasts one hour and names the account', async () => {
    const sent = await login(` ${ana.email.toUpperCase()} `, ana.password)
    expect([sent.status, sent.body.status, Object.keys(sent.body.data)]).toEqual([200, 'success', ['token']])
    const claims = JSON.parse(Buffer.from(sent.body.data.token.split('.')[1], 'base64url').toString())
    expect(claims.sub).toBe(ana.account_id)
    expect(claims.exp - claims.iat).toBe(3600)
    expect((await world.get('/dashboard/account', { session: sent.body.data.token, mode: 'test' })).status).toBe(200)
  })

  it('200 takes a password typed in other code points', async () => {
    const eva = await newPerson(world, 'contraseña muy larga'.normalize('NFC'))
    expect((await login(eva.email, eva.password.normalize('NFD'))).status).toBe(200)
  })

  it('401 invalid_credentials says the same of a wrong password and of an address nobody has', async () => {
    const wrong = await login(ana.email, 'otra clave larga')
    const nobody = await login('nadie@example.cl', ana.password)
    const text = (sent: typeof wrong) => sent.text.replace(/req_\w+/, 'req_')
    expect([wrong.status, wrong.body.errors]).toEqual([401, ['invalid_credentials']])
    expect([nobody.status, text(nobody)]).toEqual([401, text(wrong)])
  })

  it('401 invalid_credentials looks at the password for an address nobody has too, which takes as long', async () => {
    asked.length = 0
    await login(ana.email, 'otra clave larga')
    await login('nadie@example.cl', 'otra clave larga')
    expect(asked).toEqual([
      ['otra clave larga', expect.stringMatching(/^\$argon2id\$/)],
      ['otra clave larga', null],
    ])
  })

  it('401 invalid_credentials on a password hash that is none', async () => {
    const account = await world.account()
    const [row] = await world.db.sql<{ email: string }>`select email from account where id = ${account}`
    expect((await login(row?.email, 'none')).body.errors).toEqual(['invalid_credentials'])
  })

  it.each([
    ['email', undefined, 'x'],
    ['email', { $ne: 1 }, 'x'],
    ['password', 'ana@example.cl', ['x']],
    ['password', 'ana@example.cl', ''],
  ])('400 invalid_field names %s', async (param, email, password) => {
    const sent = await login(email, password)
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([400, ['invalid_field'], param])
  })
})

describe('GET /account/session', () => {
  it('200 shows the session and its account, with the rate headers of a credential', async () => {
    const sent = await session(ana.token)
    expect(sent.body.data).toMatchObject({
      object: 'session',
      id: expect.stringMatching(/^ses_/),
      account: { object: 'account', id: ana.account_id, email: ana.email, email_verified: false, plan: 'starter' },
    })
    const { created_at, expires_at } = sent.body.data
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3_600_000)
    expect(sent.headers['ratelimit-limit']).toBe('300')
    expect(sent.text).not.toMatch(/password|argon2/)
  })

  it('400 invalid_field on an unknown query parameter', async () => {
    const sent = await world.get('/account/session?all=1', { session: ana.token })
    expect([sent.status, sent.body.data.param]).toEqual([400, 'all'])
  })

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signedWithNothing = (kid: string) => (token: string) => {
    const signed = `${part({ alg: 'HS256', typ: 'JWT', kid })}.${token.split('.')[1]}`
    return `${signed}.${createHmac('sha256', '').update(signed).digest('base64url')}`
  }
  /** 32 bytes leave two bits of their last letter unused. */
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const nextLetter = (letter: string) => LETTERS[LETTERS.indexOf(letter) + 1] as string
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  it.each<[string, (token: string) => string]>([
    ['no token', () => ''],
    ['a word', () => 'hola'],
    ['algorithm none', (token: string) => `${part({ alg: 'none' })}.${token.split('.')[1]}.`],
    [
      'algorithm none with the signature kept',
      (token: string) => `${part({ alg: 'none' })}${token.slice(token.indexOf('.'))}`,
    ],
    [
      'another account in it',
      (token: string) => {
        const [head, , signature] = token.split('.')
        return `${head}.${part({ ...claims(token), sub: 'acct_0' })}.${signature}`
      },
    ],
    [
      'a longer life in it',
      (token: string) => {
        const [head, , signature] = token.split('.')
        return `${head}.${part({ ...claims(token), exp: 9_999_999_999 })}.${signature}`
      },
    ],
    ['a cut signature', (token: string) => token.slice(0, -4)],
    ['padding, which says nothing', (token: string) => `${token}=`],
    ['the bits that no byte needs', (token: string) => token.slice(0, -1) + nextLetter(token.at(-1) ?? '')],
    ...['99', '0', '__proto__', ''].map((kid): [string, (token: string) => string] => [
      `the number of a key that we do not have (${kid}), signed with an empty one`,
      signedWithNothing(kid),
    ]),
  ])('401 invalid_session with %s', async (_what, forge) => {
    const forged = forge(ana.token)
    const sent = await world.get('/account/session', { headers: { authorization: `Bearer ${forged}` } })
    expect([sent.status, sent.body.errors]).toEqual([401, ['invalid_session']])
    const mirror = await world.get('/dashboard/account', { headers: { authorization: `Bearer ${forged}` } })
    expect([mirror.status, mirror.body.error.code]).toEqual([401, 'invalid_session'])
  })

  it('401 invalid_session with a token signed by another key', async () => {
    const { jti, sub } = claims(ana.token)
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(sub)
      .setJti(jti)
      .setExpirationTime('1h')
      .sign(new Uint8Array(32))
    expect((await session(forged)).status).toBe(401)
  })

  it('401 invalid_session once its row has expired', async () => {
    const eva = await newPerson(world)
    await world.db.sql`
      update session set expires_at = ${new Date(systemNow() - 1000)} where account_id = ${eva.account_id}`
    expect((await session(eva.token)).body.errors).toEqual(['invalid_session'])
  })

  it('401 keeps credentials to their own doors: no key here, no session on /v1', async () => {
    const key = await world.key(ana.account_id)
    expect((await world.get('/account/session', { key })).body.errors).toEqual(['invalid_session'])
    expect((await world.post('/account/close', { key, body: { password: ana.password } })).status).toBe(401)
    const main = await world.get('/v1/account', { session: ana.token })
    expect([main.status, main.body.error.code]).toEqual([401, 'invalid_api_key'])
  })
})

describe('POST /account/logout', () => {
  it('200 ends this session at once and leaves the others', async () => {
    const other = (await login(ana.email, ana.password)).body.data.token
    const mine = (await login(ana.email, ana.password)).body.data.token
    const sent = await world.post('/account/logout', { session: mine })
    expect([sent.status, sent.body.data]).toEqual([200, null])
    expect(sent.body.message).toBe('Cerraste tu sesión.')
    expect((await session(mine)).status).toBe(401)
    expect((await world.post('/account/logout', { session: mine })).body.errors).toEqual(['invalid_session'])
    expect((await session(other)).status).toBe(200)
  })
})
