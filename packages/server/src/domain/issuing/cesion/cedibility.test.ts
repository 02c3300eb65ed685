import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOLETA, FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { accepted, settle } from '../../../../test/support/settle-document.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { newId } from '../../../kernel/id.ts'
import type { Document, DocumentStatus } from '../document/schema.ts'

// No worker: each document is put where its emission would have taken it.
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world, { empresa: { contact_email: 'cobranza@example.cl' } })
})
afterAll(() => world.close())

const CESIONARIO = {
  rut: '78901234-2',
  legal_name: 'Factoring del Sur S.A.',
  address: { street: 'Huérfanos 1055', comuna: 'Santiago' },
  email: 'operaciones@factoring.cl',
}
const ask = ({ id }: Pick<Document, 'id'>, by = issuer) => by.post(`/v1/documents/${id}/cesion`)
const cede = ({ id }: Pick<Document, 'id'>, more: object = {}, by = issuer) =>
  by.post(`/v1/documents/${id}/cede`, { cesionario: CESIONARIO, ...more })
const credit = ({ id }: Document, body: object = {}) => issuer.post(`/v1/documents/${id}/credit_note`, body)
const codesOf = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

/** The question and the act must agree: what one says stands in the way, the other refuses. */
async function refused(document: Pick<Document, 'id'>, by = issuer): Promise<string[]> {
  const asked = await ask(document, by)
  expect(asked.status).toBe(200)
  const reasons = codesOf(asked.body.reasons)
  expect(asked.body.cedible).toBe(reasons.length === 0)
  const sent = await cede(document, {}, by)
  if (reasons.length === 0) expect(sent.status).toBe(202)
  else {
    expect([sent.status, sent.body.error.code]).toEqual([422, 'document_not_cedible'])
    expect(codesOf(sent.body.error.details.reasons)).toEqual(reasons)
    expect(sent.body.error.message).toBe(sent.body.error.details.reasons[0].message)
  }
  return reasons
}

describe('POST /v1/documents/{document_id}/cesion', () => {
  it('200 tells that a factura can be ceded, for how much and until when its receptor may object', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const sent = await ask(document)
    expect(sent.body).toEqual({
      object: 'cedibility',
      document: document.id,
      cedible: true,
      reasons: [],
      amount: document.totals.total,
      due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      receptor_answers_until: new Date(Date.parse(document.sent_at ?? '') + 8 * 86_400_000).toISOString(),
      sii: { code: '23', glosa: 'DTE Cedible, no existen reclamos' },
    })
    expect((await issuer.post(`/v1/documents/${document.id}/cesion`, {})).text).toBe(sent.text)
    expect((await issuer.get(`/v1/documents/${document.id}`)).body).toEqual(document)
  })

  it('200 takes the due date of the document, its last instalment first, and else 30 days', async () => {
    const dueOf = async (payment: object) =>
      (await ask(await accepted(world, issuer, { ...FACTURA, issue_date: '2025-01-15', payment }))).body.due_date
    expect(await dueOf({ form: 'credit' })).toBe('2025-02-14')
    expect(await dueOf({ due_date: '2025-03-31' })).toBe('2025-03-31')
    const instalments = [
      { date: '2025-06-30', amount: 1 },
      { date: '2025-04-30', amount: 1 },
    ]
    expect(await dueOf({ due_date: '2025-03-31', instalments })).toBe('2025-06-30')
  })

  it('404 document_not_found, and 502 sii_unreachable where the SII has the last word and gives none', async () => {
    const other = await openIssuer(world)
    const document = await accepted(world, issuer, FACTURA)
    expect((await ask(document, other)).body.error.code).toBe('document_not_found')
    expect((await cede(document, {}, other)).body.error.code).toBe('document_not_found')
    const live = await liveDocument()
    expect([(await ask(live, live.by)).status, (await ask(live, live.by)).body.error.code]).toEqual([
      502,
      'sii_unreachable',
    ])
  })

  /** A document of live mode, whose SII this version cannot reach: put there as if it had been accepted. */
  async function liveDocument() {
    const by = await openIssuer(world, { mode: 'live', account: await world.account({ plan: 'house' }) })
    const { id: copied } = await accepted(world, issuer, FACTURA)
    const id = newId('document')
    const changes = { id, account_id: by.account, empresa_id: by.empresa_id, mode: 'live' }
    await world.db.sql`
      insert into document select (jsonb_populate_record(d, ${JSON.stringify(changes)}::jsonb)).*
      from document d where d.id = ${copied}`
    return { id, by }
  }
})

describe('what stands in the way of a cesión', () => {
  it('tipo_not_cedible, not_the_creditor: only a factura is ceded, and only by who sold', async () => {
    const bodies: readonly [number, object][] = [
      [34, {}],
      [39, { receptor: undefined }],
      [41, { receptor: undefined }],
      [46, { items: [{ ...ITEMS[0], additional_tax: 15 }] }],
      [52, { dispatch: { transfer_type: 1 } }],
      [56, { references: [{ tipo_dte: 33, folio: 7, date: '2025-01-05', code: 3 }] }],
    ]
    const found: Record<number, readonly string[]> = {}
    for (const [tipo_dte, more] of bodies) {
      const document = await accepted(world, issuer, { tipo_dte, receptor: RECEPTOR, items: ITEMS, ...more })
      expect(document.cesion.cedible).toBe(tipo_dte === 34)
      found[tipo_dte] = await refused(document)
    }
    const not = ['tipo_not_cedible']
    expect(found).toEqual({ 34: [], 39: not, 41: not, 46: ['not_the_creditor'], 52: not, 56: not })
  })

  it('not_accepted: until the SII took it; one it observed can be ceded', async () => {
    const found: Record<string, readonly string[]> = {}
    for (const status of ['queued', 'sent', 'failed', 'rejected', 'reparo'] satisfies DocumentStatus[]) {
      const { body } = await issuer.create(FACTURA)
      await settle(world, body.id, status)
      found[status] = await refused(body)
    }
    const not = ['not_accepted']
    expect(found).toEqual({ queued: not, sent: not, failed: not, rejected: not, reparo: [] })
  })

  it('annulment_in_progress, then annulled: a nota de crédito took it back', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const note = (await credit(document)).body
    expect(await refused(document)).toEqual(['annulment_in_progress'])
    expect((await ask(document)).body.amount).toBe(0)
    await settle(world, note.id, 'accepted')
    expect(await refused(document)).toEqual(['annulled'])
    await settle(world, document.id, 'annulled')
    expect(await refused(document)).toEqual(['annulled'])
    expect((await issuer.get(`/v1/documents/${document.id}`)).body.cesion.cedible).toBe(false)
  })

  it('annulment_in_progress no more once the nota was rejected', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const note = (await credit(document)).body
    await settle(world, note.id, 'rejected')
    expect(await refused(document)).toEqual([])
  })

  it('nothing_left: notas took all of it; what they left can be ceded, and no peso more', async () => {
    const document = await accepted(world, issuer, { ...FACTURA, items: [{ description: 'Flete', unit_price: 1_000 }] })
    await credit(document, { items: [{ description: 'Menos', unit_price: 400 }] })
    expect((await ask(document)).body).toMatchObject({ cedible: true, amount: 714 })
    const over = await cede(document, { amount: 715 })
    expect([over.status, over.body.error.code, over.body.error.param]).toEqual([400, 'invalid_field', 'amount'])
    await credit(document, { items: [{ description: 'Menos', unit_price: 600 }] })
    expect(await refused(document)).toEqual(['nothing_left'])
  })

  it('paid: what was paid at once, or given for free, holds no credit', async () => {
    for (const form of ['cash', 'free', 'credit']) {
      const document = await accepted(world, issuer, { ...FACTURA, payment: { form } })
      expect(await refused(document)).toEqual(form === 'credit' ? [] : ['paid'])
    }
  })

  it('already_ceded: one cesión at a time, whoever comes first, until it fails', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const sent = await Promise.all([1, 2, 3, 4].map(() => cede(document)))
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 422, 422, 422])
    for (const status of ['queued', 'submitted', 'confirmed']) {
      await world.db.sql`update document set cesion_status = ${status} where id = ${document.id}`
      expect(await refused(document)).toEqual(['already_ceded'])
    }
    await world.db.sql`update document set cesion_status = 'failed' where id = ${document.id}`
    expect(await refused(document)).toEqual([])
  })

  it('channel_without_cesion: an empresa on sfg cedes in the portal of the SII', async () => {
    const by = await openIssuer(world, { empresa: { emission_channel: 'sfg', contact_email: 'a@example.cl' } })
    expect(await refused(await accepted(world, by, FACTURA), by)).toEqual(['channel_without_cesion'])
  })

  it('claimed_by_receptor: by the answer of the SII, in its own words', async () => {
    const document = await accepted(world, issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut: '77222224-6' } })
    expect(await refused(document)).toEqual(['claimed_by_receptor'])
    expect((await ask(document)).body.sii).toEqual({ code: '24', glosa: 'DTE No Cedible, reclamado por el receptor' })
  })

  it('receptor_may_claim: for eight days after the SII received it, then silence is consent', async () => {
    const document = await accepted(world, issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut: '77222222-K' } })
    expect(await refused(document)).toEqual(['receptor_may_claim'])
    const sent = (days: number) =>
      world.db.sql`update document set sent_at = now() - make_interval(days => ${days}) where id = ${document.id}`
    await sent(7)
    expect(await refused(document)).toEqual(['receptor_may_claim'])
    await sent(8)
    expect((await ask(document)).body.sii.code).toBe('25')
    expect(await refused(document)).toEqual([])
  })

  it('several reasons at once, and the SII is not asked about what is refused here', async () => {
    const { body } = await issuer.create({ ...BOLETA })
    const sent = await ask(body)
    expect(codesOf(sent.body.reasons)).toEqual(['tipo_not_cedible', 'not_accepted'])
    expect(sent.body.sii).toBeNull()
  })
})

describe('what the request itself may not say', () => {
  it('400 invalid_field and invalid_rut name the field', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const paramOf = async (more: object) => {
      const { body } = await cede(document, more)
      return `${body.error.code} ${body.error.param}`
    }
    const to = (more: object) => ({ cesionario: { ...CESIONARIO, ...more } })
    expect(await paramOf(to({ rut: '78901234-3' }))).toBe('invalid_rut cesionario.rut')
    expect(await paramOf(to({ rut: issuer.rut }))).toBe('invalid_field cesionario.rut')
    expect(await paramOf(to({ address: { street: 'S/N' } }))).toBe('invalid_field cesionario.address.street')
    expect(await paramOf(to({ email: 'a@b.c' }))).toBe('invalid_field cesionario.email')
    expect(await paramOf(to({ legal_name: 'Café ☕ SpA' }))).toBe('invalid_field cesionario.legal_name')
    expect(await paramOf({ amount: 0 })).toBe('invalid_field amount')
    expect(await paramOf({ amount: document.totals.total + 1 })).toBe('invalid_field amount')
    expect(await paramOf({ due_date: '2020-01-01' })).toBe('invalid_field due_date')
    expect(await paramOf({ conditions: 'x'.repeat(513) })).toBe('invalid_field conditions')
  })

  it('400 invalid_field asks for contact.email where the empresa has no contact_email', async () => {
    const by = await openIssuer(world)
    const document = await accepted(world, by, FACTURA)
    const sent = await cede(document, {}, by)
    expect([sent.status, sent.body.error.param]).toEqual([400, 'contact.email'])
    expect((await cede(document, { contact: { email: 'pagos@example.cl' } }, by)).status).toBe(202)
  })
})
