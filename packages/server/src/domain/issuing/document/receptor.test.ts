import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { MODES } from '../../../catalog/modes.ts'

let world: World
let issuer: Issuer
let owner: string
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world, {
    empresa: { giro: 'Librería', acteco: [476101], address: { street: 'Av. Providencia 1234', comuna: 'Providencia' } },
  })
  owner = await world.key(issuer.account, { scopes: ['empresas:write'] })
})
afterAll(() => world.close())

const record = (rut: string, body: object) =>
  world.patch(`/v1/empresas/${issuer.empresa_id}/counterparties/${rut}`, { key: owner, body })
const bare = (rut: string, more: object = {}) => ({ tipo_dte: 33, receptor: { rut, ...more }, items: ITEMS })
const book = { legal_name: 'Del Libro Ltda.', giro: 'Ferretería', address: { street: 'Uno 1', comuna: 'Ñuñoa' } }

describe('the receptor of a document', () => {
  it('comes from the request first, and each field says so', async () => {
    const rut = randomRut()
    await record(rut, book)
    const { body } = await issuer.create({ ...FACTURA, receptor: { ...RECEPTOR, rut } })
    expect(body.receptor).toMatchObject({ legal_name: RECEPTOR.legal_name, giro: RECEPTOR.giro })
    expect(body.receptor.sources).toEqual({
      legal_name: 'request',
      giro: 'request',
      'address.street': 'request',
      'address.comuna': 'request',
      'address.city': 'request',
    })
  })

  it('is completed from the empresa itself when it is its own receptor', async () => {
    const guia = { ...bare(issuer.rut), tipo_dte: 52, dispatch: { dispatch_type: 2, transfer_type: 5 } }
    const { body } = await issuer.create(guia)
    expect(body.receptor).toMatchObject({ giro: 'Librería', address: { comuna: 'Providencia' } })
    expect(new Set(Object.values(body.receptor.sources))).toEqual(new Set(['empresa']))
  })

  it('is completed with what the sandbox issues for an empresa that was never described, when it is that empresa', async () => {
    const bareEmpresa = await openIssuer(world)
    const { status, body } = await bareEmpresa.create({
      tipo_dte: 52,
      receptor: { rut: bareEmpresa.rut },
      items: ITEMS,
    })
    expect([status, body.receptor?.giro]).toEqual([201, MODES.test.emisor_placeholders.giro])
    expect(new Set(Object.values(body.receptor.sources))).toEqual(new Set(['empresa']))
  })

  it('is completed from the address book, which goes before an earlier document', async () => {
    const rut = randomRut()
    await issuer.create({ ...FACTURA, receptor: { ...RECEPTOR, rut } })
    const earlier = await issuer.create(bare(rut))
    expect(earlier.body.receptor).toMatchObject({ giro: RECEPTOR.giro, address: RECEPTOR.address })
    expect(new Set(Object.values(earlier.body.receptor.sources))).toEqual(new Set(['earlier_document']))
    await record(rut, book)
    const { body } = await issuer.create(bare(rut, { legal_name: 'Como Yo Digo SpA' }))
    expect(body.receptor).toMatchObject({ legal_name: 'Como Yo Digo SpA', giro: 'Ferretería' })
    expect(body.receptor.sources).toEqual({
      legal_name: 'request',
      giro: 'counterparty',
      'address.street': 'counterparty',
      'address.comuna': 'counterparty',
    })
  })

  it('never takes an address from another empresa of the account', async () => {
    const rut = randomRut()
    const other = await openIssuer(world, { account: issuer.account })
    await other.create({ ...FACTURA, receptor: { ...RECEPTOR, rut } })
    expect((await issuer.create(bare(rut))).body.error.code).toBe('receptor_incomplete')
  })

  const gaps: [string, object][] = [
    ['receptor.legal_name', { giro: 'x', address: RECEPTOR.address }],
    ['receptor.giro', { legal_name: 'x', address: RECEPTOR.address }],
    ['receptor.giro', {}],
    ['receptor.address.street', { legal_name: 'x', giro: 'x', address: { comuna: 'Maipú' } }],
    ['receptor.address.comuna', { legal_name: 'x', giro: 'x', address: { street: 'Uno 1' } }],
  ]
  it.each(gaps)('400 receptor_incomplete names %s when no source has it', async (param, more) => {
    for (const tipo_dte of [33, 34, 61]) {
      const references =
        tipo_dte === 61 ? { references: [{ tipo_dte: 33, folio: 7, date: '2026-01-05', code: 1 }] } : {}
      const sent = await issuer.create({ ...bare(randomRut(), more), tipo_dte, ...references })
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'receptor_incomplete', param])
    }
  })

  it('of a boleta carries what it was given and nothing else', async () => {
    const rut = randomRut()
    await record(rut, book)
    const { body } = await issuer.create({ ...BOLETA, receptor: { rut, legal_name: 'Ana Soto' } })
    expect(body.receptor).toMatchObject({ legal_name: 'Ana Soto', giro: null, sources: { legal_name: 'request' } })
  })

  it('of a reference by id is the three facts the SII asks for', async () => {
    const first = await issuer.create(FACTURA)
    const waiting = await issuer.create({ ...FACTURA, references: [{ document_id: first.body.id }] })
    expect(waiting.body.error.param).toBe('references[0].document_id')
    await world.db.sql`update document set folio = 4711 where id = ${first.body.id}`
    const wrong = await issuer.create({ ...FACTURA, references: [{ document_id: first.body.id, folio: 1 }] })
    expect(wrong.body.error.param).toBe('references[0].folio')
    const note = { ...FACTURA, tipo_dte: 61, references: [{ document_id: first.body.id, code: 1 }] }
    const { body } = await issuer.create(note)
    expect(body.annuls).toBe(first.body.id)
    const [row] = await world.db.sql<{ reference: object }>`
      select draft #> '{references,0}' as reference from document where id = ${body.id}`
    expect(row?.reference).toEqual({ tipo_dte: 33, folio: 4711, date: first.body.issue_date, code: 1 })
  })
})

describe('POST /v1/documents/previews', () => {
  it('201 prices and completes what would be issued, spends nothing, and can be read again', async () => {
    const body = {
      ...FACTURA,
      items: [{ description: 'Mesa', quantity: 3, unit_price: 1000, discount: { percent: 10 } }],
    }
    const made = await issuer.post('/v1/documents/previews', body)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      object: 'document_preview',
      folio: null,
      totals: { net: 2700, iva: 513, exempt: 0, total: 3213 },
      items: [{ amount: 2700, discount_amount: 300 }],
      receptor: { sources: { giro: 'request' } },
    })
    const read = await issuer.get(`/v1/documents/previews/${made.body.id}`)
    expect(read.text).toBe(made.text)
    expect((await issuer.create(body)).body.totals).toEqual(made.body.totals)
  })

  it('refuses exactly what POST /v1/documents refuses', async () => {
    const refused = [
      bare(randomRut()),
      { ...FACTURA, items: [] },
      { ...FACTURA, issue_date: '2199-01-01' },
      { ...FACTURA, tipo_dte: 61 },
    ]
    for (const body of refused) {
      const { request_id: _a, ...preview } = (await issuer.post('/v1/documents/previews', body)).body.error
      const { request_id: _b, ...create } = (await issuer.create(body)).body.error
      expect(preview).toEqual(create)
    }
  })

  it('404 document_preview_not_found for one of another empresa, and once its day is over', async () => {
    const { body } = await issuer.post('/v1/documents/previews', BOLETA)
    const other = await openIssuer(world, { account: issuer.account })
    const path = `/v1/documents/previews/${body.id}`
    expect((await other.get(path)).body.error.code).toBe('document_preview_not_found')
    await world.db.sql`update document_preview set expires_at = now() - interval '1 minute' where id = ${body.id}`
    expect((await issuer.get(path)).status).toBe(404)
  })

  it.each([
    [{ empresa: { doc_types: [39] } }, FACTURA, 'tipo_not_declared'],
    [
      { empresa: { origen: 'gratuito', doc_types: [33] } },
      { ...FACTURA, tipo_dte: 46 },
      'tipo_not_available_for_channel',
    ],
    [
      { empresa: { origen: 'gratuito', doc_types: [52] } },
      {
        ...FACTURA,
        tipo_dte: 52,
        dispatch: { dispatch_type: 2, transfer_type: 6 },
        items: [{ description: 'x', quantity: 1, unit_price: 0 }],
      },
      'sfg_guia_zero_amount',
    ],
  ])('422 %o', async (options, body, code) => {
    const own = await openIssuer(world, options)
    expect((await own.post('/v1/documents/previews', body)).body.error.code).toBe(code)
  })

  it('422 empresa_not_emitting and empresa_incomplete on a live empresa', async () => {
    const account = await world.account({ plan: 'house' })
    const live = await openIssuer(world, { account, mode: 'live' })
    expect((await live.post('/v1/documents/previews', FACTURA)).body.error.code).toBe('empresa_not_emitting')
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = doc_types, certificate_until = '2099-01-01' where id = ${live.empresa_id}`
    world.app.cache.invalidate(account)
    expect((await live.post('/v1/documents/previews', FACTURA)).body.error.code).toBe('empresa_incomplete')
  })
})
