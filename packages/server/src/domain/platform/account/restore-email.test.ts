import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmed, letterTo, newPerson, tokenIn } from '../../../../test/support/mailbox.ts'
import { FRESH, openRecoveryWorld, recoveryIn } from '../../../../test/support/recovery.ts'
import type { World } from '../../../../test/support/world.ts'
import { CHANGED_COUNTS } from './schema.ts'

let world: World
beforeAll(async () => {
  world = await openRecoveryWorld()
})
afterAll(() => world.close())

const { post, login, verify, restore, resetOf, moving, taken } = recoveryIn(() => world)

describe('POST /account/restore_email', () => {
  it('200 brings the old address back once, ends sessions, links and the password, and mails a new one', async () => {
    const { ana, thief, letter, link } = await taken()
    expect(letter.text).toContain('http://timbre.test/restaurar?token=')
    const again = await moving(thief, `segunda-${ana.email}`)
    const sent = await restore(link)
    expect([sent.status, sent.body.data]).toEqual([
      200,
      {
        email: ana.email,
        ended: {
          sessions: 1,
          links: 1,
          api_keys: 0,
          agent_grants: 0,
          webhook_endpoints: 0,
          webhook_endpoints_disabled: 0,
          certificates: 0,
          sfg_credentials: 0,
          connections: 0,
          connections_disabled: 0,
          public_links: 0,
          bank_pages: 0,
          onboarding_pages: 0,
          items: [],
        },
        kept: {
          api_keys: 0,
          agent_grants: 0,
          webhook_endpoints: 0,
          ...Object.fromEntries(Object.keys(CHANGED_COUNTS).map((name) => [name, 0])),
          items: [],
        },
      },
    ])
    expect((await verify(again)).body.errors).toEqual(['invalid_link'])
    expect((await world.get('/account/session', { session: thief.token })).status).toBe(401)
    expect((await login(ana.email, ana.password)).status).toBe(401)
    expect((await login(thief.email, ana.password)).status).toBe(401)
    const fix = tokenIn(await letterTo(world, ana.email, /volvió a este correo/))
    expect((await post('/account/reset_password', { token: fix, password: FRESH })).status).toBe(200)
    expect((await login(ana.email, FRESH)).status).toBe(200)
    expect((await restore(link)).body.errors).toEqual(['invalid_link'])
  })

  it('tells the address that the account leaves', async () => {
    const { thief, link } = await taken()
    await restore(link)
    expect((await letterTo(world, thief.email, /volvió a su correo anterior/)).text).toContain('nos dijo que no hizo')
  })

  it('200 though the intruder moved on and followed a way back of their own', async () => {
    const { ana, thief, link } = await taken()
    await verify(await moving(thief, `tercera-${ana.email}`))
    const own = tokenIn(await letterTo(world, thief.email, /Cambió el correo/))
    expect((await restore(own)).body.data.email).toBe(thief.email)
    expect((await restore(link)).body.data.email).toBe(ana.email)
    expect((await restore(own)).body.errors).toEqual(['invalid_link'])
  })

  it('409 email_changed_recently for whoever would close the account on its owner meanwhile', async () => {
    const { ana, thief, link } = await taken()
    const close = await post('/account/close', { password: thief.password }, thief.token)
    expect([close.status, close.body.errors]).toEqual([409, ['email_changed_recently']])
    expect((await restore(link)).body.data.email).toBe(ana.email)
  })

  it('leaves the account free to close once the 72 hours are over', async () => {
    const { ana, thief } = await taken()
    await world.db.sql`update account_link set expires_at = ${new Date(0)} where account_id = ${ana.account_id}`
    expect((await post('/account/close', { password: thief.password }, thief.token)).status).toBe(200)
  })

  it('200 after the intruder moved on, and set a password by mail meanwhile', async () => {
    const { ana, thief, link } = await taken()
    const third = `tercera-${ana.email}`
    await verify(await moving(thief, third))
    expect((await resetOf({ email: third })).status).toBe(200)
    expect((await restore(link)).body.data.email).toBe(ana.email)
  })

  it('keeps the old address free meanwhile: 409 email_taken for whoever registers it or moves to it', async () => {
    const { ana, link } = await taken()
    const squat = await post('/account/register', { email: ana.email, password: FRESH })
    expect([squat.status, squat.body.errors]).toEqual([409, ['email_taken']])
    const eva = await newPerson(world)
    const move = await post('/account/change_email', { email: ana.email, password: eva.password }, eva.token)
    expect(move.body.errors).toEqual(['email_taken'])
    expect((await restore(link)).status).toBe(200)
  })

  it('409 email_taken for a link to an address that another account left while it waited', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const eva = await newPerson(world)
    const link = await moving(eva, `libre-${ana.email}`)
    await world.db.sql`
      insert into account_link (token_hash, account_id, kind, email, expires_at)
      values (${Buffer.from(ana.account_id)}, ${ana.account_id}, 'restore_email', ${`libre-${ana.email}`},
        ${new Date(Date.now() + 60_000)})`
    expect((await verify(link)).body.errors).toEqual(['email_taken'])
  })

  it('400 invalid_link after 72 hours', async () => {
    const { ana, link } = await taken()
    const [row] = await world.db.sql<{ hours: number }>`
      select round(extract(epoch from expires_at - now()) / 3600)::int as hours from account_link
      where account_id = ${ana.account_id} and kind = 'restore_email'`
    expect(row?.hours).toBe(72)
    await world.db.sql`
      update account_link set expires_at = ${new Date(0)} where account_id = ${ana.account_id}`
    expect((await restore(link)).body.errors).toEqual(['invalid_link'])
  })

  it('offers no way back to an address that nobody confirmed: it may be a stranger’s', async () => {
    const ana = await newPerson(world)
    await verify(await moving(ana, `buena-${ana.email}`))
    expect((await letterTo(world, ana.email, /Cambió el correo/)).text).not.toContain('token=')
  })
})
