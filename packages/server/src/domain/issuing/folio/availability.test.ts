import { addMonths } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { lowBelow } from './availability.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

const NOTHING = { ranges: [], stock: { chain: [], stops_at_expired_range: false }, forecast: null }

describe('GET /v1/folios', () => {
  it('200 gives one row for each tipo the empresa declares, by its number, and one alone when asked', async () => {
    const scope = await at.empresa()
    const request = { key: at.live, empresa: scope.rut }
    const all = await at.world.get('/v1/folios', request)
    expect(all.body).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
    expect(all.body.data.map((row: { tipo_dte: number }) => row.tipo_dte)).toEqual([33, 34, 39, 61])
    const one = await at.world.get('/v1/folios?tipo_dte=34', request)
    expect(one.body.data).toEqual([all.body.data[1]])
    expect((await at.world.get('/v1/folios?tipo_dte=46', request)).body.data).toEqual([])
  })

  it('200 pages through them', async () => {
    const scope = await at.empresa()
    const request = { key: at.live, empresa: scope.rut }
    const first = (await at.world.get('/v1/folios?limit=3', request)).body
    expect([first.data.length, first.has_more]).toEqual([3, true])
    const second = (await at.world.get(`/v1/folios?limit=3&cursor=${first.next_cursor}`, request)).body
    expect([second.data[0].tipo_dte, second.data.length, second.has_more, second.next_cursor]).toEqual([
      61,
      1,
      false,
      null,
    ])
  })

  it('400 invalid_cursor for the cursor of another empresa or filter', async () => {
    const [one, other] = [await at.empresa(), await at.empresa()]
    const { next_cursor } = (await at.world.get('/v1/folios?limit=1', { key: at.live, empresa: one.rut })).body
    for (const [query, rut] of [
      ['', other.rut],
      ['&tipo_dte=33', one.rut],
    ]) {
      const sent = await at.world.get(`/v1/folios?cursor=${next_cursor}${query}`, {
        key: at.live,
        empresa: rut as string,
      })
      expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_cursor'])
    }
  })

  it('400 invalid_field for a tipo that does not exist', async () => {
    const scope = await at.empresa()
    const sent = await at.world.get('/v1/folios?tipo_dte=35', { key: at.live, empresa: scope.rut })
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', 'tipo_dte'])
  })

  it('200 says that a live empresa without a range is exhausted and has no next folio', async () => {
    const scope = await at.empresa()
    expect(await at.folios(scope)).toEqual({
      object: 'folio_availability',
      tipo_dte: 33,
      available: 0,
      next_folio: null,
      status: 'exhausted',
      ...NOTHING,
    })
  })

  it('200 says that a sandbox is available from the start and that its first folio will be 1', async () => {
    const scope = await at.empresa({ mode: 'test' })
    expect(await at.folios(scope)).toMatchObject({ available: 0, next_folio: 1, status: 'available', ...NOTHING })
  })

  it('200 sums the chain and shows each range in the order it is used', async () => {
    const scope = await at.empresa()
    const second = await at.grant(scope, { first_folio: 101, last_folio: 150 })
    const first = await at.grant(scope, { first_folio: 1, last_folio: 100, authorised_on: day(-40) })
    await at.draw(scope, 20)
    expect(await at.folios(scope)).toEqual({
      object: 'folio_availability',
      tipo_dte: 33,
      available: 130,
      next_folio: 21,
      status: 'available',
      ranges: [
        {
          caf_id: first,
          from: 1,
          to: 100,
          next_folio: 21,
          remaining: 80,
          authorised_on: day(-40),
          expires_on: addMonths(day(-40), 6),
          expired: false,
          source: 'upload',
        },
        {
          caf_id: second,
          from: 101,
          to: 150,
          next_folio: 101,
          remaining: 50,
          authorised_on: day(-14),
          expires_on: addMonths(day(-14), 6),
          expired: false,
          source: 'upload',
        },
      ],
      stock: {
        chain: [
          { from: 1, to: 100, remaining: 80, expired: false },
          { from: 101, to: 150, remaining: 50, expired: false },
        ],
        stops_at_expired_range: false,
      },
      forecast: null,
    })
  })

  it('200 is low below a tenth of the last range, exhausted at none', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 100 })
    await at.draw(scope, 90)
    expect(await at.folios(scope)).toMatchObject({ available: 10, status: 'available' })
    await at.draw(scope, 1)
    expect(await at.folios(scope)).toMatchObject({ available: 9, next_folio: 92, status: 'low' })
    await at.draw(scope, 9)
    expect(await at.folios(scope)).toMatchObject({ available: 0, next_folio: null, status: 'exhausted', ...NOTHING })
  })

  it('200 shows an expired range in the chain, does not count it, and stops there only when nothing else is left', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 9 })
    await at.grant(scope, { first_folio: 10, last_folio: 30 })
    await at.world.db.sql`
      update caf set expires_on = '2020-01-01' where empresa_id = ${scope.empresa_id} and from_folio = 1`
    expect(await at.folios(scope)).toMatchObject({
      available: 21,
      next_folio: 10,
      stock: {
        chain: [
          { from: 1, to: 9, remaining: 9, expired: true },
          { from: 10, to: 30, remaining: 21, expired: false },
        ],
        stops_at_expired_range: false,
      },
      forecast: null,
    })
    await at.draw(scope, 21)
    expect(await at.folios(scope)).toMatchObject({
      available: 0,
      next_folio: null,
      status: 'exhausted',
      stock: { chain: [{ from: 1, to: 9, remaining: 9, expired: true }], stops_at_expired_range: true },
    })
  })

  it('200 says sfg_managed for the facturas of an sfg empresa and not for its boletas', async () => {
    const scope = await at.empresa({ body: { emission_channel: 'sfg', origen: 'gratuito' } })
    expect(await at.folios(scope, 33)).toMatchObject({
      available: 0,
      next_folio: null,
      status: 'sfg_managed',
      ...NOTHING,
    })
    expect(await at.folios(scope, 39)).toMatchObject({ status: 'exhausted' })
  })
})

describe('lowBelow', () => {
  it('is a tenth of the range, rounded up, and five at least', () => {
    expect([1, 50, 51, 60, 1000, 1001].map(lowBelow)).toEqual([5, 5, 6, 6, 100, 101])
  })
})
