import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letterTo, newPerson, restOfPost, tokenIn } from '../../../../test/support/mailbox.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import type { Mode } from '../../../catalog/modes.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const close = (session: string, password: string) => world.post('/account/close', { session, body: { password } })

async function addEmpresa(account: string, mode: Mode, rut: string): Promise<string> {
  const key = await world.key(account, { mode })
  const sent = await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Uno SpA', origen: 'ninguno' } })
  expect(sent.status).toBe(201)
  return sent.body.id
}

describe('POST /account/close', () => {
  it('200 stops keys and sessions at once, frees its sandbox RUTs and its address, and says goodbye', async () => {
    const ana = await newPerson(world)
    const [test_key, live_key] = [await world.key(ana.account_id), await world.key(ana.account_id, { mode: 'live' })]
    const other = await world.session(ana.account_id)
    const rut = randomRut()
    await addEmpresa(ana.account_id, 'test', rut)
    expect((await world.get('/v1/account', { key: live_key })).status).toBe(200)

    const sent = await close(ana.token, ana.password)
    expect([sent.status, sent.body.data]).toEqual([200, null])

    for (const key of [test_key, live_key]) expect((await world.get('/v1/account', { key })).status).toBe(401)
    for (const session of [ana.token, other])
      expect((await world.get('/account/session', { session })).status).toBe(401)
    const body = { email: ana.email, password: ana.password }
    expect((await world.post('/account/login', { body })).body.errors).toEqual(['invalid_credentials'])
    await letterTo(world, ana.email, /Cerramos tu cuenta/)

    const bootstrap = { empresa: { rut, legal_name: 'Dos SpA' } }
    const again = await world.post('/account/register', { body: { ...body, bootstrap } })
    expect([again.status, again.body.data.empresa.rut]).toEqual([201, rut])
    const [gone] = await world.db.sql<{ types: string[] }>`
      select array_agg(type order by seq) as types from event where account_id = ${ana.account_id} and mode = 'test'`
    expect(gone?.types).toEqual(['empresa.created', 'empresa.deleted'])
  })

  it('200 destroys the secrets of its webhook endpoints, and sends them nothing more', async () => {
    const ana = await newPerson(world)
    const key = await world.key(ana.account_id)
    await world.post('/v1/webhook_endpoints', { key, body: { url: 'http://127.0.0.1:1/timbre' } })
    await addEmpresa(ana.account_id, 'test', randomRut())
    await close(ana.token, ana.password)
    expect(await world.db.sql`select 1 from webhook_endpoint where account_id = ${ana.account_id}`).toEqual([])
    const told = await world.db.sql`select event_type from webhook_delivery where account_id = ${ana.account_id}`
    expect(told).toEqual([{ event_type: 'empresa.created' }])
  })

  it('409 account_has_live_empresas until they are archived, and nothing is lost by asking', async () => {
    const ana = await newPerson(world)
    await addEmpresa(ana.account_id, 'test', randomRut())
    const id = await addEmpresa(ana.account_id, 'live', randomRut())
    const sent = await close(ana.token, ana.password)
    expect([sent.status, sent.body.errors]).toEqual([409, ['account_has_live_empresas']])
    const key = await world.key(ana.account_id)
    expect((await world.get('/v1/account', { key })).body.empresas_total).toBe(1)
    const live_key = await world.key(ana.account_id, { mode: 'live' })
    const archived = await world.patch(`/v1/empresas/${id}`, { key: live_key, body: { status: 'archived' } })
    expect(archived.status).toBe(200)
    expect((await close(ana.token, ana.password)).status).toBe(200)
    const [kept] = await world.db.sql<{ id: string }>`select id from empresa where id = ${id}`
    expect(kept?.id).toBe(id)
  })

  it('401 invalid_credentials without the right password', async () => {
    const ana = await newPerson(world)
    const sent = await close(ana.token, 'no es esta clave')
    expect([sent.status, sent.body.errors, sent.body.data.param]).toEqual([401, ['invalid_credentials'], 'password'])
    expect((await world.get('/account/session', { session: ana.token })).status).toBe(200)
  })

  it('200 leaves no link that still leads somewhere, and no letter for who asks again', async () => {
    const ana = await newPerson(world)
    const token = tokenIn(await letterTo(world, ana.email, /Confirma tu correo/))
    await close(ana.token, ana.password)
    expect((await world.post('/account/verify_email', { body: { token } })).body.errors).toEqual(['invalid_link'])
    await world.post('/account/forgot_password', { body: { email: ana.email } })
    await restOfPost(world)
    expect(world.letters.some(({ to, subject }) => to === ana.email && /contraseña/.test(subject))).toBe(false)
  })

  it('200 leaves the live RUTs that nothing proved to others after 30 days, and nothing is created behind it', async () => {
    const ana = await newPerson(world)
    const rut = randomRut()
    const id = await addEmpresa(ana.account_id, 'live', rut)
    await world.db.sql`update empresa set status = 'suspended' where id = ${id}`
    const key = await world.key(ana.account_id, { mode: 'live' })
    const body = () => ({ rut: randomRut(), legal_name: 'Dos SpA', origen: 'ninguno' })
    const [closed] = await Promise.all([
      close(ana.token, ana.password),
      ...Array.from({ length: 6 }, () => world.post('/v1/empresas', { key, body: body() })),
    ])
    const active = await world.db.sql`
      select 1 from empresa where account_id = ${ana.account_id} and status = 'active'`
    expect(closed.status === 200 ? active.length : closed.body.errors).toEqual(
      closed.status === 200 ? 0 : ['account_has_live_empresas'],
    )
    await world.db.sql`update empresa set status = 'suspended' where account_id = ${ana.account_id}`
    if (closed.status !== 200) expect((await close(ana.token, ana.password)).status).toBe(200)
    const other = await world.account()
    const late = { rut, legal_name: 'Tres SpA', origen: 'ninguno' }
    const early = await world.post('/v1/empresas', { key: await world.key(other, { mode: 'live' }), body: late })
    expect([early.status, early.body.error.code]).toEqual([409, 'empresa_exists'])
    await world.db.sql`update empresa set rut_held_until = ${new Date(Date.now() - 1000)} where id = ${id}`
    await addEmpresa(other, 'live', rut)
  })
})
