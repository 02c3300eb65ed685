import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function make(key: string, more: object = {}) {
  const body = { rut: randomRut(), legal_name: 'Ferretería Sur Ltda.', origen: 'ninguno', ...more }
  return (await world.post('/v1/empresas', { key, body })).body
}

async function someAccount() {
  const account = await world.account()
  return { account, test: await world.key(account), live: await world.key(account, { mode: 'live' }) }
}

describe('GET /v1/empresas', () => {
  it('200 lists the empresas of the mode of the key, newest first', async () => {
    const { test, live } = await someAccount()
    const [first, second] = [await make(test), await make(test)]
    const real = await make(live)
    const sandbox = await world.get('/v1/empresas', { key: test })
    expect(sandbox.body).toEqual({ object: 'list', data: [second, first], has_more: false, next_cursor: null })
    expect((await world.get('/v1/empresas', { key: live })).body.data).toEqual([real])
  })

  it('200 shows a session the empresas of the mode it names', async () => {
    const { account, test, live } = await someAccount()
    const [sandbox, real] = [await make(test), await make(live)]
    const session = await world.session(account)
    const inTest = await world.get('/dashboard/empresas', { session, mode: 'test' })
    expect(inTest.body.data).toEqual([sandbox])
    expect((await world.get('/v1/dashboard/empresas', { session })).body.data).toEqual([real])
  })

  it('200 shows a key only the empresas of its allowlist', async () => {
    const { account, test } = await someAccount()
    const [mine] = [await make(test), await make(test)]
    const token = await world.key(account, { empresas: [mine.rut] })
    expect((await world.get('/v1/empresas', { key: token })).body.data).toEqual([mine])
  })

  it('200 shows nothing of another account', async () => {
    const { test } = await someAccount()
    await make(test)
    const stranger = await someAccount()
    expect((await world.get('/v1/empresas', { key: stranger.test })).body.data).toEqual([])
  })

  it('200 filters by status', async () => {
    const { test } = await someAccount()
    const [kept, gone] = [await make(test), await make(test)]
    await world.patch(`/v1/empresas/${gone.id}`, { key: test, body: { status: 'archived' } })
    const ids = async (status: string) =>
      (await world.get(`/v1/empresas?status=${status}`, { key: test })).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('active')).toEqual([kept.id])
    expect(await ids('archived')).toEqual([gone.id])
    expect(await ids('suspended')).toEqual([])
  })

  it('200 pages through all of them once', async () => {
    const { test } = await someAccount()
    const made = [await make(test), await make(test), await make(test)]
    const first = await world.get('/v1/empresas?limit=2', { key: test })
    expect(first.body.has_more).toBe(true)
    const second = await world.get(`/v1/empresas?limit=2&cursor=${first.body.next_cursor}`, { key: test })
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
    expect([...first.body.data, ...second.body.data]).toEqual(made.reverse())
  })

  it('400 invalid_cursor for a cursor of other filters or of another account', async () => {
    const { test } = await someAccount()
    await make(test)
    await make(test)
    const { next_cursor } = (await world.get('/v1/empresas?limit=1', { key: test })).body
    const refused = await world.get(`/v1/empresas?status=active&cursor=${next_cursor}`, { key: test })
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'invalid_cursor', param: 'cursor' })
    const stranger = (await someAccount()).test
    const foreign = await world.get(`/v1/empresas?limit=1&cursor=${next_cursor}`, { key: stranger })
    expect([foreign.status, foreign.body.error?.code]).toEqual([400, 'invalid_cursor'])
  })

  it('400 invalid_field names status when it is none', async () => {
    const { test } = await someAccount()
    const refused = await world.get('/v1/empresas?status=gone', { key: test })
    expect(refused.body.error).toMatchObject({ code: 'invalid_field', param: 'status' })
  })
})

describe('GET /v1/empresas/{empresa_id}', () => {
  it('200 answers an empresa token without any header, and with the header of the same empresa', async () => {
    const { account, test } = await someAccount()
    const empresa = await make(test)
    const token = await world.key(account, { empresas: [empresa.rut] })
    expect((await world.get(`/v1/empresas/${empresa.id}`, { key: token })).body).toEqual(empresa)
    expect((await world.get(`/v1/empresas/${empresa.id}`, { key: token, empresa: empresa.rut })).status).toBe(200)
  })

  it('404 empresa_not_found for another account and for an id that is none', async () => {
    const { test } = await someAccount()
    const empresa = await make(test)
    const stranger = await someAccount()
    for (const id of [empresa.id, 'emp_nothing']) {
      const refused = await world.get(`/v1/empresas/${id}`, { key: stranger.test })
      expect(refused.status).toBe(404)
      expect(refused.body.error.code).toBe('empresa_not_found')
    }
  })

  it('403 empresa_not_allowed outside the allowlist of the key', async () => {
    const { account, test } = await someAccount()
    const empresa = await make(test)
    const token = await world.key(account, { empresas: [randomRut()] })
    const refused = await world.get(`/v1/empresas/${empresa.id}`, { key: token })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toMatchObject({ code: 'empresa_not_allowed', empresa: empresa.rut })
  })

  it('403 mode_not_allowed for a key of the other mode', async () => {
    const { test, live } = await someAccount()
    const refused = await world.get(`/v1/empresas/${(await make(live)).id}`, { key: test })
    expect(refused.status).toBe(403)
    expect(refused.body.error.code).toBe('mode_not_allowed')
  })
})

describe('an empresa is named by its id in a path, and by its RUT in the header', () => {
  it('404 for its RUT in a path, whatever was asked for before with that RUT in the header', async () => {
    const { test } = await someAccount()
    const { id, rut, legal_name } = await make(test)
    const documents = () => world.get('/v1/documents', { key: test, headers: { 'svc-empresa': rut } })
    expect((await documents()).status).toBe(200)
    const path = `/v1/empresas/${rut}`
    const refused = [
      await world.get(path, { key: test }),
      await world.patch(path, { key: test, body: { legal_name: 'Otro nombre' } }),
      await world.get(`${path}/automation_settings`, { key: test }),
      await world.delete(path, { key: test }),
    ]
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      refused.map(() => [404, 'empresa_not_found']),
    )
    expect((await world.get(`/v1/empresas/${id}`, { key: test })).body.legal_name).toBe(legal_name)
    expect((await documents()).status).toBe(200)
  })
})
