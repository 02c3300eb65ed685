import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { behind } from '../../../../test/support/lock-contention.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { inferCounterparties, type NamedReceptor } from './infer.ts'

let world: World
let account: string
let key: string
let empresa: { id: string; rut: string }
let book: string
let rut: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
})
beforeEach(async () => {
  empresa = await emptyEmpresa(world, account)
  book = `/v1/empresas/${empresa.id}/counterparties`
  rut = randomRut()
})
afterAll(() => world.close())

const address = { street: 'Av. Providencia 1234', comuna: 'Providencia', city: 'Santiago' }
const moved = { street: 'Calle Larga 5', comuna: 'Valdivia' }
const whole = { legal_name: 'Comercial Ñandú Ltda.', giro: 'Librería', address }

const scope = () => ({ account_id: account, mode: 'test', empresa_id: empresa.id, rut: empresa.rut }) as const
const invoiced = (...receptors: Partial<NamedReceptor>[]) =>
  world.db.transact((sql) =>
    inferCounterparties(
      sql,
      scope(),
      receptors.map((receptor) => ({ rut, ...receptor })),
      new Date(systemNow()),
    ),
  )
const patch = (body: object) => world.patch(`${book}/${rut}`, { key, body })
const read = async () => (await world.get(`${book}/${rut}`, { key })).body
const listed = async () => (await world.get(book, { key })).body.data as { rut: string; source: string | null }[]

describe('the counterparties an empresa invoiced', () => {
  it('are listed with what the document said and source document, though nobody recorded them', async () => {
    await invoiced(whole)
    expect(await listed()).toEqual([expect.objectContaining({ rut, ...whole, source: 'document', contacts: [] })])
    expect(await read()).toEqual((await listed())[0])
  })

  it('are listed with source document for a name alone, and with source null for nothing but a RUT', async () => {
    const other = randomRut()
    await invoiced({ legal_name: 'Ana Ñáñez' }, { rut: other })
    const bySource = Object.fromEntries((await listed()).map((row) => [row.rut, row.source]))
    expect(bySource).toEqual({ [rut]: 'document', [other]: null })
  })

  it('are not the anonymous buyer, nor any foreigner, nor the empresa itself', async () => {
    await invoiced({ ...whole, rut: '66666666-6' }, { ...whole, rut: '55555555-5' }, { ...whole, rut: empresa.rut })
    expect(await listed()).toEqual([])
  })

  it('are heard many at a time, and the last document to a RUT has the last word', async () => {
    const other = randomRut()
    await invoiced(
      whole,
      { rut: other, giro: 'Bar' },
      { giro: 'Papelería', address: moved },
      { legal_name: 'Ñandú SpA' },
    )
    expect(await read()).toMatchObject({
      legal_name: 'Ñandú SpA',
      giro: 'Papelería',
      address: { ...moved, city: null },
    })
    expect(await listed()).toHaveLength(2)
  })

  it('belong to the empresa that invoiced them alone', async () => {
    await invoiced(whole)
    const other = await emptyEmpresa(world, account)
    expect((await world.get(`/v1/empresas/${other.id}/counterparties`, { key })).body.data).toEqual([])
  })
})

describe('a later document', () => {
  it('changes nothing, not even updated_at, when it says the same or less', async () => {
    await invoiced(whole)
    const before = await read()
    await invoiced(whole)
    await invoiced({ legal_name: whole.legal_name })
    await invoiced({})
    expect(await read()).toEqual(before)
  })

  it('fills what is missing and replaces what is known from documents alone', async () => {
    await invoiced({ legal_name: 'Ñandú' })
    await invoiced({ giro: 'Librería', address })
    expect(await read()).toMatchObject({ legal_name: 'Ñandú', giro: 'Librería', address, source: 'document' })
    await invoiced({ legal_name: 'Ñandú SpA', giro: 'Papelería' })
    expect(await read()).toMatchObject({ legal_name: 'Ñandú SpA', giro: 'Papelería', address })
  })

  it('with another address replaces all of it: no address is put together from two', async () => {
    await invoiced(whole)
    await invoiced({ address: moved })
    expect((await read()).address).toEqual({ ...moved, city: null })
  })

  it('with the same address and no city keeps the city', async () => {
    await invoiced(whole)
    await invoiced({ address: { street: address.street, comuna: address.comuna } })
    expect((await read()).address).toEqual(address)
  })
})

describe('what the caller recorded', () => {
  it('is never replaced by a document, before or after', async () => {
    await invoiced(whole)
    await patch({ legal_name: 'El nombre bueno', giro: 'El giro bueno', address: { ...address, street: 'Otra 1' } })
    const before = await read()
    await invoiced(whole)
    await invoiced({ legal_name: 'X', giro: 'Y', address: moved })
    expect(await read()).toEqual(before)
    expect(before.source).toBe('api')
  })

  it('stays when a document says it first and the caller confirms it', async () => {
    await invoiced(whole)
    await patch({ giro: whole.giro })
    await invoiced({ giro: 'Otro' })
    expect((await read()).giro).toBe(whole.giro)
  })

  it('leaves room for what the caller did not record', async () => {
    await patch({ giro: 'El giro bueno' })
    await invoiced(whole)
    expect(await read()).toMatchObject({ ...whole, giro: 'El giro bueno', source: 'api' })
    await invoiced({ legal_name: 'Nombre nuevo', address: moved })
    expect(await read()).toMatchObject({ legal_name: 'Nombre nuevo', address: { ...moved, city: null } })
  })

  it('of an address is completed only by a document that agrees with it', async () => {
    await patch({ address: { street: address.street } })
    await invoiced({ address: moved })
    expect((await read()).address).toEqual({ street: address.street, comuna: null, city: null })
    await invoiced({ address })
    expect((await read()).address).toEqual(address)
    await invoiced({ address: { ...address, comuna: 'Las Condes', city: null } })
    expect((await read()).address).toEqual({ street: address.street, comuna: 'Las Condes', city: null })
  })

  it('and cleared is nobody’s again: what is left says document, and the next document may fill it', async () => {
    await invoiced(whole)
    await patch({ giro: 'El giro bueno' })
    expect(await patch({ giro: null })).toMatchObject({ body: { giro: null, source: 'document' } })
    await invoiced({ giro: 'Librería' })
    expect(await read()).toMatchObject({ giro: 'Librería', source: 'document' })
  })

  it('of the contacts alone leaves the rest to documents', async () => {
    await world.post(`${book}/${rut}/contacts`, { key, body: { email: 'pagos@acme.cl' } })
    await invoiced(whole)
    expect(await read()).toMatchObject({ ...whole, source: 'document', contacts: [{ email: 'pagos@acme.cl' }] })
  })

  it('at this very moment wins over a document that saw the counterparty before', async () => {
    await invoiced(whole)
    await behind(
      world,
      {
        hold: (sql) => sql`select 1 from counterparty where rut = ${rut} for update`,
        change: (sql) =>
          sql`update counterparty set giro = 'Recién', inferred = '{}', source = 'api' where rut = ${rut}`,
      },
      () => invoiced({ giro: 'Otro' }),
    )
    expect(await read()).toMatchObject({ giro: 'Recién', source: 'api' })
  })
})

describe('many documents at once', () => {
  it('to the same new counterparties, in any order, make each once and fail none', async () => {
    const ruts = Array.from({ length: 20 }, randomRut)
    const batch = ruts.map((one) => ({ ...whole, rut: one }))
    await Promise.all(Array.from({ length: 8 }, (_, i) => invoiced(...(i % 2 ? batch : [...batch].reverse()))))
    expect((await listed()).map((row) => row.rut)).toEqual([...ruts].sort())
  })

  it('that change the same counterparties, in any order, fail none', async () => {
    const ruts = Array.from({ length: 20 }, randomRut)
    await invoiced(...ruts.map((one) => ({ ...whole, rut: one })))
    const again = (i: number) => ruts.map((one) => ({ rut: one, giro: `Giro ${i}` }))
    await Promise.all(Array.from({ length: 8 }, (_, i) => invoiced(...(i % 2 ? again(i) : again(i).reverse()))))
    for (const row of await listed()) expect(row).toMatchObject({ giro: expect.stringMatching(/^Giro \d$/) })
  })
})
