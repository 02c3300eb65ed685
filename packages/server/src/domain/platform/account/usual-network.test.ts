import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { letterTo, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { BUCKETS, CEILINGS } from '../../../catalog/limits.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import { deleteUnusedNetworks } from './usual-network.ts'

let world: World
beforeEach(async () => {
  world = await openWorld({ unlimited: false })
})
afterEach(() => world.close())

const password = 'una clave larga'
const HOME = '198.51.100.7'
const RESET = /Crea una contraseña nueva/
const newEmail = () => `${randomUUID()}@example.cl`
const stranger = (i: number) => `203.0.113.${i}`

async function from(remoteAddress: string, path: string, payload: object, session?: string) {
  const answer = await world.app.http.inject({
    method: 'POST',
    url: `/account/${path}`,
    remoteAddress,
    headers: session === undefined ? {} : { authorization: `Bearer ${session}` },
    payload,
  })
  return { status: answer.statusCode, wait: answer.headers['retry-after'], body: answer.json() }
}

const logIn = async (ip: string, email: string, typed = password) =>
  (await from(ip, 'login', { email, password: typed })).status
const forget = async (ip: string, email: string) => (await from(ip, 'forgot_password', { email })).status

async function registered(ip = HOME): Promise<string> {
  const email = newEmail()
  expect((await from(ip, 'register', { email, password })).status).toBe(201)
  return email
}

/** Wrong passwords, each from a network of its own, until they are refused. */
async function guessUntilRefused(email: string): Promise<number> {
  for (let i = 0; i < 200; i++) if ((await logIn(stranger(i), email, 'adivina buena')) === 429) return i
  return Number.POSITIVE_INFINITY
}

const rows = () => world.db.sql<{ network_hash: Buffer; seen_at: Date }>`select * from account_network`

describe('whoever knows an e-mail address', () => {
  it('does not keep its owner from logging in from where they usually do, however it is written', async () => {
    const email = await registered()
    expect(await guessUntilRefused(email)).toBe(BUCKETS['account.guesses'].max)
    expect(await logIn(HOME, ` ${email.toUpperCase()}`)).toBe(200)
    expect(await logIn('::ffff:198.51.100.7', email)).toBe(200)
  })

  it('uses up five a minute in one network, and nobody else is kept out, in a new place neither', async () => {
    const email = await registered()
    for (let i = 0; i < 5; i++) expect(await logIn(stranger(1), email, 'adivina buena')).toBe(401)
    expect(await logIn(stranger(1), email, 'adivina buena')).toBe(429)
    expect(await logIn('192.0.2.1', email)).toBe(200)
    expect(await logIn(HOME, email)).toBe(200)
  })

  it('is bounded over all networks, alike with and without an account, and told nothing of it', async () => {
    const [email, nobody] = [await registered(), newEmail()]
    for (const address of [email, nobody]) {
      expect(await guessUntilRefused(address)).toBe(BUCKETS['account.guesses'].max)
      const { status, wait, body } = await from('192.0.2.1', 'login', { email: address, password })
      expect([status, wait, body.errors]).toEqual([429, '60', ['auth_throttled']])
    }
    expect((await from('192.0.2.2', 'register', { email: nobody, password })).status).toBe(201)
  })

  it('does not keep an owner in a new place from coming in by mail, which makes that place usual', async () => {
    const email = await registered()
    await guessUntilRefused(email)
    for (let i = 0; i < 9; i++) expect(await forget(stranger(i), email)).toBe(200)
    await restOfPost(world)
    expect([await forget(stranger(9), email), await forget(stranger(10), email)]).toEqual([200, 429])
    await restOfPost(world)
    const away = '192.0.2.9'
    expect([await logIn(away, email), await forget(away, email)]).toEqual([429, 429])
    const letter = await letterTo(world, email, RESET)
    const fresh = 'otra clave larga'
    expect((await from(away, 'reset_password', { token: tokenIn(letter), password: fresh })).status).toBe(200)
    expect(await logIn(away, email, fresh)).toBe(200)
    // Whoever came in before may be why the password was set: their network has to prove itself again.
    expect(await logIn(HOME, email, fresh)).toBe(429)
  })

  it('has so many letters sent to it and no more, and the owner has theirs beside', async () => {
    const [email, nobody] = [await registered(), newEmail()]
    for (const address of [email, nobody]) {
      for (let i = 0; i < 10; i++) expect(await forget(stranger(i), address)).toBe(200)
      const { status, wait, body } = await from('192.0.2.1', 'forgot_password', { email: address })
      expect([status, wait, body.errors]).toEqual([429, '3600', ['auth_throttled']])
    }
    for (let i = 0; i < 5; i++) expect(await forget(HOME, email)).toBe(200)
    expect(await forget(HOME, email)).toBe(429)
    await restOfPost(world)
    expect(world.letters.filter(({ subject }) => RESET.test(subject)).map(({ to }) => to)).toEqual(
      Array<string>(15).fill(email),
    )
  })

  it('cannot use up the letters of an owner by changing their own address to it, which sends none', async () => {
    const email = await registered()
    for (let i = 0; i < 4; i++) {
      const mine = (await from(stranger(i), 'register', { email: newEmail(), password })).body.data.token
      for (let n = 0; n < 3; n++)
        expect((await from(stranger(i), 'change_email', { email, password }, mine)).status).toBe(
          i * 3 + n < 10 ? 409 : 429,
        )
    }
    expect(await forget('192.0.2.1', email)).toBe(200)
  })
})

it('gives back what a success counted: an owner may log in from any number of new networks', async () => {
  const email = await registered()
  for (let i = 0; i < 35; i++) expect(await logIn(stranger(i), email)).toBe(200)
  expect(await rows()).toHaveLength(CEILINGS.usual_networks)
})

describe('a usual network', () => {
  it('is stored as a hash of its own for each account', async () => {
    await registered()
    await registered()
    const hashes = (await rows()).map(({ network_hash }) => network_hash.toString('hex'))
    expect(new Set(hashes).size).toBe(2)
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  it('is usual for 30 days after somebody last came from it, and is then deleted', async () => {
    const email = await registered()
    await guessUntilRefused(email)
    const age = (days: number) => world.db.sql`update account_network set seen_at = ${daysFrom(new Date(), -days)}`
    await age(29)
    expect(await logIn(HOME, email)).toBe(200)
    await deleteUnusedNetworks(world.db.sql, new Date())
    expect(await rows()).toHaveLength(1)
    expect(((await rows())[0]?.seen_at as Date) > daysFrom(new Date(), -1)).toBe(true)
    await age(31)
    expect(await logIn(HOME, email)).toBe(429)
    await deleteUnusedNetworks(world.db.sql, new Date())
    expect(await rows()).toEqual([])
  })

  it('is the one from which the address was first confirmed, and no longer that of whoever opened the account', async () => {
    const email = await registered()
    const token = tokenIn(await letterTo(world, email, /Confirma/))
    expect((await from('192.0.2.9', 'verify_email', { token })).status).toBe(200)
    await guessUntilRefused(email)
    expect([await logIn(HOME, email), await logIn('192.0.2.9', email)]).toEqual([429, 200])
  })

  it('is not made by a login that fails, and ends with its account', async () => {
    const email = await registered()
    await logIn(stranger(1), email, 'adivina buena')
    expect(await rows()).toHaveLength(1)
    const session = (await from(HOME, 'login', { email, password })).body.data.token
    expect((await world.post('/account/close', { session, body: { password } })).status).toBe(200)
    expect(await rows()).toEqual([])
  })
})
