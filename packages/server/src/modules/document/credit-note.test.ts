import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accepted, settle } from '../../../test/accepted.ts'
import { BOLETA, FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../../test/issuer.ts'
import { openWorld, randomRut, type World } from '../../../test/world.ts'
import type { Document, DocumentStatus } from './schema.ts'

// No worker: each document is put where its emission would have taken it.
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const credit = ({ id }: Pick<Document, 'id'>, body: object = {}, by = issuer) =>
  by.post(`/v1/documents/${id}/credit_note`, body)
const refusal = (sent: { status: number; body: { error: { code: string; details?: { reason?: string } } } }) => [
  sent.status,
  sent.body.error?.code,
  sent.body.error?.details?.reason,
]
const draftOf = async (id: string) => {
  const [row] = await world.db.sql<{ draft: Record<string, unknown>; corrects_id: string; annuls_id: string | null }>`
    select draft, corrects_id, annuls_id from document where id = ${id}`
  return row
}
const amount = (unit_price: number, more: object = {}) => ({
  items: [{ description: 'Diferencia', unit_price, ...more }],
})

describe('POST /v1/documents/{document_id}/credit_note', () => {
  it('201 is a nota de crédito in `queued` that annuls the whole original, and says when to look again', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await credit(original, { external_id: 'anula-1', metadata: { caso: '9' } })
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

  it('201 leaves the original as it is until the SII takes the nota', async () => {
    const original = await accepted(world, issuer, FACTURA)
    await credit(original)
    expect((await issuer.get(`/v1/documents/${original.id}`)).body).toEqual(original)
  })

  it('201 corrects text with a nota of zero that annuls nothing', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const reason = 'Donde dice Calle Larga 56 debe decir Calle Larga 65'
    const sent = await credit(original, { code: 2, reason })
    expect(sent.body).toMatchObject({ tipo_dte: 61, totals: { net: 0, iva: 0, exempt: 0, total: 0 }, annuls: null })
    expect((await draftOf(sent.body.id))?.draft.references).toMatchObject([{ code: 2, reason }])
  })

  it('201 corrects amounts up to what is left, and not a peso more', async () => {
    const original = await accepted(world, issuer, {
      ...FACTURA,
      items: [{ description: 'Flete', unit_price: 10_000 }],
    })
    expect(original.totals.total).toBe(11_900)
    expect((await credit(original, amount(4_000))).body).toMatchObject({ totals: { total: 4_760 }, annuls: null })
    const over = await credit(original, amount(6_001))
    expect([over.status, over.body.error.code, over.body.error.param]).toEqual([
      422,
      'credit_exceeds_original',
      'items',
    ])
    expect(over.body.error.details).toEqual({ left: { taxed: 7_140, exempt: 0, total: 7_140 } })
    expect((await credit(original, amount(6_000))).status).toBe(201)
    expect(refusal(await credit(original, amount(1)))).toEqual([409, 'document_not_creditable', 'fully_credited'])
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
    expect((await credit(original, amount(340), by)).body.totals).toMatchObject({ net: 286, iva: 54, total: 340 })
    expect((await credit(original, amount(341), by)).status).toBe(422)
    expect((await credit(original, amount(340), by)).status).toBe(201)
  })

  it('422 credit_exceeds_original for a line without IVA where the original has none', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await credit(original, amount(100, { exempt: true }))
    expect(sent.body.error).toMatchObject({ code: 'credit_exceeds_original', details: { left: { exempt: 0 } } })
    expect((await issuer.get('/v1/documents?tipo_dte=61&limit=1')).body.data[0]?.totals.exempt ?? 0).toBe(0)
  })

  it('201 counts again what a rejected, failed or annulled nota had credited', async () => {
    const original = await accepted(world, issuer, FACTURA)
    for (const status of ['rejected', 'failed', 'annulled'] as const) {
      const note = await credit(original)
      expect(note.status).toBe(201)
      await settle(world, note.body.id, status)
    }
    expect((await credit(original)).status).toBe(201)
  })

  it('201 counts a nota that was written out with POST /documents', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const reference = { document_id: original.id, code: 3, reason: 'Descuento' }
    const references = [{ document_type: '801', folio: 'OC-1', date: original.issue_date }, reference]
    const written = await issuer.create({ ...FACTURA, tipo_dte: 61, ...amount(4_000), references })
    expect(written.status).toBe(201)
    expect((await credit(original, amount(1_001))).body.error.details.left.total).toBe(1_190)
    expect((await credit(original, amount(1_000))).status).toBe(201)
  })
})

describe('a document that takes no nota de crédito', () => {
  const statuses: readonly DocumentStatus[] = ['queued', 'sent', 'rejected', 'failed']
  it('409 document_not_creditable until the SII accepts it, with its status', async () => {
    for (const status of statuses) {
      const made = await issuer.create(FACTURA)
      await settle(world, made.body.id, status)
      const sent = await credit(made.body)
      expect(refusal(sent)).toEqual([409, 'document_not_creditable', 'status'])
      expect(sent.body.error.details.status).toBe(status)
    }
  })

  it('201 for one that was accepted with observations', async () => {
    const original = await accepted(world, issuer, FACTURA)
    await settle(world, original.id, 'reparo')
    expect((await credit(original)).status).toBe(201)
  })

  it('409 names the nota that annuls it, on its way and afterwards, whatever is asked', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const note = await credit(original)
    for (const body of [{}, amount(1), { code: 2, reason: 'Donde dice A debe decir B' }]) {
      const sent = await credit(original, body)
      expect(refusal(sent)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
      expect(sent.body.error.existing_id).toBe(note.body.id)
    }
    await settle(world, note.body.id, 'accepted')
    // One that was observed stays `reparo`: only its nota tells that it is annulled.
    await settle(world, original.id, 'reparo')
    const after = await credit(original)
    expect([...refusal(after), after.body.error.existing_id]).toEqual([
      409,
      'document_not_creditable',
      'annulled',
      note.body.id,
    ])
    await settle(world, original.id, 'annulled')
    expect(refusal(await credit(original))).toEqual([409, 'document_not_creditable', 'annulled'])
  })

  it('409 for annulling what is partly credited: the rest is credited by its amount', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const part = await credit(original, amount(100))
    const sent = await credit(original)
    expect(refusal(sent)).toEqual([409, 'document_not_creditable', 'partly_credited'])
    expect(sent.body.error.existing_id).toBe(part.body.id)
  })

  it('201 annuls what only had its text corrected', async () => {
    const original = await accepted(world, issuer, FACTURA)
    await credit(original, { code: 2, reason: 'Donde dice A debe decir B' })
    expect((await credit(original)).status).toBe(201)
  })

  it('409 for a nota de crédito, which a nota de débito annuls', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const note = await credit(original)
    await settle(world, note.body.id)
    expect(refusal(await credit(note.body))).toEqual([409, 'document_not_creditable', 'tipo'])
    const debit = { ...FACTURA, tipo_dte: 56, references: [{ document_id: note.body.id, code: 1 }] }
    expect((await issuer.create(debit)).body.annuls).toBe(note.body.id)
  })

  it('409 for a guía that sells nothing, 201 for one that does', async () => {
    const guia = (transfer_type: number, unit_price: number) => ({
      ...FACTURA,
      tipo_dte: 52,
      dispatch: { transfer_type },
      items: [{ description: 'Resma', quantity: 2, unit_price }],
    })
    expect(refusal(await credit(await accepted(world, issuer, guia(6, 0))))).toEqual([
      409,
      'document_not_creditable',
      'no_amount',
    ])
    expect((await credit(await accepted(world, issuer, guia(1, 500)))).status).toBe(201)
  })

  it('409 for one whose credit was ceded, unless only its text is corrected; 201 when the cesión failed', async () => {
    const original = await accepted(world, issuer, FACTURA)
    for (const status of ['queued', 'submitted', 'confirmed', 'failed']) {
      await world.db.sql`update document set cesion_status = ${status} where id = ${original.id}`
      expect((await credit(original, { code: 2, reason: 'Donde dice A debe decir B' })).status).toBe(201)
      for (const body of [amount(1), {}]) {
        if (status !== 'failed')
          expect(refusal(await credit(original, body))).toEqual([409, 'document_not_creditable', 'ceded'])
      }
    }
    expect((await credit(original)).status).toBe(201)
  })
})

describe('two notas at the same moment', () => {
  it('annul a document once: one wins, the others are told which', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await Promise.all(Array.from({ length: 6 }, () => credit(original)))
    const won = sent.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    for (const lost of sent.filter(({ status }) => status !== 201)) {
      expect(refusal(lost)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
      expect(lost.body.error.existing_id).toBe(won[0]?.body.id)
    }
  })

  it('never credit more than there was between them', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const sent = await Promise.all(Array.from({ length: 6 }, () => credit(original, amount(2_000))))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422])
  })

  it('409 document_not_creditable also for one written out with POST /documents, however close they come', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const written = { ...FACTURA, tipo_dte: 61, references: [{ document_id: original.id, code: 1 }] }
    const sent = await Promise.all([0, 1, 2, 3].map((n) => (n % 2 ? credit(original) : issuer.create(written))))
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const lost of sent.filter(({ status }) => status !== 201)) {
      expect(refusal(lost)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
    }
    const again = await issuer.create(written)
    expect(refusal(again)).toEqual([409, 'document_not_creditable', 'annulment_in_progress'])
    expect(again.body.error.existing_id).toBe(sent.find(({ status }) => status === 201)?.body.id)
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
      const sent = await credit(original, {}, by)
      expect([sent.status, sent.body.error.code]).toEqual([400, 'receptor_incomplete'])
      expect(sent.body.error.message).toContain(`PATCH /empresas/${by.empresa_id}/counterparties/${RECEPTOR.rut}`)
      expect(sent.body.error.details).toEqual({ counterparty_rut: RECEPTOR.rut })
      return sent.body.error.param
    }
    expect(await missing()).toBe('receptor.giro')
    await record({ giro: 'Particular' })
    expect(await missing()).toBe('receptor.address.street')
    await record({ address: { street: 'Calle Larga 56' } })
    expect(await missing()).toBe('receptor.address.comuna')
    await record({ legal_name: 'Otro nombre', address: { comuna: 'Maipú' } })
    const sent = await credit(original, {}, by)
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
    const sent = await credit(original, {}, by)
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([
      400,
      'receptor_incomplete',
      'receptor.legal_name',
    ])
    expect(sent.body.error.message).toMatch(/POST \/documents.*counterparties\/66666666-6/)
    const references = [{ document_id: original.id, code: 3 }]
    const named = { ...RECEPTOR, rut: '66666666-6', legal_name: 'Ana Pérez' }
    expect((await by.create({ tipo_dte: 61, receptor: named, items: ITEMS, references })).status).toBe(201)
    expect((await credit(await accepted(world, by, BOLETA), {}, by)).status).toBe(400)
    const book = `/v1/empresas/${by.empresa_id}/counterparties/66666666-6`
    const generic = { legal_name: 'Cliente', giro: 'Particular', address: { street: 'S/N', comuna: 'Santiago' } }
    await world.patch(book, { key: by.key, body: generic })
    expect((await credit(await accepted(world, by, BOLETA), {}, by)).body.receptor).toMatchObject(generic)
  })
})

describe('what the request itself may not say', () => {
  it('400 invalid_field names what does not fit the code', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const paramOf = async (body: object) => (await credit(original, body)).body.error.param
    expect(await paramOf({ code: 1, ...amount(1) })).toBe('items')
    expect(await paramOf({ code: 3 })).toBe('items')
    expect(await paramOf({ code: 2 })).toBe('reason')
    expect(await paramOf({ code: 4 })).toBe('code')
    expect(await paramOf({ code: 3, ...amount(0) })).toBe('items')
    expect(await paramOf(amount(1.00001))).toBe('items[0].unit_price')
    expect(await paramOf({ reason: 'x'.repeat(91) })).toBe('reason')
    expect(await paramOf({ reason: 'con emoji 😀' })).toBe('reason')
    expect(await paramOf({ items: [] })).toBe('items')
  })

  it('404 document_not_found for one of another empresa', async () => {
    const original = await accepted(world, issuer, FACTURA)
    const other = await openIssuer(world, { account: issuer.account })
    expect((await credit(original, {}, other)).body.error.code).toBe('document_not_found')
  })

  it('409 external_id_exists names the document that has it', async () => {
    const original = await accepted(world, issuer, { ...FACTURA, external_id: 'pedido-7' })
    const sent = await credit(original, { external_id: 'pedido-7' })
    expect([sent.status, sent.body.error.code, sent.body.error.existing_id]).toEqual([
      409,
      'external_id_exists',
      original.id,
    ])
    const others = await Promise.all([1, 2, 3].map(() => accepted(world, issuer, FACTURA)))
    const raced = await Promise.all(others.map((one) => credit(one, { external_id: 'una-sola' })))
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('422 tipo_not_declared for an empresa that issues no notas', async () => {
    const by = await openIssuer(world, { empresa: { doc_types: [33] } })
    const sent = await credit(await accepted(world, by, FACTURA), {}, by)
    expect([sent.status, sent.body.error.code]).toEqual([422, 'tipo_not_declared'])
  })
})

describe('in live mode', () => {
  /** A document accepted by the real SII, which this version cannot reach: put there as if it had been. */
  async function liveDocument(plan: string) {
    const account = await world.account({ plan })
    const by = await openIssuer(world, { mode: 'live', account })
    const copied = await accepted(world, issuer, FACTURA)
    const id = `doc_${randomRut().replace('-', '').toLowerCase().padStart(26, '0')}`
    await world.db.sql`
      insert into document select (jsonb_populate_record(d, ${JSON.stringify({ id, account_id: account, empresa_id: by.empresa_id, mode: 'live' })}::jsonb)).*
      from document d where d.id = ${copied.id}`
    return { by, id }
  }

  it('402 subscription_required without a subscription', async () => {
    const { by, id } = await liveDocument('starter')
    const sent = await credit({ id }, {}, by)
    expect([sent.status, sent.body.error.code]).toEqual([402, 'subscription_required'])
  })

  it('422 empresa_not_emitting, then empresa_incomplete, for an empresa that cannot emit a nota', async () => {
    const { by, id } = await liveDocument('house')
    const waiting = await credit({ id }, {}, by)
    expect([waiting.status, waiting.body.error.code]).toEqual([422, 'empresa_not_emitting'])
    await world.db.sql`update empresa set onboarding_status = 'emitting' where id = ${by.empresa_id}`
    const owner = await world.key(by.account, { mode: 'live', scopes: ['empresas:write'] })
    await world.patch(`/v1/empresas/${by.empresa_id}`, { key: owner, body: { acteco: [620100] } })
    const lacking = await credit({ id }, {}, by)
    expect([lacking.status, lacking.body.error.code, lacking.body.error.details]).toEqual([
      422,
      'empresa_incomplete',
      { field: 'giro' },
    ])
  })
})
