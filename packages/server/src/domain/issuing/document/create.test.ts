import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { type EventData, openEventData } from '../../../kernel/event-data.ts'

// No worker: what is asserted here is what creation alone leaves behind.
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const count = async (account = issuer.account) => {
  const [row] = await world.db.sql<{ documents: number; events: number; jobs: number; keys: number }>`
    select (select count(*)::int from document where account_id = ${account}) as documents,
      (select count(*)::int from event where account_id = ${account} and type = 'document.created') as events,
      (select count(*)::int from job where account_id = ${account} and name = 'document.emit') as jobs,
      (select count(*)::int from idempotency where account_id = ${account}) as keys`
  return row
}

describe('POST /v1/documents', () => {
  it('201 is the document in `queued`, without a folio, and says when to look again', async () => {
    const sent = await issuer.create({ ...FACTURA, external_id: 'pedido-1', metadata: { pedido: '1' } })
    expect(sent.status).toBe(201)
    expect(sent.headers['svc-poll-after']).toBe('1')
    expect(sent.body).toMatchObject({
      object: 'document',
      mode: 'test',
      status: 'queued',
      tipo_dte: 33,
      folio: null,
      totals: { net: 5000, iva: 950, exempt: 0, total: 5950 },
      external_id: 'pedido-1',
      metadata: { pedido: '1' },
      sii: { environment: 'certificacion', track_id: null, estado: null },
      cesion: { cedible: true, status: null },
    })
    expect(sent.body.pdf_url).toBe(`http://timbre.test/v1/documents/${sent.body.id}/pdf`)
    const read = await issuer.get(`/v1/documents/${sent.body.id}`)
    expect(read.body).toMatchObject(sent.body)
    expect(read.headers['svc-poll-after']).toBe('1')
  })

  it('201 leaves the row, its event, its job and its key, and the event carries the answer, byte for byte', async () => {
    const alone = await openIssuer(world)
    const sent = await alone.create(BOLETA)
    expect(await count(alone.account)).toEqual({ documents: 1, events: 1, jobs: 1, keys: 1 })
    const [event] = await world.db.sql<EventData & { empresa_rut: string }>`
      select data::text as data, packed, base_id, empresa_rut from event
      where account_id = ${alone.account} and type = 'document.created'`
    expect(event && (await openEventData(world.db.sql, [event]))).toEqual([`{"object":${sent.text}}`])
    expect(event?.empresa_rut).toBe(alone.rut)
  })

  it('201 splits the gross price of a boleta into net and IVA, to the peso that was paid', async () => {
    const sent = await issuer.create({ tipo_dte: 39, items: [{ description: 'Pan', quantity: 1, unit_price: 680 }] })
    expect(sent.body.totals).toMatchObject({ net: 571, iva: 109, exempt: 0, total: 680 })
    expect(sent.body.receptor.rut).toBe('66666666-6')
  })

  it('201 puts the name of a natural person on a boleta', async () => {
    const receptor = { rut: '12345678-5', legal_name: 'Ana Soto' }
    const sent = await issuer.create({ ...BOLETA, receptor })
    expect(sent.body.receptor).toMatchObject({ ...receptor, giro: null, sources: { legal_name: 'request' } })
  })

  const issued: [number, object][] = [
    [34, { receptor: RECEPTOR, items: ITEMS }],
    [41, { items: ITEMS }],
    [46, { receptor: RECEPTOR, items: [{ ...ITEMS[0], additional_tax: 15 }] }],
    [52, { receptor: RECEPTOR, items: ITEMS, dispatch: { dispatch_type: 1, transfer_type: 1 } }],
    [56, { receptor: RECEPTOR, items: ITEMS, references: [{ tipo_dte: 33, folio: 7, date: '2026-01-05', code: 3 }] }],
    [61, { receptor: RECEPTOR, items: ITEMS, references: [{ tipo_dte: 33, folio: 7, date: '2026-01-05', code: 1 }] }],
  ]
  it.each(issued)('201 takes tipo %i', async (tipo_dte, body) => {
    expect(await issuer.create({ tipo_dte, ...body })).toMatchObject({ status: 201, body: { tipo_dte } })
  })

  it('201 withholds all the IVA of a factura de compra that names no tax, on its taxed lines alone', async () => {
    const items = [{ ...ITEMS[0] }, { ...ITEMS[0], exempt: true }]
    const sent = await issuer.create({ tipo_dte: 46, receptor: RECEPTOR, items })
    expect(sent.body.totals).toMatchObject({ net: 5_000, iva: 950, exempt: 5_000, taxes: -950, total: 10_000 })
    const preview = await issuer.post('/v1/documents/previews', { tipo_dte: 46, receptor: RECEPTOR, items })
    expect(preview.body.taxes).toEqual([{ code: 15, rate: 19, amount: 950 }])
  })

  it('201 takes a guía that says nothing of its transfer: priced it is a sale, to itself an internal transfer', async () => {
    const described = await openIssuer(world, { empresa: { giro: 'Comercio', address: RECEPTOR.address } })
    const dispatchOf = async (body: object) => {
      const sent = await described.create({ tipo_dte: 52, items: ITEMS, ...body })
      const [row] = await world.db.sql<{ dispatch: object }>`
        select draft -> 'dispatch' as dispatch from document where id = ${sent.body.id}`
      return row?.dispatch
    }
    const named = { receptor: RECEPTOR, dispatch: { dispatch_type: 2 } }
    expect(await dispatchOf(named)).toEqual({ dispatch_type: 2, transfer_type: 1 })
    expect(await dispatchOf({ receptor: { rut: described.rut } })).toEqual({ transfer_type: 5 })
    const preview = await described.post('/v1/documents/previews', { tipo_dte: 52, items: ITEMS, ...named })
    expect(preview.body.dispatch).toMatchObject({ dispatch_type: 2, transfer_type: 1 })
  })

  it('201 remembers the channel it left by: on sfg the portal cedes, not we', async () => {
    const free = await openIssuer(world, { empresa: { emission_channel: 'sfg' } })
    const { body } = await free.create(FACTURA)
    expect(body.cesion.cedible).toBe(false)
    const owner = await world.key(free.account, { scopes: ['empresas:write'] })
    await world.patch(`/v1/empresas/${free.empresa_id}`, { key: owner, body: { emission_channel: 'mercado' } })
    expect((await free.get(`/v1/documents/${body.id}`)).body.cesion.cedible).toBe(false)
    expect((await free.create(FACTURA)).body.cesion.cedible).toBe(true)
  })

  it('201 issues for an empresa that was never described, in the sandbox', async () => {
    const bare = await openIssuer(world)
    expect((await bare.create(FACTURA)).status).toBe(201)
  })
})

describe('a request that cannot become a document', () => {
  const refusals: [string, object, string, string | undefined][] = [
    ['without items', { tipo_dte: 33, receptor: RECEPTOR }, 'invalid_field', 'items'],
    ['with no items', { ...FACTURA, items: [] }, 'invalid_field', 'items'],
    ['with 61 items', { ...FACTURA, items: Array(61).fill(ITEMS[0]) }, 'invalid_field', 'items[60]'],
    ['of an unknown tipo', { ...FACTURA, tipo_dte: 35 }, 'invalid_field', 'tipo_dte'],
    ['with a field nobody knows', { ...FACTURA, receptro: {} }, 'invalid_field', 'receptro'],
    ['with an empresa in its body', { ...FACTURA, empresa: '1-9' }, 'invalid_field', 'empresa'],
    [
      'with five decimals',
      { ...FACTURA, items: [{ description: 'x', quantity: 1, unit_price: 1.00001 }] },
      'invalid_field',
      'items[0].unit_price',
    ],
    [
      'with an emoji',
      { ...FACTURA, items: [{ description: '🎉', quantity: 1, unit_price: 1 }] },
      'invalid_field',
      'items[0].description',
    ],
    ['dated tomorrow', { ...FACTURA, issue_date: '2199-01-01' }, 'invalid_field', 'issue_date'],
    ['of a boleta dated 2019', { ...BOLETA, issue_date: '2019-06-01' }, 'invalid_field', 'issue_date'],
    ['dated before the resolución', { ...FACTURA, issue_date: '2014-08-21' }, 'invalid_field', 'issue_date'],
    ['of a nota’s kind of sale in a factura', { ...FACTURA, sale_type: 4 }, 'invalid_field', 'sale_type'],
    ['of a boleta with a kind of sale', { ...BOLETA, sale_type: 2 }, 'invalid_field', 'sale_type'],
    ['on a day that does not exist', { ...FACTURA, issue_date: '2026-02-31' }, 'invalid_field', 'issue_date'],
    ['to a wrong RUT', { ...FACTURA, receptor: { ...RECEPTOR, rut: '77123456-8' } }, 'invalid_rut', 'receptor.rut'],
    ['without a receptor', { tipo_dte: 33, items: ITEMS }, 'receptor_incomplete', 'receptor.rut'],
    ['with 21 metadata pairs', { ...FACTURA, metadata: pairs(21) }, 'invalid_field', 'metadata'],
    [
      'with 41 references',
      { ...FACTURA, references: Array(41).fill({ tipo_dte: 52, folio: 1, date: '2026-01-05' }) },
      'invalid_field',
      'references[40]',
    ],
    [
      'with 1001 lines in a boleta',
      { ...BOLETA, items: Array(1001).fill(BOLETA.items[0]) },
      'invalid_field',
      'items[1000]',
    ],
    [
      'with a line without a price',
      { ...BOLETA, items: [BOLETA.items[0], { description: 'Té', quantity: 1 }] },
      'invalid_field',
      'items[1].unit_price',
    ],
    [
      'of goods without a price that says nothing of its transfer',
      { tipo_dte: 52, receptor: RECEPTOR, items: [{ description: 'Envases', quantity: 3 }] },
      'invalid_field',
      'dispatch.transfer_type',
    ],
    ['with 21 discounts', { ...FACTURA, discounts: Array(21).fill({ percent: 1 }) }, 'invalid_field', 'discounts[20]'],
    [
      'with 21 surcharges',
      { ...FACTURA, surcharges: Array(21).fill({ amount: 1 }) },
      'invalid_field',
      'surcharges[20]',
    ],
    ['that annuls nothing', { ...FACTURA, tipo_dte: 61 }, 'invalid_field', 'references'],
    [
      'that names a document of nobody',
      { ...FACTURA, references: [{ document_id: 'doc_nothing' }] },
      'invalid_field',
      'references[0].document_id',
    ],
    [
      'above 135 UF without a buyer',
      { tipo_dte: 39, items: [{ description: 'x', quantity: 1, unit_price: 6_000_000 }] },
      'invalid_field',
      'receptor.rut',
    ],
  ]
  it.each(refusals)('400 %s is told by its field and leaves nothing behind', async (_what, body, code, param) => {
    const before = await count()
    const sent = await issuer.create(body)
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, code, param])
    expect(await count()).toEqual(before)
  })

  it('400 of a null where text is due says so, and nothing of alphabets', async () => {
    const sent = await issuer.create({ ...FACTURA, receptor: { ...RECEPTOR, giro: null } })
    expect(sent.body.error).toMatchObject({ param: 'receptor.giro', message: 'receptor.giro: it must be string.' })
  })

  it('400 names the body where a broken character is all of it', async () => {
    const sent = await issuer.post('/v1/documents/previews', '\u0000' as unknown as object)
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', 'body'])
  })

  it('400 idempotency_key_required without a key', async () => {
    const sent = await issuer.post('/v1/documents', FACTURA)
    expect([sent.status, sent.body.error.code]).toEqual([400, 'idempotency_key_required'])
  })

  it('422 tipo_not_declared for a tipo outside doc_types', async () => {
    const few = await openIssuer(world, { empresa: { doc_types: [39] } })
    const sent = await few.create(FACTURA)
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([422, 'tipo_not_declared', 'tipo_dte'])
  })

  it('422 tipo_not_available_for_channel for a 46 on sfg, and sfg_guia_zero_amount for a line without amount', async () => {
    const free = await openIssuer(world, { empresa: { origen: 'gratuito', doc_types: [33, 52] } })
    const compra = await free.create({ ...FACTURA, tipo_dte: 46 })
    expect([compra.status, compra.body.error.code]).toEqual([422, 'tipo_not_available_for_channel'])
    const guia = {
      ...FACTURA,
      tipo_dte: 52,
      dispatch: { dispatch_type: 2, transfer_type: 6 },
      items: [...ITEMS, { description: 'Envase', quantity: 1, unit_price: 0 }],
    }
    const zero = await free.create(guia)
    expect([zero.status, zero.body.error.code, zero.body.error.param]).toEqual([
      422,
      'sfg_guia_zero_amount',
      'items[1].unit_price',
    ])
  })

  it('403 empresa_inactive on an archived empresa', async () => {
    const gone = await openIssuer(world)
    const owner = await world.key(gone.account, { scopes: ['empresas:write'] })
    await world.patch(`/v1/empresas/${gone.empresa_id}`, { key: owner, body: { status: 'archived' } })
    expect((await gone.create(FACTURA)).body.error.code).toBe('empresa_inactive')
  })

  it('422 empresa_not_emitting names the step a live empresa waits for', async () => {
    const account = await world.account({ plan: 'house' })
    const live = await openIssuer(world, { account, mode: 'live' })
    const sent = await live.create(FACTURA)
    expect([sent.status, sent.body.error.code, sent.body.error.details.step]).toEqual([
      422,
      'empresa_not_emitting',
      'mandato',
    ])
  })

  it('402 subscription_required comes before anything else is judged', async () => {
    const live = await openIssuer(world, { mode: 'live' })
    const sent = await live.create(FACTURA)
    expect([sent.status, sent.body.error.code]).toEqual([402, 'subscription_required'])
    expect(await count(live.account)).toEqual({ documents: 0, events: 0, jobs: 0, keys: 0 })
  })

  it('422 empresa_incomplete names what a live empresa that emits still lacks', async () => {
    const account = await world.account({ plan: 'house' })
    const live = await openIssuer(world, { account, mode: 'live' })
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = doc_types, certificate_until = '2099-01-01' where id = ${live.empresa_id}`
    world.app.cache.invalidate(account)
    const sent = await live.create(FACTURA)
    expect([sent.status, sent.body.error.code, sent.body.error.details]).toEqual([
      422,
      'empresa_incomplete',
      { field: 'giro' },
    ])
  })
})

function pairs(n: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']))
}

describe('external_id', () => {
  it('409 external_id_exists names the document that has it, and another empresa may use it', async () => {
    const external_id = randomUUID()
    const first = await issuer.create({ ...BOLETA, external_id })
    const second = await issuer.create({ ...BOLETA, external_id })
    expect([second.status, second.body.error.code]).toEqual([409, 'external_id_exists'])
    expect(second.body.error.existing_id).toBe(first.body.id)
    expect((await (await openIssuer(world)).create({ ...BOLETA, external_id })).status).toBe(201)
  })

  it('201 once and 409 for all others when many ask at the same moment', async () => {
    const external_id = randomUUID()
    const sent = await Promise.all(Array.from({ length: 8 }, () => issuer.create({ ...BOLETA, external_id })))
    const [made] = sent.filter(({ status }) => status === 201)
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    for (const { body } of sent.filter(({ status }) => status === 409)) {
      expect(body.error.existing_id).toBe(made?.body.id)
    }
  })
})

describe('the Idempotency-Key of a document', () => {
  const under = (token: string, body: object = FACTURA, who = issuer) =>
    who.create(body, { headers: { 'idempotency-key': token } })

  it('gives the first answer again, byte for byte, and issues nothing', async () => {
    const token = randomUUID()
    const first = await under(token)
    const before = await count()
    const again = await under(token)
    expect(again.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(again.headers['svc-idempotent-replay']).toBe('true')
    expect(await count()).toEqual(before)
  })

  it('gives the first answer again though it was kept while a clock ran eleven hours ahead', async () => {
    const token = randomUUID()
    const first = await under(token)
    await world.db.sql`update idempotency set created_at = created_at + interval '11 hours' where key = ${token}`
    expect((await under(token)).text).toBe(first.text)
  })

  it('makes one document of many requests at the same moment; the others wait their turn or get its answer', async () => {
    const token = randomUUID()
    const before = await count()
    const sent = await Promise.all(Array.from({ length: 12 }, () => under(token)))
    const made = sent.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    for (const { status, body } of sent.filter(({ status }) => status !== 201)) {
      expect([status, body.error.code]).toEqual([409, 'idempotency_in_progress'])
    }
    expect((await count())?.documents).toBe((before?.documents ?? 0) + 1)
  })

  it('409 idempotency_key_reused for another body', async () => {
    const token = randomUUID()
    await under(token)
    expect((await under(token, BOLETA)).body.error.code).toBe('idempotency_key_reused')
    expect((await under(token, { ...FACTURA, items: [] })).body.error.code).toBe('invalid_field')
  })

  it('is not spent by a refusal, and is another key for another empresa', async () => {
    const token = randomUUID()
    expect((await under(token, { ...FACTURA, issue_date: '2199-01-01' })).status).toBe(400)
    expect((await under(token)).status).toBe(201)
    expect((await under(token, FACTURA, await openIssuer(world))).headers['svc-idempotent-replay']).toBeUndefined()
  })

  it('still gives its answer when the same request would be refused today', async () => {
    const own = await openIssuer(world)
    const token = randomUUID()
    const first = await under(token, FACTURA, own)
    const owner = await world.key(own.account, { scopes: ['empresas:write'] })
    await world.patch(`/v1/empresas/${own.empresa_id}`, { key: owner, body: { doc_types: [39] } })
    expect((await own.create(FACTURA)).body.error.code).toBe('tipo_not_declared')
    const again = await under(token, FACTURA, own)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect((await under(token, { ...FACTURA, metadata: { a: 'b' } }, own)).body.error.code).toBe(
      'idempotency_key_reused',
    )
  })
})
