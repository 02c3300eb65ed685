import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'

let world: World
let account: string
let key: string
let empresa_id: string
let counterparty: string
let path: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
  empresa_id = (await emptyEmpresa(world, account)).id
})
beforeEach(() => {
  counterparty = `/v1/empresas/${empresa_id}/counterparties/${randomRut()}`
  path = `${counterparty}/contacts`
})
afterAll(() => world.close())

const add = async (email: string, more = {}) => (await world.post(path, { key, body: { email, ...more } })).body
const contacts = async () =>
  (await world.get(path, { key })).body.data as { id: string; email: string; primary: boolean }[]
const primaries = async () => (await contacts()).filter(({ primary }) => primary).map(({ email }) => email)

describe('POST .../contacts', () => {
  it('201 makes the counterparty with source null, and its first contact primary', async () => {
    const made = await world.post(path, {
      key,
      body: { email: 'Pagos@Acme.cl', name: 'Ana Ñáñez', phone: '+56 2 2345' },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ object: 'counterparty_contact', email: 'pagos@acme.cl', primary: true })
    expect(made.body.id).toMatch(/^cct_/)
    const shown = await world.get(counterparty, { key })
    expect(shown.body).toMatchObject({ source: null, legal_name: null, address: null, contacts: [made.body] })
  })

  it('201 of a later one is primary only when it says so, and then it is the only one', async () => {
    await add('uno@acme.cl')
    expect((await add('dos@acme.cl', { primary: false })).primary).toBe(false)
    expect(await primaries()).toEqual(['uno@acme.cl'])
    await add('tres@acme.cl', { primary: true })
    expect(await primaries()).toEqual(['tres@acme.cl'])
  })

  it('201 records an opt-out from the start', async () => {
    expect((await add('no@acme.cl', { opted_out: true })).opted_out_at).not.toBeNull()
  })

  it('409 contact_exists names the contact, whatever the letter case', async () => {
    const { id } = await add('pagos@acme.cl')
    const refused = await world.post(path, { key, body: { email: 'PAGOS@acme.cl' } })
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({ code: 'contact_exists', param: 'email', existing_id: id })
  })

  it('409 contact_exists for all but one of ten at once, and one primary', async () => {
    const body = { email: 'pagos@acme.cl' }
    const sent = await Promise.all(Array.from({ length: 10 }, () => world.post(path, { key, body })))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    const more = await Promise.all(Array.from({ length: 5 }, (_, i) => add(`${i}@acme.cl`, { primary: true })))
    expect(more).toHaveLength(5)
    expect(await primaries()).toHaveLength(1)
  })

  it('422 contact_limit_reached at the fifty-first', async () => {
    for (let i = 0; i < 50; i++) await add(`n${i}@acme.cl`)
    const refused = await world.post(path, { key, body: { email: 'n50@acme.cl' } })
    expect(refused.status).toBe(422)
    expect(refused.body.error.code).toBe('contact_limit_reached')
    expect((await world.get(`${path}?limit=100`, { key })).body.data).toHaveLength(50)
  })

  it.each([
    ['email', {}],
    ['email', { email: 'not an address' }],
    ['email', { email: null }],
    ['name', { email: 'a@b.cl', name: '  ' }],
    ['name', { email: 'a@b.cl', name: 'Ana\r\nBcc: otro@b.cl' }],
    ['phone', { email: 'a@b.cl', phone: '2345\n' }],
    ['phone', { email: 'a@b.cl', phone: '1'.repeat(41) }],
    ['primary', { email: 'a@b.cl', primary: 'yes' }],
    ['opted_out_at', { email: 'a@b.cl', opted_out_at: null }],
  ])('400 invalid_field names %s in %j, and the counterparty is not made', async (param, body) => {
    const refused = await world.post(path, { key, body })
    expect(refused.body.error).toMatchObject({ code: 'invalid_field', param })
    expect((await world.get(counterparty, { key })).status).toBe(404)
  })
})

describe('GET .../contacts', () => {
  it('200 pages newest first', async () => {
    for (const name of ['a', 'b', 'c']) await add(`${name}@acme.cl`)
    const first = await world.get(`${path}?limit=2`, { key })
    expect(first.body.data.map(({ email }: { email: string }) => email)).toEqual(['c@acme.cl', 'b@acme.cl'])
    const second = await world.get(`${path}?limit=2&cursor=${first.body.next_cursor}`, { key })
    expect(second.body).toMatchObject({ data: [{ email: 'a@acme.cl' }], has_more: false, next_cursor: null })
  })

  it('400 invalid_cursor for a garbled one', async () => {
    await add('a@acme.cl')
    expect((await world.get(`${path}?cursor=cur_nothing`, { key })).body.error.code).toBe('invalid_cursor')
  })

  it('404 counterparty_not_found where nothing was ever recorded', async () => {
    expect((await world.get(path, { key })).body.error.code).toBe('counterparty_not_found')
  })
})

describe('PATCH .../contacts/{contact_id}', () => {
  it('200 edits, and null clears', async () => {
    const { id } = await add('a@acme.cl', { name: 'Ana', phone: '1' })
    const edited = await world.patch(`${path}/${id}`, { key, body: { email: 'B@acme.cl', phone: null } })
    expect(edited.status).toBe(200)
    expect(edited.body).toMatchObject({ id, email: 'b@acme.cl', name: 'Ana', phone: null, primary: true })
  })

  it('200 promotes and demotes the one that was', async () => {
    await add('uno@acme.cl')
    const { id } = await add('dos@acme.cl')
    expect((await world.patch(`${path}/${id}`, { key, body: { primary: true } })).body.primary).toBe(true)
    expect(await primaries()).toEqual(['dos@acme.cl'])
  })

  it('400 invalid_field when the primary one would step down', async () => {
    const { id } = await add('uno@acme.cl')
    const refused = await world.patch(`${path}/${id}`, { key, body: { primary: false } })
    expect(refused.body.error).toMatchObject({ code: 'invalid_field', param: 'primary' })
    expect(await primaries()).toEqual(['uno@acme.cl'])
  })

  it('200 records an opt-out once, and takes it back', async () => {
    const { id } = await add('a@acme.cl')
    const out = await world.patch(`${path}/${id}`, { key, body: { opted_out: true } })
    expect(Date.parse(out.body.opted_out_at)).toBeGreaterThan(0)
    const again = await world.patch(`${path}/${id}`, { key, body: { opted_out: true } })
    expect(again.body.opted_out_at).toBe(out.body.opted_out_at)
    const back = await world.patch(`${path}/${id}`, { key, body: { opted_out: false } })
    expect(back.body.opted_out_at).toBeNull()
  })

  it('409 contact_exists when the new e-mail is another contact of the counterparty', async () => {
    const taken = await add('a@acme.cl')
    const { id } = await add('b@acme.cl')
    const refused = await world.patch(`${path}/${id}`, { key, body: { email: 'A@acme.cl' } })
    expect(refused.body.error).toMatchObject({ code: 'contact_exists', existing_id: taken.id })
    expect((await world.patch(`${path}/${taken.id}`, { key, body: { email: 'a@acme.cl' } })).status).toBe(200)
  })

  it('404 contact_not_found for an unknown one, one of another counterparty, and a stranger sees none', async () => {
    const { id } = await add('a@acme.cl')
    const elsewhere = `/v1/empresas/${empresa_id}/counterparties/${randomRut()}/contacts/${id}`
    for (const url of [`${path}/cct_nothing`, elsewhere]) {
      const refused = await world.patch(url, { key, body: { name: 'X' } })
      expect(refused.status).toBe(404)
      expect(refused.body.error.code).toBe('contact_not_found')
    }
    const other = await emptyEmpresa(world, account)
    const rut = path.split('/').at(-2)
    const foreign = `/v1/empresas/${other.id}/counterparties/${rut}/contacts/${id}`
    expect((await world.patch(foreign, { key, body: { name: 'X' } })).body.error.code).toBe('contact_not_found')
  })
})

describe('DELETE .../contacts/{contact_id}', () => {
  it('204 removes it, and the oldest of the others becomes primary', async () => {
    const first = await add('uno@acme.cl')
    await add('dos@acme.cl')
    await add('tres@acme.cl')
    expect((await world.delete(`${path}/${first.id}`, { key })).status).toBe(204)
    expect(await primaries()).toEqual(['dos@acme.cl'])
  })

  it('204 of the last one leaves the counterparty, and the next contact is primary', async () => {
    const { id } = await add('uno@acme.cl')
    await world.delete(`${path}/${id}`, { key })
    expect((await world.get(counterparty, { key })).body.contacts).toEqual([])
    expect((await add('dos@acme.cl')).primary).toBe(true)
  })

  it('404 contact_not_found the second time', async () => {
    const { id } = await add('uno@acme.cl')
    await world.delete(`${path}/${id}`, { key })
    const again = await world.delete(`${path}/${id}`, { key })
    expect(again.status).toBe(404)
    expect(again.body.error.code).toBe('contact_not_found')
  })
})
