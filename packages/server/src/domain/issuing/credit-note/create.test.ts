import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { amount, credit, refusal } from '../../../../test/support/credit-note.ts'
import { BOLETA, FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { accepted, settle } from '../../../../test/support/settle-document.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

// No worker: each document is put where its emission would have taken it.
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const draftOf = async (id: string) => {
  const [row] = await world.db.sql<{ draft: Record<string, unknown>; corrects_id: string; annuls_id: string | null }>`
    select draft, corrects_id, annuls_id from document where id = ${id}`
  return row
}

describe('POST /v1/documents/{document_id}/credit_note', () => {
  it('201 is a nota de crédito in `queued` that annuls the whole original, and says when to look again', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await credit(issuer, original, { external_id: 'anula-1', metadata: { caso: '9' } })
    expect(sent.status).toBe(201)
    expect(sent.headers['svc-poll-after']).toBe('1')
    expect(sent.body).toMatchObject({
      status: 'queued',
      tipo_dte: 61,
      folio: null,
      totals: original.totals,
      annuls: original.id,
      external_id: 'anula-1',
      metadata: { caso: '9' },
      receptor: { rut: RECEPTOR.rut, giro: RECEPTOR.giro, address: RECEPTOR.address },
    })
    expect(new Set(Object.values(sent.body.receptor.sources))).toEqual(new Set(['earlier_document']))
    const note = await draftOf(sent.body.id)
    expect(note).toMatchObject({ corrects_id: original.id, annuls_id: original.id })
    expect(note?.draft.references).toEqual([
      {
        tipo_dte: 33,
        folio: original.folio,
        date: original.issue_date,
        code: 1,
        reason: `Anula Factura electrónica N° ${original.folio}`,
      },
    ])
    const events = await world.get('/v1/events?type=document.created&limit=1', { key: issuer.key })
    expect(events.body.data[0].data.object).toEqual(sent.body)
  })

  it('201 leaves the original as it is until the SII takes the nota, which needs no body at all', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await issuer.post(`/v1/documents/${original.id}/credit_note`)
    expect([sent.status, sent.body.annuls]).toEqual([201, original.id])
    expect((await issuer.get(`/v1/documents/${original.id}`)).body).toEqual(original)
  })

  it('201 corrects text with a nota of zero that annuls nothing', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const reason = 'Donde dice Calle Larga 56 debe decir Calle Larga 65'
    const sent = await credit(issuer, original, { code: 2, reason })
    expect(sent.body).toMatchObject({ tipo_dte: 61, totals: { net: 0, iva: 0, exempt: 0, total: 0 }, annuls: null })
    expect((await draftOf(sent.body.id))?.draft.references).toMatchObject([{ code: 2, reason }])
  })

  it('201 corrects amounts up to what is left, and not a peso more', async () => {
    const original = await accepted(world, issuer, {
      ...FACTURA,
      items: [{ description: 'Flete', unit_price: 10_000 }],
    })
    expect(original.totals.total).toBe(11_900)
    expect((await credit(issuer, original, amount(4_000))).body).toMatchObject({
      totals: { total: 4_760 },
      annuls: null,
    })
    const over = await credit(issuer, original, amount(6_001))
    expect([over.status, over.body.error.code, over.body.error.param]).toEqual([
      422,
      'credit_exceeds_original',
      'items',
    ])
    expect(over.body.error.details).toEqual({ left: { taxed: 7_140, exempt: 0, total: 7_140 } })
    expect((await credit(issuer, original, amount(6_000))).status).toBe(201)
    expect(refusal(await credit(issuer, original, amount(1)))).toEqual([
      409,
      'document_not_creditable',
      'fully_credited',
    ])
  })

  it('201 credits a boleta in halves that round apart, to its last peso', async () => {
    const by = await openIssuer(world)
    const boleta = { tipo_dte: 39, receptor: { rut: RECEPTOR.rut }, items: [{ description: 'Pan', unit_price: 680 }] }
    const original = await accepted(world, by, boleta)
    const book = `/v1/empresas/${by.empresa_id}/counterparties/${RECEPTOR.rut}`
    await world.patch(book, {
      key: by.key,
      body: { legal_name: RECEPTOR.legal_name, giro: 'Comercio', address: RECEPTOR.address },
    })
    expect((await credit(by, original, amount(340))).body.totals).toMatchObject({ net: 286, iva: 54, total: 340 })
    expect((await credit(by, original, amount(341))).status).toBe(422)
    expect((await credit(by, original, amount(340))).status).toBe(201)
  })

  it('422 credit_exceeds_original for a line without IVA where the original has none', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await credit(issuer, original, amount(100, { exempt: true }))
    expect(sent.body.error).toMatchObject({ code: 'credit_exceeds_original', details: { left: { exempt: 0 } } })
    expect((await issuer.get('/v1/documents?tipo_dte=61&limit=1')).body.data[0]?.totals.exempt ?? 0).toBe(0)
  })

  it('201 counts again what a rejected, failed or annulled nota had credited', async () => {
    const original = await accepted(world, issuer, FACTURA)
    for (const status of ['rejected', 'failed', 'annulled'] as const) {
      const note = await credit(issuer, original)
      expect(note.status).toBe(201)
      await settle(world, note.body.id, status)
    }
    expect((await credit(issuer, original)).status).toBe(201)
  })

  it('201 counts a nota that was written out with POST /documents', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const reference = { document_id: original.id, code: 3, reason: 'Descuento' }
    const references = [{ document_type: '801', folio: 'OC-1', date: original.issue_date }, reference]
    const written = await issuer.create({ ...FACTURA, tipo_dte: 61, ...amount(4_000), references })
    expect(written.status).toBe(201)
    expect((await credit(issuer, original, amount(1_001))).body.error.details.left.total).toBe(1_190)
    expect((await credit(issuer, original, amount(1_000))).status).toBe(201)
  })
})

describe('two notas at the same moment', () => {
  it('annul a document once: one wins, the others are told which', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await Promise.all(Array.from({ length: 6 }, () => credit(issuer, original)))
    const won = sent.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    for (const lost of sent.filter(({ status }) => status !== 201)) {
      expect(refusal(lost)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
      expect(lost.body.error.existing_id).toBe(won[0]?.body.id)
    }
  })

  it('never credit more than there was between them', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await Promise.all(Array.from({ length: 6 }, () => credit(issuer, original, amount(2_000))))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422])
  })

  it('409 document_not_creditable also for one written out with POST /documents, however close they come', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const written = { ...FACTURA, tipo_dte: 61, references: [{ document_id: original.id, code: 1 }] }
    const sent = await Promise.all([0, 1, 2, 3].map((n) => (n % 2 ? credit(issuer, original) : issuer.create(written))))
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const lost of sent.filter(({ status }) => status !== 201)) {
      expect(refusal(lost)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
    }
    const again = await issuer.create(written)
    expect(refusal(again)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
    expect(again.body.error.existing_id).toBe(sent.find(({ status }) => status === 201)?.body.id)
  })

  it('409 document_not_creditable however POST /documents writes the tipo, the folio and the emisor of what is annulled', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const { folio, issue_date: date } = original
    const nota = (reference: object) =>
      issuer.create({ ...FACTURA, tipo_dte: 61, references: [{ date, code: 1, ...reference }] })
    const first = await nota({ document_type: '33', folio: `${folio}` })
    expect((await draftOf(first.body.id))?.draft.references).toEqual([{ tipo_dte: 33, folio, date, code: 1 }])
    for (const reference of [
      { document_type: '033', folio },
      { tipo_dte: 33, folio: `${folio} ` },
      { tipo_dte: 33, folio: ` 00${folio}` },
      { tipo_dte: 33, folio: `\u00a0${folio}` },
      { tipo_dte: 33, folio: `000000000000${folio}` },
      { tipo_dte: 33, folio, emisor_rut: issuer.rut },
      { document_id: original.id, emisor_rut: issuer.rut },
    ]) {
      const again = await nota(reference)
      expect(refusal(again), JSON.stringify(reference)).toEqual([
        409,
        'document_not_creditable',
        'annulment_in_progress',
      ])
    }
    for (const [reference, param] of [
      [{ tipo_dte: 33, folio: `${folio}.` }, 'folio'],
      [{ document_type: '33', folio: `${folio}.0` }, 'folio'],
      [{ tipo_dte: 33, folio: `+${folio}` }, 'folio'],
      [{ tipo_dte: 33, folio: `\u200b${folio}` }, 'folio'],
      [{ document_type: '33.', folio }, 'document_type'],
      [{ document_id: original.id, emisor_rut: '76192083-9' }, 'emisor_rut'],
    ] as const) {
      const { status, body } = await nota(reference)
      expect([status, body.error?.param], JSON.stringify(reference)).toEqual([400, `references[0].${param}`])
    }
  })

  it('201 is replayed under its Idempotency-Key instead of being refused as a second one', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const request = { headers: { 'idempotency-key': 'anula-una-vez' } }
    const path = `/v1/documents/${original.id}/credit_note`
    const first = await issuer.post(path, {}, request)
    const second = await issuer.post(path, {}, request)
    expect([second.status, second.text, second.headers['svc-idempotent-replay']]).toEqual([201, first.text, 'true'])
  })
})

describe('the receptor of a nota over a boleta', () => {
  it('400 receptor_incomplete names each field in turn, and the address book completes it', async () => {
    const by = await openIssuer(world)
    const original = await accepted(world, by, { ...BOLETA, receptor: { rut: RECEPTOR.rut, legal_name: 'Ana Pérez' } })
    const book = `/v1/empresas/${by.empresa_id}/counterparties/${RECEPTOR.rut}`
    const record = (body: object) => world.patch(book, { key: by.key, body })
    const missing = async () => {
      const sent = await credit(by, original, {})
      expect([sent.status, sent.body.error.code]).toEqual([400, 'receptor_incomplete'])
      expect(sent.body.error.message).toContain(`PATCH /empresas/${by.empresa_id}/counterparties/${RECEPTOR.rut}`)
      expect(sent.body.error.details).toMatchObject({ counterparty_rut: RECEPTOR.rut })
      return sent.body.error.param
    }
    expect(await missing()).toBe('receptor.giro')
    await record({ giro: 'Particular' })
    expect(await missing()).toBe('receptor.address.street')
    await record({ address: { street: 'Calle Larga 56' } })
    expect(await missing()).toBe('receptor.address.comuna')
    await record({ legal_name: 'Otro nombre', address: { comuna: 'Maipú' } })
    const sent = await credit(by, original, {})
    expect(sent.status).toBe(201)
    expect(sent.body.totals).toEqual(original.totals)
    expect(sent.body.receptor).toMatchObject({
      legal_name: 'Ana Pérez',
      giro: 'Particular',
      sources: { legal_name: 'earlier_document', giro: 'counterparty', 'address.comuna': 'counterparty' },
    })
  })

  it('400 receptor_incomplete of an anonymous one says both ways out, and takes no other buyer for it', async () => {
    const by = await openIssuer(world)
    const original = await accepted(world, by, BOLETA)
    const sent = await credit(by, original, {})
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([
      400,
      'receptor_incomplete',
      'receptor.giro',
    ])
    expect(sent.body.error.message).toMatch(/POST \/documents.*counterparties\/66666666-6/)
    const references = [{ document_id: original.id, code: 3 }]
    const named = { ...RECEPTOR, rut: '66666666-6', legal_name: 'Ana Pérez' }
    expect((await by.create({ tipo_dte: 61, receptor: named, items: ITEMS, references })).status).toBe(201)
    expect((await credit(by, await accepted(world, by, BOLETA), {})).status).toBe(400)
    const book = `/v1/empresas/${by.empresa_id}/counterparties/66666666-6`
    const generic = { legal_name: 'Cliente', giro: 'Particular', address: { street: 'S/N', comuna: 'Santiago' } }
    await world.patch(book, { key: by.key, body: generic })
    expect((await credit(by, await accepted(world, by, BOLETA), {})).body.receptor).toMatchObject(generic)
  })
})
