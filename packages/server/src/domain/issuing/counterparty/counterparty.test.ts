import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { findCounterparty } from './lookup.ts'

let world: World
let account: string
let key: string
let empresa: { id: string; rut: string }
let book: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
})
beforeEach(async () => {
  empresa = await emptyEmpresa(world, account)
  book = `/v1/empresas/${empresa.id}/counterparties`
})
afterAll(() => world.close())

const address = { street: 'Av. Providencia 1234', comuna: 'Ñuñoa', city: 'Santiago' }

describe('PATCH /empresas/{empresa_id}/counterparties/{counterparty_rut}', () => {
  it('200 records a counterparty that was not there, with source api', async () => {
    const rut = randomRut()
    const body = { legal_name: 'Comercial Ñandú Ltda.', giro: 'Venta de artículos de oficina', address }
    const made = await world.patch(`${book}/${rut}`, { key, body })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ object: 'counterparty', id: rut, rut, ...body, source: 'api', contacts: [] })
    expect((await world.get(`${book}/${rut}`, { key })).body).toEqual(made.body)
  })

  it('200 leaves what is not sent, clears what is null, inside the address too', async () => {
    const rut = randomRut()
    await world.patch(`${book}/${rut}`, { key, body: { legal_name: 'Uno', giro: 'Dos', address } })
    const changed = await world.patch(`${book}/${rut}`, { key, body: { giro: null, address: { city: null } } })
    expect(changed.body).toMatchObject({ legal_name: 'Uno', giro: null, address: { ...address, city: null } })
    const cleared = await world.patch(`${book}/${rut}`, { key, body: { address: null } })
    expect(cleared.body).toMatchObject({ legal_name: 'Uno', address: null, source: 'api' })
  })

  it('200 says source null once the last field is cleared', async () => {
    const rut = randomRut()
    await world.patch(`${book}/${rut}`, { key, body: { giro: 'Transporte' } })
    expect((await world.patch(`${book}/${rut}`, { key, body: { giro: null } })).body.source).toBeNull()
  })

  it('200 with an empty body changes nothing, not even updated_at', async () => {
    const rut = randomRut()
    const { body: before } = await world.patch(`${book}/${rut}`, { key, body: { giro: 'Transporte' } })
    expect((await world.patch(`${book}/${rut}`, { key, body: {} })).body).toEqual(before)
  })

  it.each([
    ['giro', { giro: 'x'.repeat(41) }],
    ['legal_name', { legal_name: 'x'.repeat(101) }],
    ['address.street', { address: { street: 'x'.repeat(71) } }],
    ['address.comuna', { address: { comuna: 'x'.repeat(21) } }],
    ['address.city', { address: { city: 'x'.repeat(21) } }],
    ['giro', { giro: '   ' }],
    ['giro', { giro: 'Café – bar' }],
    ['legal_name', { legal_name: 'Ñandú€' }],
    ['address.comuna', { address: { comuna: 'N\u0303un\u0303oa' } }],
    ['address.region', { address: { region: 'XIII' } }],
    ['source', { source: 'api' }],
  ])('400 invalid_field names %s when it is %j, and records nothing', async (param, body) => {
    const rut = randomRut()
    const refused = await world.patch(`${book}/${rut}`, { key, body })
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'invalid_field', param })
    expect((await world.get(`${book}/${rut}`, { key })).status).toBe(404)
  })

  it('200 takes every limit exactly, in characters and not in bytes', async () => {
    const body = {
      legal_name: 'ñ'.repeat(100),
      giro: 'é'.repeat(40),
      address: { street: 'á'.repeat(70), comuna: 'ó'.repeat(20), city: 'ü'.repeat(20) },
    }
    expect((await world.patch(`${book}/${randomRut()}`, { key, body })).body).toMatchObject(body)
  })

  it('400 invalid_rut when the check digit of the path is wrong', async () => {
    const refused = await world.patch(`${book}/76192083-0`, { key, body: {} })
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'invalid_rut', param: 'counterparty_rut' })
  })

  it('403 insufficient_scope without empresas:write', async () => {
    const reader = await world.key(account, { scopes: ['empresas:read'] })
    const refused = await world.patch(`${book}/${randomRut()}`, { key: reader, body: {} })
    expect(refused.body.error).toMatchObject({ code: 'insufficient_scope', details: { scope: 'empresas:write' } })
  })

  it('200 for both of two first writers at once: neither loses its field', async () => {
    const rut = randomRut()
    const bodies = [{ legal_name: 'Uno' }, { giro: 'Dos' }, { address: { city: 'Talca' } }]
    const sent = await Promise.all(bodies.map((body) => world.patch(`${book}/${rut}`, { key, body })))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body } = await world.get(`${book}/${rut}`, { key })
    expect(body).toMatchObject({ legal_name: 'Uno', giro: 'Dos', address: { city: 'Talca' } })
  })

  it('200 waits for another change of the same counterparty and keeps what it wrote', async () => {
    const rut = randomRut()
    await world.patch(`${book}/${rut}`, { key, body: { legal_name: 'Uno' } })
    let patching: Promise<unknown> = Promise.resolve()
    await world.db.transact(async (sql) => {
      await sql`update counterparty set giro = 'Dos' where rut = ${rut}`
      patching = world.patch(`${book}/${rut}`, { key, body: { address: { city: 'Talca' } } })
      await vi.waitUntil(
        async () => {
          const [waits] = await world.db.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          return waits !== undefined
        },
        { timeout: 180_000 },
      )
    })
    await patching
    const { body } = await world.get(`${book}/${rut}`, { key })
    expect(body).toMatchObject({ legal_name: 'Uno', giro: 'Dos', address: { city: 'Talca' } })
  })
})

describe('GET /empresas/{empresa_id}/counterparties', () => {
  it('404 counterparty_not_found for a RUT nothing is recorded of', async () => {
    const missing = await world.get(`${book}/${randomRut()}`, { key })
    expect(missing.status).toBe(404)
    expect(missing.body.error.code).toBe('counterparty_not_found')
  })

  it('200 pages by RUT, each once, with its contacts', async () => {
    const ruts = Array.from({ length: 5 }, randomRut).sort()
    for (const rut of ruts) {
      await world.post(`${book}/${rut}/contacts`, { key, body: { email: `a@${rut.slice(0, -2)}.cl` } })
    }
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await world.get(`${book}?limit=2${cursor}`, { key })
      for (const item of page.body.data) {
        expect(item).toMatchObject({ source: null, contacts: [{ email: `a@${item.rut.slice(0, -2)}.cl` }] })
        seen.push(item.rut)
      }
      expect(page.body.has_more).toBe(page.body.next_cursor !== null)
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`
    } while (cursor !== '')
    expect(seen).toEqual(ruts)
  })

  it('400 invalid_cursor for a cursor of another empresa', async () => {
    for (let i = 0; i < 2; i++) await world.patch(`${book}/${randomRut()}`, { key, body: {} })
    const { body } = await world.get(`${book}?limit=1`, { key })
    const other = await emptyEmpresa(world, account)
    const refused = await world.get(`/v1/empresas/${other.id}/counterparties?cursor=${body.next_cursor}`, { key })
    expect(refused.status).toBe(400)
    expect(refused.body.error.code).toBe('invalid_cursor')
  })

  it('404 empresa_not_found for a stranger, and nothing of another empresa of the same account', async () => {
    const rut = randomRut()
    await world.patch(`${book}/${rut}`, { key, body: { giro: 'Transporte' } })
    const stranger = await world.key(await world.account())
    expect((await world.get(`${book}/${rut}`, { key: stranger })).body.error.code).toBe('empresa_not_found')
    const other = await emptyEmpresa(world, account)
    const elsewhere = await world.get(`/v1/empresas/${other.id}/counterparties/${rut}`, { key })
    expect(elsewhere.body.error.code).toBe('counterparty_not_found')
  })
})

describe('findCounterparty', () => {
  it('gives the row of this empresa only, and null for none', async () => {
    const rut = randomRut()
    await world.patch(`${book}/${rut}`, { key, body: { giro: 'Transporte' } })
    const scope = { account_id: account, mode: 'test', empresa_id: empresa.id, rut: empresa.rut } as const
    expect(await findCounterparty(world.db.sql, scope, rut)).toMatchObject({ giro: 'Transporte', source: 'api' })
    expect(await findCounterparty(world.db.sql, scope, randomRut())).toBeNull()
    expect(await findCounterparty(world.db.sql, { ...scope, mode: 'live' }, rut)).toBeNull()
  })
})
