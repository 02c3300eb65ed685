import { santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { line, movementOf, openBankWorld, tell } from '../../../../../test/support/bank-movements.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../../test/support/issuer.ts'
import { accepted } from '../../../../../test/support/settle-document.ts'
import type { Sent, World } from '../../../../../test/support/world.ts'
import { skipYearBefore } from '../../../../../test/support/year-before.ts'
import { systemNow } from '../../../../kernel/clock.ts'

let world: World
beforeAll(async () => {
  world = await openBankWorld()
})
afterAll(() => world.close())

const TODAY = santiagoDate(new Date(systemNow()))
const SUPPLIER = '76192083-9'
// 2 × 2.500 = 5.000; IVA 950; in all 5.950.
const TOTAL = 5_950

const sale = async (whose: Issuer, more: object = {}) => ({
  body: await accepted(world, whose, { ...FACTURA, ...more }),
})
async function purchase(whose: Issuer, unit_price: number): Promise<Sent> {
  const items = [{ description: 'Harina', quantity: 1, unit_price }]
  const document = { tipo_dte: 33, emisor: { rut: SUPPLIER, legal_name: 'Molinos del Sur SpA' }, items }
  return whose.post('/v1/test_helpers/received_documents', { document })
}
const paid = (more: object = {}) =>
  line({ post_date: TODAY, amount: TOTAL, description: 'TRANSFERENCIA', counterparty_rut: RECEPTOR.rut, ...more })

async function movement(whose: Issuer, one = paid()): Promise<Sent> {
  await tell(world, whose, [one])
  return movementOf(world, whose, one.external_id)
}
const match = (whose: Issuer, id: string, body: object) => whose.post(`/v1/tax/movements/${id}/match`, body)
const unmatch = (whose: Issuer, id: string) => whose.post(`/v1/tax/movements/${id}/unmatch`)
const refusal = ({ status, body }: Sent) => [status, body.error.code, body.error.param ?? body.error.details?.reason]

describe('GET /tax/movements/{movement_id}', () => {
  it('200 shows what it may be for, surest first, with reasons, and matches nothing unasked', async () => {
    const own = await openIssuer(world)
    const document = await sale(own)
    await sale(own, { receptor: { ...RECEPTOR, rut: '76543210-3', legal_name: 'Otra Gente Ltda.' } })
    const sent = await movement(own, paid({ description: `PAGO FACTURA ${document.body.folio}` }))
    expect(sent.body).toMatchObject({ object: 'movement', direction: 'in', amount: TOTAL, match: null })
    const [best] = sent.body.candidates
    expect(best.targets).toMatchObject([{ document_id: document.body.id, tipo: 33, total: TOTAL, status: 'accepted' }])
    expect(best.reasons.map((one: { code: string }) => one.code)).toEqual(['amount', 'rut', 'folio', 'soon_after'])
    expect(sent.body.candidates).toHaveLength(1)
  })

  it('200 looks among suppliers and the register for what went out, and among sales for what came in', async () => {
    const own = await openIssuer(world)
    const received = await purchase(own, 100_000)
    await sale(own, { items: [{ description: 'Pan', quantity: 1, unit_price: 100_000 }] })
    const out = await movement(own, paid({ amount: -119_000, counterparty_rut: SUPPLIER }))
    expect(out.body.candidates).toHaveLength(1)
    expect(out.body.candidates[0].targets[0].received_document_id).toBe(received.body.id)
    const period = TODAY.slice(0, 7)
    const entry = { tipo_doc: 33, folio: 77, counterparty_rut: SUPPLIER, net: 200_000, iva: 38_000 }
    await own.post('/v1/test_helpers/rcv/seed', { period, purchases: [entry] })
    await skipYearBefore(world, own)
    const job = await own.post('/v1/tax/sync', { period })
    const read = () => own.get(`/v1/jobs/${job.body.id}`, { empresa: '' })
    await expect.poll(async () => (await read()).body.status).toBe('succeeded')
    const told = await movement(own, paid({ amount: -238_000, counterparty_rut: SUPPLIER }))
    expect(told.body.candidates[0].targets[0]).toMatchObject({ entry_id: expect.stringMatching(/^rcv_/), folio: 77 })
    const done = await match(own, told.body.id, { entry_id: told.body.candidates[0].targets[0].entry_id })
    expect(done.body.match.targets).toMatchObject([{ status: 'REGISTRO', amount: 238_000 }])
    // The document itself arrives later: what paid the entry paid the document.
    const items = [{ description: 'Harina', quantity: 1, unit_price: 200_000 }]
    const document = { tipo_dte: 33, folio: 77, emisor: { rut: SUPPLIER }, items }
    const arrived = await own.post('/v1/test_helpers/received_documents', { document })
    await own.post('/v1/tax/sync', { period })
    const target = async () => (await own.get(`/v1/tax/movements/${told.body.id}`)).body.match.targets[0]
    await expect.poll(async () => (await target()).received_document_id).toBe(arrived.body.id)
    expect(await target()).toMatchObject({ entry_id: null, amount: 238_000 })
  })

  it('404 movement_not_found', async () => {
    const own = await openIssuer(world)
    for (const path of ['', '/match', '/unmatch']) {
      const at = `/v1/tax/movements/mov_x${path}`
      const sent = path === '' ? await own.get(at) : await own.post(at, path === '/match' ? {} : undefined)
      expect(refusal(sent).slice(0, 2)).toEqual([404, 'movement_not_found'])
    }
  })
})

describe('POST /tax/movements/{movement_id}/match', () => {
  it('200 matches, and again changes nothing', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = (await sale(own)).body
    const { id } = (await movement(own)).body
    const first = await match(own, id, { document_id })
    expect(first.body).toMatchObject({
      match: { confidence: 100, matched_by: 'caller', targets: [{ document_id, amount: TOTAL }] },
      candidates: [],
    })
    expect((await match(own, id, { document_id })).body).toEqual(first.body)
    expect((await own.get(`/v1/tax/movements/${id}`)).body).toEqual(first.body)
    expect((await own.get('/v1/tax/movements?matched=true')).body.data).toMatchObject([{ id }])
  })

  it('200 pays several documents one by one, until nothing is left of the payment', async () => {
    const own = await openIssuer(world)
    const documents = [await sale(own), await sale(own), await sale(own)].map(({ body }) => body.id)
    const { id } = (await movement(own, paid({ amount: TOTAL * 2 - 1_000 }))).body
    for (const document_id of documents.slice(0, 2)) expect((await match(own, id, { document_id })).status).toBe(200)
    const { targets } = (await own.get(`/v1/tax/movements/${id}`)).body.match
    expect(targets.map((one: { amount: number }) => one.amount).sort()).toEqual([TOTAL - 1_000, TOTAL])
    const more = await match(own, id, { document_id: documents[2] })
    expect(refusal(more)).toEqual([409, 'movement_not_matchable', 'already_matched'])
  })

  it('200 a document is paid by several movements, and not beyond its total', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = (await sale(own)).body
    const [one, two, three] = [paid({ amount: 3_000 }), paid({ amount: 2_950 }), paid({ amount: 100 })]
    await tell(world, own, [one, two, three])
    const ids = await Promise.all(
      [one, two, three].map(async ({ external_id }) => (await movementOf(world, own, external_id)).body.id),
    )
    for (const id of ids.slice(0, 2)) expect((await match(own, id, { document_id })).status).toBe(200)
    const over = await match(own, ids[2], { document_id })
    expect(refusal(over)).toEqual([409, 'movement_not_matchable', 'already_paid'])
    expect(ids.slice(0, 2)).toContain(over.body.error.existing_id)
  })

  it('409 of two payments at once for one document the second finds it paid', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = (await sale(own)).body
    const [one, two] = [paid(), paid()]
    await tell(world, own, [one, two])
    const sent = await Promise.all(
      [one, two].map(async ({ external_id }) =>
        match(own, (await movementOf(world, own, external_id)).body.id, { document_id }),
      ),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('409 void for a document that was annulled, and one annulled later shows it', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = (await sale(own)).body
    const [one, two] = [paid(), paid()]
    await tell(world, own, [one, two])
    const first = (await movementOf(world, own, one.external_id)).body.id
    await match(own, first, { document_id })
    await own.post(`/v1/documents/${document_id}/credit_note`, {})
    const read = () => own.get(`/v1/tax/movements/${first}`)
    await expect.poll(async () => (await read()).body.match.targets[0].status).toBe('annulled')
    const second = (await movementOf(world, own, two.external_id)).body.id
    expect(refusal(await match(own, second, { document_id }))).toEqual([409, 'movement_not_matchable', 'void'])
  })

  it('409 removed for what its bank took back', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = (await sale(own)).body
    const one = paid()
    const { id } = (await movement(own, one)).body
    await tell(world, own, [], [one.external_id ?? ''])
    expect((await own.get(`/v1/tax/movements/${id}`)).body).toMatchObject({ removed_at: expect.any(String) })
    expect(refusal(await match(own, id, { document_id }))).toEqual([409, 'movement_not_matchable', 'removed'])
    expect((await own.get('/v1/tax/movements')).body.data).toEqual([])
  })

  it('400 for none or two of the ids, for one of somebody else, and for money that goes the other way', async () => {
    const [own, other] = [await openIssuer(world), await openIssuer(world)]
    const { id } = (await movement(own)).body
    const foreign = (await sale(other)).body.id
    const received = (await purchase(own, 5_000)).body.id
    const bodies = [{}, { document_id: 'a', entry_id: 'b' }, { document_id: foreign }, { entry_id: 'rcv_x' }]
    for (const body of bodies) {
      expect(refusal(await match(own, id, body)).slice(0, 2)).toEqual([400, 'invalid_field'])
    }
    const sent = await match(own, id, { received_document_id: received })
    expect(refusal(sent)).toEqual([400, 'invalid_field', 'received_document_id'])
  })

  it('200 takes a nota de crédito off what was paid', async () => {
    const own = await openIssuer(world)
    const document = await sale(own)
    const items = [{ description: 'Resma devuelta', quantity: 1, unit_price: 1_000 }]
    const note = await own.post(`/v1/documents/${document.body.id}/credit_note`, { items, code: 3, reason: 'Devuelve' })
    const { id } = (await movement(own, paid({ amount: TOTAL - 1_190 }))).body
    await match(own, id, { document_id: note.body.id })
    const sent = await match(own, id, { document_id: document.body.id })
    const amounts = sent.body.match.targets
      .map((one: { amount: number }) => one.amount)
      .sort((a: number, b: number) => a - b)
    expect(amounts).toEqual([-1_190, TOTAL])
  })
})

describe('POST /tax/movements/{movement_id}/unmatch', () => {
  it('200 takes them apart, again changes nothing, and the document is free for another', async () => {
    const own = await openIssuer(world)
    const { id: document_id } = (await sale(own)).body
    const { id } = (await movement(own)).body
    await match(own, id, { document_id })
    const sent = await unmatch(own, id)
    expect(sent.body).toMatchObject({ match: null, candidates: [{ targets: [{ document_id }] }] })
    expect((await unmatch(own, id)).body).toEqual(sent.body)
    expect((await match(own, id, { document_id })).status).toBe(200)
  })
})

describe('GET /tax/movements', () => {
  it('200 pages through them latest first, under every filter, and 400 for a cursor of another', async () => {
    const own = await openIssuer(world)
    const lines = [
      line({ post_date: '2026-03-01', amount: 100 }),
      line({ post_date: '2026-03-02', amount: -200 }),
      line({ post_date: '2026-03-03', amount: -300, currency: 'USD' }),
      line({ post_date: '2026-03-03', amount: 400 }),
    ]
    await tell(world, own, lines)
    const amounts = async (query: string) => {
      const sent = await own.get(`/v1/tax/movements${query}`)
      return sent.body.data.map((one: { amount: number }) => one.amount)
    }
    expect((await amounts('')).slice(2)).toEqual([-200, 100])
    expect(await amounts('?from=2026-03-02&to=2026-03-02')).toEqual([-200])
    expect(await amounts('?direction=in')).toEqual([400, 100])
    expect(await amounts('?direction=out')).toEqual([-300, -200])
    expect(await amounts('?currency=USD')).toEqual([-300])
    expect(await amounts('?source=statement')).toEqual([])
    expect(await amounts('?source=connection')).toHaveLength(4)
    expect(await amounts('?matched=false')).toHaveLength(4)
    expect(await amounts('?matched=true')).toEqual([])
    const first = await own.get('/v1/tax/movements?limit=3')
    const rest = await own.get(`/v1/tax/movements?limit=3&cursor=${first.body.next_cursor}`)
    const all = [...first.body.data, ...rest.body.data].map((one: { amount: number }) => one.amount)
    expect([first.body.has_more, rest.body.has_more, all.at(-1)]).toEqual([true, false, 100])
    const foreign = await own.get(`/v1/tax/movements?direction=in&cursor=${first.body.next_cursor}`)
    expect(refusal(foreign).slice(0, 2)).toEqual([400, 'invalid_cursor'])
  })
})
