import { parseXml, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EIGHT } from '../../../../test/support/bodies-by-tipo.ts'
import { headingOf, issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const NEXT = ['document.folio_allocated', 'document.signed', 'document.submitted']

async function xmlOf(id: string): Promise<Buffer> {
  const xml = await storedXml(world, id)
  if (!xml) throw new Error(`no XML of ${id}`)
  return xml
}

describe('the document status table', () => {
  it('(none) → queued: the folio is null, document.created is told, and Svc-Poll-After is there', async () => {
    const sent = await issuer.create(FACTURA)
    expect(sent.body).toMatchObject({ status: 'queued', folio: null })
    expect(sent.headers['svc-poll-after']).toBe('1')
    expect(types(await told(world, sent.body.id))).toEqual(['document.created'])
    await settled(issuer, sent.body.id)
  })

  it('queued → queued: folio and signature are in the journal alone, and tell no webhook', async () => {
    const { body } = await issue(issuer, FACTURA)
    const lines = await journal(issuer, body.id)
    expect(types(lines)).toEqual([...NEXT, 'document.accepted'])
    expect(lines[0]?.detail).toEqual({ folio: body.folio, caf: expect.stringMatching(/^caf_/) })
    expect(types(await told(world, body.id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
  })

  it('queued → sent: the journal has the track_id, and document.sent says that it was queued', async () => {
    const { body } = await issue(issuer, FACTURA)
    const submitted = (await journal(issuer, body.id)).find(({ type }) => type === 'document.submitted')
    expect(submitted?.detail).toEqual({ track_id: body.sii.track_id })
    const sent = (await told(world, body.id)).find(({ type }) => type === 'document.sent')
    expect(sent?.data.previous_attributes).toMatchObject({ status: 'queued', sent_at: null })
    expect(sent?.data.object).toMatchObject({ status: 'sent', folio: body.folio, settled_at: null })
  })

  it('sent → accepted: document.accepted carries the heading that a GET answers, byte for byte, and that it was sent', async () => {
    const sent = await issue(issuer, FACTURA)
    const accepted = (await told(world, sent.body.id)).at(-1)
    expect(accepted?.type).toBe('document.accepted')
    expect(accepted?.object).toBe(headingOf(sent))
    expect(accepted?.data.previous_attributes.status).toBe('sent')
    expect(sent.body.sii).toMatchObject({ estado: 'DOK', explanation: null })
    expect(sent.headers['svc-poll-after']).toBeUndefined()
  })

  it('sent → reparo: valid but observed, explained, and terminal for polling', async () => {
    const sent = await issue(issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut: '77111101-7' } })
    expect(sent.body).toMatchObject({ status: 'reparo', sii: { estado: 'RPR' } })
    expect(sent.body.sii.explanation).toMatchObject({ code: 'line_amount_mismatch' })
    expect(sent.headers['svc-poll-after']).toBeUndefined()
    expect(types(await told(world, sent.body.id)).at(-1)).toBe('document.reparo')
    expect(types(await journal(issuer, sent.body.id)).at(-1)).toBe('document.reparo')
  })

  it('sent → rejected: refused with the words of the SII and our explanation, and terminal for polling', async () => {
    const sent = await issue(issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut: '77111105-K' } })
    expect(sent.body).toMatchObject({ status: 'rejected', sii: { estado: 'RCH' } })
    expect(sent.body.sii.glosa).toContain('DTE-3-101')
    expect(sent.body.sii.explanation).toMatchObject({ code: 'folio_already_used', field: 'folio' })
    expect(sent.headers['svc-poll-after']).toBeUndefined()
    expect(types(await told(world, sent.body.id)).at(-1)).toBe('document.rejected')
  })

  it('queued → failed: processing fails, document.failed says why, and nothing was sent', async () => {
    const sent = await issue(issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut: '77111114-9' } })
    expect(sent.body).toMatchObject({ status: 'failed', failure: { code: 'sender_not_authorized' } })
    expect(sent.body.sii.track_id).toBeNull()
    const failed = (await told(world, sent.body.id)).at(-1)
    expect(failed?.type).toBe('document.failed')
    // What could not be sent asks for nothing: 2 × 2.500 and IVA 950 are owed no more.
    expect(failed?.data.previous_attributes).toEqual({ status: 'queued', failure: null, pending_amount: 5_950 })
    expect(failed?.object).toBe(headingOf(sent))
  })

  it('accepted → annulled: a credit note that the SII accepts annuls it, and both are told', async () => {
    const { body: original } = await issue(issuer, FACTURA)
    const note = await issuer.post(`/v1/documents/${original.id}/credit_note`, {})
    expect(note.status, note.text).toBe(201)
    await settled(issuer, note.body.id, ['accepted'])
    const annulled = await settled(issuer, original.id, ['annulled'])
    const last = (await told(world, original.id)).at(-1)
    expect(last?.type).toBe('document.annulled')
    expect(last?.data.previous_attributes).toEqual({
      status: 'accepted',
      cesion: { ...annulled.body.cesion, cedible: true },
    })
    expect(last?.object).toBe(headingOf(annulled))
    expect((await journal(issuer, original.id)).at(-1)).toMatchObject({
      type: 'document.annulled',
      detail: { document_id: note.body.id },
    })
  })

  it('accepted stays accepted while the note that would annul it is rejected', async () => {
    const receptor = { ...RECEPTOR, rut: '77111105-K' }
    const original = await issuer.create({ ...FACTURA, receptor })
    await issuer.post(`/v1/test_helpers/documents/${original.body.id}/estado`, { status: 'accepted' })
    await settled(issuer, original.body.id, ['accepted'])
    const note = await issuer.post(`/v1/documents/${original.body.id}/credit_note`, {})
    await settled(issuer, note.body.id, ['rejected'])
    expect((await issuer.get(`/v1/documents/${original.body.id}`)).body.status).toBe('accepted')
  })
})

describe('what is sent', () => {
  it.each(EIGHT)('tipo %i is numbered from 1, signed so that it verifies, and accepted', async (tipo_dte, body) => {
    const own = await openIssuer(world)
    const { body: document } = await issue(own, { tipo_dte, ...body })
    expect(document).toMatchObject({ status: 'accepted', folio: 1, tipo_dte })
    const parsed = parseXml(await xmlOf(document.id))
    if (!parsed.ok) throw new Error(parsed.refusal.message)
    const checked = verifySignatures(parsed.value)
    expect(checked.ok && checked.value.map(({ refusal }) => refusal)).toEqual([null])
  })

  it('is recorded once in the usage ledger, and its receptor is in the address book', async () => {
    const own = await openIssuer(world)
    const { body } = await issue(own, FACTURA)
    const used = await world.db.sql<{ kind: string }>`select kind from usage_record where subject_id = ${body.id}`
    expect(used).toEqual([{ kind: 'document_issued' }])
    const [known] = await world.db.sql<{ legal_name: string }>`
      select legal_name from counterparty where empresa_id = ${own.empresa_id} and rut = ${RECEPTOR.rut}`
    expect(known?.legal_name).toBe(RECEPTOR.legal_name)
  })

  it('a document of an empresa archived meanwhile fails as empresa_inactive and draws no folio', async () => {
    const idle = await openWorld({ runs_jobs: false })
    onTestFinished(() => idle.close())
    const own = await openIssuer(idle)
    const { body } = await own.create(BOLETA)
    await idle.patch(`/v1/empresas/${own.empresa_id}`, { key: own.key, body: { status: 'archived' } })
    const working = await openWorld({ beside: idle })
    onTestFinished(() => working.close())
    const sent = await settled(own, body.id)
    expect(sent.body).toMatchObject({ status: 'failed', folio: null, failure: { code: 'empresa_inactive' } })
  })

  it('nothing is left of a document whose empresa was deleted before it was sent', async () => {
    const own = await openIssuer(world)
    await own.create(BOLETA)
    expect((await world.delete(`/v1/empresas/${own.empresa_id}`, { key: own.key })).status).toBe(204)
    await until('its jobs to be gone', async () => {
      const [row] = await world.db.sql<{ jobs: number }>`
        select count(*)::int as jobs from job where empresa_id = ${own.empresa_id}`
      return row?.jobs === 0
    })
  })
})
