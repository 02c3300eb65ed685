import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headingOf, issue, journal, settled, told, types } from '../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../test/support/world.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const script = (id: string, body: object) => issuer.post(`/v1/test_helpers/documents/${id}/estado`, body)
/** Settles ten seconds after it is sent: whoever settles it sooner obeyed a script. */
const SLOW = { ...FACTURA, receptor: { ...RECEPTOR, rut: '77111115-7' } }

describe('POST /v1/test_helpers/documents/{document_id}/estado', () => {
  it('200 decides about a queued document: it is settled so as soon as it is sent', async () => {
    for (const status of ['accepted', 'reparo', 'rejected']) {
      const made = await issuer.create(SLOW)
      const sent = await script(made.body.id, { status })
      expect([sent.status, sent.body.status, sent.headers['svc-poll-after']]).toEqual([200, 'queued', '1'])
      const { body } = await settled(issuer, made.body.id)
      expect(body.status).toBe(status)
      expect(types(await told(world, body.id))).toEqual(['document.created', 'document.sent', `document.${status}`])
    }
  })

  it('200 settles a document that was sent at once, and the answer is what a GET shows', async () => {
    const made = await issuer.create(SLOW)
    await settled(issuer, made.body.id, ['sent'])
    const sent = await script(made.body.id, { status: 'rejected', code: 'CAF-3-517', message: 'CAF Vencido' })
    expect(sent.body).toMatchObject({
      status: 'rejected',
      sii: { estado: 'RCH', glosa: 'CAF Vencido', explanation: { code: 'folio_range_expired' } },
    })
    expect(sent.headers['svc-poll-after']).toBeUndefined()
    expect(headingOf(await issuer.get(`/v1/documents/${made.body.id}`))).toBe(sent.text)
    expect((await told(world, made.body.id)).at(-1)?.object).toBe(sent.text)
  })

  it('200 fails a queued document at once, with a code and a message of one’s own', async () => {
    const made = await issuer.create(FACTURA)
    const sent = await script(made.body.id, { status: 'failed', code: 'mi_codigo', message: 'Porque sí.' })
    expect(sent.body).toMatchObject({ status: 'failed', failure: { code: 'mi_codigo', message: 'Porque sí.' } })
    expect(types(await journal(issuer, made.body.id))).toEqual(['document.failed'])
    await issuer.post(`/v1/documents/${made.body.id}/retry`)
    await settled(issuer, made.body.id, ['accepted'])
  })

  it('200 takes the last word about a queued document', async () => {
    const made = await issuer.create(FACTURA)
    await script(made.body.id, { status: 'rejected' })
    await script(made.body.id, { status: 'reparo' })
    expect((await settled(issuer, made.body.id)).body.status).toBe('reparo')
  })

  it('409 document_already_settled after settlement, and for `failed` once it was sent', async () => {
    const { body } = await issue(issuer, FACTURA)
    for (const status of ['accepted', 'rejected', 'failed']) {
      const sent = await script(body.id, { status })
      expect([sent.status, sent.body.error.code]).toEqual([409, 'document_already_settled'])
    }
    const slow = await issuer.create(SLOW)
    await settled(issuer, slow.body.id, ['sent'])
    const sent = await script(slow.body.id, { status: 'failed' })
    expect([sent.status, sent.body.error.code]).toEqual([409, 'document_already_settled'])
  })

  it('404 document_not_found for an id of nobody', async () => {
    const sent = await script('doc_none', { status: 'accepted' })
    expect([sent.status, sent.body.error.code]).toEqual([404, 'document_not_found'])
  })

  it('400 invalid_field for a status that no script can ask for', async () => {
    const made = await issuer.create(FACTURA)
    const sent = await script(made.body.id, { status: 'annulled' })
    expect([sent.status, sent.body.error.param]).toEqual([400, 'status'])
  })
})
