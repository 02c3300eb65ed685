import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Buyer, openBuyer, SUPPLIER } from '../../../../test/support/buyer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let buyer: Buyer
/** The register answers when this does. */
let register: { readonly asked: () => void; readonly until: Promise<void> } | null = null
beforeAll(async () => {
  world = await openWorld({
    test_sii: (sandbox) => ({
      ...sandbox,
      async respondTo(question) {
        register?.asked()
        await register?.until
        return sandbox.respondTo(question)
      },
    }),
  })
  buyer = await openBuyer(world)
})
afterAll(() => world.close())

const codeOf = (sent: { status: number; body: { error?: { code: string } } }) => [sent.status, sent.body.error?.code]
const received = async (changes?: object) => {
  const sent = await buyer.receive(changes)
  if (sent.status !== 201) throw new Error(sent.text)
  return sent.body
}
const read = async (id: string) => (await buyer.get(`/v1/received_documents/${id}`)).body
const lastEvent = async (type: string, id: string) =>
  (await buyer.events(type)).filter(({ data }) => data.object.id === id).at(-1)

describe('POST /test_helpers/received_documents', () => {
  it('201 to an empty body: a factura of an ordinary supplier, and another one the next time', async () => {
    const path = '/v1/test_helpers/received_documents'
    const [first, next] = [await buyer.post(path, {}), await buyer.post(path, { document: { tipo_dte: 34 } })]
    expect([first.status, first.body.tipo_dte, first.body.status]).toEqual([201, 33, 'pending'])
    expect([next.status, next.body.tipo_dte, next.body.emisor.rut]).toEqual([201, 34, first.body.emisor.rut])
    expect((await buyer.post(path, {})).body.folio).toBe(first.body.folio + 1)
  })

  it('201 to each of many at once: every one gets a folio of its own, and nothing is quarantined', async () => {
    const many = await openBuyer(world)
    const document = { tipo_dte: 33, emisor: SUPPLIER }
    const play = () => many.post('/v1/test_helpers/received_documents', { document })
    const sent = await Promise.all(Array.from({ length: 8 }, play))
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(sent.map(({ body }) => body.folio)).size).toBe(8)
    expect(await many.events('reception.quarantined')).toEqual([])
  })

  it('201 plays a guía de despacho, which takes no answer', async () => {
    const dispatch = { dispatch_type: 2, transfer_type: 1 }
    const guia = await received({ tipo_dte: 52, dispatch })
    expect([guia.status, guia.deadline_at, guia.receipt.status]).toEqual(['received', null, null])
  })

  it('201 plays a supplier: a document in full, its event, its usage and eight days to answer', async () => {
    const document = await received({ folio: 41, payment: { form: 'credit', due_date: '2049-12-31' } })
    expect(document).toMatchObject({
      object: 'received_document',
      mode: 'test',
      status: 'pending',
      tipo_dte: 33,
      folio: 41,
      emisor: { rut: SUPPLIER.rut, legal_name: SUPPLIER.legal_name, giro: SUPPLIER.giro },
      totals: { net: 5000, iva: 950, exempt: 0, total: 5950 },
      payment_form: 'credit',
      due_date: '2049-12-31',
      items: [{ description: 'Resma de papel carta', quantity: 2, unit_price: 2500, amount: 5000, exempt: false }],
      receipt: { status: 'pending', acknowledged_at: null },
      claims: [],
      answered_at: null,
    })
    const days = (Date.parse(document.deadline_at) - Date.parse(document.sii_received_at)) / 86_400_000
    expect(days).toBe(8)
    expect(await read(document.id)).toEqual(document)
    expect((await lastEvent('received_document.created', document.id)).data.object).toEqual(document)
    const usage = await world.db.sql`select kind, tipo_dte from usage_record where subject_id = ${document.id}`
    expect(usage).toEqual([{ kind: 'document_received', tipo_dte: 33 }])
  })

  it('201 numbers the documents of a supplier one after the other', async () => {
    const emisor = { rut: '78901234-2', legal_name: 'Otro Proveedor Ltda.' }
    const folios = [await received({ emisor, folio: undefined }), await received({ emisor, folio: undefined })]
    expect(folios.map(({ folio }) => folio)).toEqual([1, 2])
  })

  it('201 takes a tipo that takes no answer, and gives it no deadline', async () => {
    const nota = await received({ tipo_dte: 61, references: [{ tipo_dte: 33, folio: 9, date: '2026-11-01', code: 3 }] })
    expect(nota).toMatchObject({ status: 'received', deadline_at: null, receipt: { status: null } })
  })

  it('400 invalid_field names the field of the document that cannot be issued, and takes one of both forms at most', async () => {
    const refused = await buyer.receive({ items: [{ description: 'Sin precio', quantity: 1, unit_price: -1 }] })
    expect(codeOf(refused)).toEqual([400, 'invalid_field'])
    const future = await buyer.receive({ issue_date: '2049-01-01' })
    expect([...codeOf(future), future.body.error.param]).toEqual([400, 'invalid_field', 'document.issue_date'])
    const both = { xml: Buffer.from('<DTE/>').toString('base64'), document: {} }
    expect(codeOf(await buyer.post('/v1/test_helpers/received_documents', both))).toEqual([400, 'invalid_field'])
  })
})

describe('accept, reject, acknowledge_receipt', () => {
  it('200 accepts, tells what it was before, and once is enough', async () => {
    const { id } = await received()
    const accepted = await buyer.act(id, 'accept')
    expect([accepted.status, accepted.body.status]).toEqual([200, 'accepted'])
    expect(accepted.body.answered_at).not.toBeNull()
    const event = await lastEvent('received_document.accepted', id)
    expect(event.data.object).toEqual(accepted.body)
    expect(event.data.previous_attributes).toEqual({ status: 'pending', answered_at: null })
    const again = await buyer.act(id, 'accept')
    expect([again.status, again.body]).toEqual([200, accepted.body])
    const told = (await buyer.events('received_document.accepted')).filter(({ data }) => data.object.id === id)
    expect(told).toHaveLength(1)
  })

  it('200 claims with a code and a reason, and a claim of another kind may follow', async () => {
    const { id } = await received()
    const claimed = await buyer.act(id, 'reject', { code: 'RCD', reason: 'El precio no es el acordado' })
    expect(claimed.body).toMatchObject({
      status: 'rejected',
      claims: [{ code: 'RCD', reason: 'El precio no es el acordado' }],
      receipt: { status: 'claimed' },
    })
    expect((await lastEvent('received_document.rejected', id)).data.previous_attributes).toMatchObject({
      status: 'pending',
      claims: [],
    })
    const second = await buyer.act(id, 'reject', { code: 'RFT' })
    expect([second.status, second.body.claims.map(({ code }: { code: string }) => code)]).toEqual([200, ['RCD', 'RFT']])
  })

  it('200 acknowledges the goods without accepting, and each may follow the other', async () => {
    const [first, second] = [await received(), await received()]
    const acknowledged = await buyer.act(first.id, 'acknowledge_receipt', { place: 'Bodega Quilicura' })
    expect(acknowledged.body).toMatchObject({ status: 'pending', receipt: { status: 'acknowledged' } })
    const event = await lastEvent('received_document.receipt_acknowledged', first.id)
    expect(event.data.previous_attributes).toEqual({ receipt: { status: 'pending', acknowledged_at: null } })
    expect((await buyer.act(first.id, 'accept')).body.status).toBe('accepted')
    await buyer.act(second.id, 'accept')
    const after = await buyer.act(second.id, 'acknowledge_receipt')
    expect([after.status, after.body.receipt.status]).toEqual([200, 'acknowledged'])
  })

  it('409 by the combination rules of the SII, with its own words', async () => {
    const [claimed, accepted, acknowledged] = [await received(), await received(), await received()]
    await buyer.act(claimed.id, 'reject', { code: 'RFP' })
    await buyer.act(accepted.id, 'accept')
    await buyer.act(acknowledged.id, 'acknowledge_receipt')
    const accept = await buyer.act(claimed.id, 'accept')
    expect(codeOf(accept)).toEqual([409, 'received_document_already_claimed'])
    expect(accept.body.error.sii).toMatchObject({
      code: 12,
      action: 'ACD',
      message: expect.stringContaining('reclamado'),
    })
    expect((await buyer.act(claimed.id, 'acknowledge_receipt')).body.error.sii.code).toBe(6)
    const other_goods = await buyer.act(claimed.id, 'reject', { code: 'RFT' })
    expect([...codeOf(other_goods), other_goods.body.error.sii.code]).toEqual([
      409,
      'received_document_already_claimed',
      19,
    ])
    expect((await buyer.act(accepted.id, 'reject', { code: 'RCD' })).body.error.sii.code).toBe(11)
    const late = await buyer.act(acknowledged.id, 'reject', { code: 'RCD' })
    expect([...codeOf(late), late.body.error.sii.code]).toEqual([409, 'received_document_already_accepted', 13])
    expect(await read(claimed.id)).toMatchObject({ status: 'rejected', receipt: { status: 'claimed' } })
  })

  const VERBS = [
    ['accept', {}],
    ['reject', { code: 'RCD' }],
    ['acknowledge_receipt', {}],
  ] as const
  for (const [verb, body] of VERBS) {
    it(`${verb}: 404, 409 and 502 for what the SII does not take, and nothing changes`, async () => {
      expect(codeOf(await buyer.act('rcd_x', verb, body))).toEqual([404, 'received_document_not_found'])
      const nota = await received({
        tipo_dte: 61,
        references: [{ tipo_dte: 33, folio: 9, date: '2026-11-01', code: 3 }],
      })
      expect(codeOf(await buyer.act(nota.id, verb, body))).toEqual([409, 'received_document_not_answerable'])
      const magic = { '77333301-7': [502, 'sii_unreachable'], '77333302-5': [409, 'received_document_unknown_to_sii'] }
      for (const [rut, expected] of Object.entries(magic)) {
        const before = await received({ emisor: { ...SUPPLIER, rut } })
        expect(codeOf(await buyer.act(before.id, verb, body))).toEqual(expected)
        expect(await read(before.id)).toEqual(before)
      }
      const nobody = await received({ emisor: { ...SUPPLIER, rut: '77333303-3' } })
      const refused = await buyer.act(nobody.id, verb, body)
      expect([...codeOf(refused), refused.body.error.sii.code]).toEqual([409, 'received_document_not_answerable', 17])
      const before = await received({ emisor: { ...SUPPLIER, rut: '77333304-1' } })
      const seven = await buyer.act(before.id, verb, body)
      expect([seven.status, seven.body.status === 'pending' && seven.body.receipt.status === 'pending']).toEqual([
        200,
        false,
      ])
    })
  }

  it('200 to both of two that accept at once, which is told once, and one of two that contradict each other is refused', async () => {
    const [agreed, disputed] = [await received(), await received()]
    const both = await Promise.all([buyer.act(agreed.id, 'accept'), buyer.act(agreed.id, 'accept')])
    expect(both.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'accepted'],
      [200, 'accepted'],
    ])
    const told = (await buyer.events('received_document.accepted')).filter(({ data }) => data.object.id === agreed.id)
    expect(told).toHaveLength(1)
    const sides = await Promise.all([
      buyer.act(disputed.id, 'accept'),
      buyer.act(disputed.id, 'reject', { code: 'RCD' }),
    ])
    expect(sides.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('200 to one of two claims of goods that come at once, and to a claim or an acknowledgement, never to both', async () => {
    for (let i = 0; i < 3; i++) {
      const [goods, either] = [await received(), await received()]
      const claims = await Promise.all(['RFP', 'RFT'].map((code) => buyer.act(goods.id, 'reject', { code })))
      expect(claims.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await read(goods.id)).claims).toHaveLength(1)
      const sides = await Promise.all([
        buyer.act(either.id, 'acknowledge_receipt'),
        buyer.act(either.id, 'reject', { code: 'RCD' }),
      ])
      expect(sides.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  it('400 invalid_field for a claim that the SII does not know, 400 invalid_rut for a person without one', async () => {
    const { id } = await received()
    expect(codeOf(await buyer.act(id, 'reject', { code: 'ACD' }))).toEqual([400, 'invalid_field'])
    expect(codeOf(await buyer.act(id, 'acknowledge_receipt', { person_rut: '1-1' }))).toEqual([400, 'invalid_rut'])
  })

  it('200 repeats the answer under one Idempotency-Key, and asks the SII nothing for a key that was used elsewhere', async () => {
    const { id } = await received()
    const path = `/v1/received_documents/${id}/accept`
    const headers = { 'idempotency-key': randomUUID() }
    const first = await buyer.post(path, {}, { headers })
    const again = await buyer.post(path, {}, { headers })
    expect([first.status, again.status, again.headers['svc-idempotent-replay']]).toEqual([200, 200, 'true'])
    expect(again.body).toEqual(first.body)
    const { id: other } = await received()
    const reused = await buyer.post(`/v1/received_documents/${other}/accept`, {}, { headers })
    expect(codeOf(reused)).toEqual([409, 'idempotency_key_reused'])
    expect(
      await world.db
        .sql`select action from sandbox_claim c join received_document d using (empresa_id, emisor_rut, tipo_dte, folio) where d.id = ${other}`,
    ).toEqual([])
    expect((await read(other)).status).toBe('pending')
  })

  it('200 repeats the first answer under its Idempotency-Key, whatever happened to the document since', async () => {
    const { id } = await received()
    const path = `/v1/received_documents/${id}/accept`
    const headers = { 'idempotency-key': randomUUID() }
    const first = await buyer.post(path, {}, { headers })
    expect((await buyer.act(id, 'acknowledge_receipt')).body.receipt.status).toBe('acknowledged')
    const again = await buyer.post(path, {}, { headers })
    expect([again.status, again.headers['svc-idempotent-replay']]).toEqual([200, 'true'])
    expect(again.text).toBe(first.text)
  })

  it('409 idempotency_in_progress while the register is being asked under the same key, then the answer', async () => {
    const { id } = await received()
    const headers = { 'idempotency-key': randomUUID() }
    const accept = () => buyer.post(`/v1/received_documents/${id}/accept`, {}, { headers })
    let answer = () => {}
    const until = new Promise<void>((resolve) => {
      answer = resolve
    })
    const asked = new Promise<void>((resolve) => {
      register = { asked: resolve, until }
    })
    const first = accept()
    await asked
    const second = await accept()
    expect(codeOf(second)).toEqual([409, 'idempotency_in_progress'])
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
    answer()
    register = null
    const { status, text } = await first
    const third = await accept()
    expect([status, third.text, third.headers['svc-idempotent-replay']]).toEqual([200, text, 'true'])
  })

  it('409 and 422 leave the Idempotency-Key free: what is refused after the commit may be sent again, corrected', async () => {
    const [accepted, open] = [await received(), await received()]
    await buyer.act(accepted.id, 'accept')
    const headers = { 'idempotency-key': randomUUID() }
    const claim = (id: string, body: object) => buyer.post(`/v1/received_documents/${id}/reject`, body, { headers })
    expect(codeOf(await claim(accepted.id, { code: 'RCD' }))).toEqual([409, 'received_document_already_accepted'])
    expect((await claim(open.id, { code: 'RCD', reason: 'Otro precio' })).status).toBe(200)
    const file = { headers: { 'idempotency-key': randomUUID() } }
    const play = (body: object) => buyer.post('/v1/test_helpers/received_documents', body, file)
    expect(codeOf(await play({ xml: Buffer.from('<x/>').toString('base64') }))).toEqual([422, 'received_file_refused'])
    const document = { tipo_dte: 33, emisor: SUPPLIER, items: [{ description: 'Resma', quantity: 1, unit_price: 900 }] }
    expect((await play({ document })).status).toBe(201)
  })

  it('502 keeps what was asked under its Idempotency-Key: the same again goes on, and is no replay', async () => {
    const { id } = await received({ emisor: { ...SUPPLIER, rut: '77333301-7' } })
    const headers = { 'idempotency-key': randomUUID() }
    const accept = () => buyer.post(`/v1/received_documents/${id}/accept`, {}, { headers })
    expect(codeOf(await accept())).toEqual([502, 'sii_unreachable'])
    const again = await accept()
    expect([...codeOf(again), again.headers['svc-idempotent-replay']]).toEqual([502, 'sii_unreachable', undefined])
  })
})
