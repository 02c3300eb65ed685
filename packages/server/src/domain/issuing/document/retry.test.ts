import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const retry = (id: string) => issuer.post(`/v1/documents/${id}/retry`)
const REFUSED_ONCE = { ...FACTURA, receptor: { ...RECEPTOR, rut: '77111113-0' } }

describe('POST /v1/documents/{document_id}/retry', () => {
  it('failed → queued: it is sent with the folio and the XML it already had, and told no more than that', async () => {
    const { body: failed } = await issue(issuer, REFUSED_ONCE, ['failed'])
    const xml = () => world.db.sql`select xml from document_xml where document_id = ${failed.id}`
    const signed = await xml()
    const sent = await retry(failed.id)
    expect(sent.status).toBe(200)
    expect(sent.body).toMatchObject({ status: 'queued', folio: failed.folio, failure: null })
    expect(sent.headers['svc-poll-after']).toBe('1')
    const { body } = await settled(issuer, failed.id, ['accepted'])
    expect(body.folio).toBe(failed.folio)
    expect(await xml()).toEqual(signed)
    expect(types(await journal(issuer, failed.id))).toEqual([
      'document.folio_allocated',
      'document.signed',
      'document.failed',
      'document.retried',
      'document.submitted',
      'document.accepted',
    ])
    expect(types(await told(world, failed.id))).toEqual([
      'document.created',
      'document.failed',
      'document.sent',
      'document.accepted',
    ])
  })

  it('409 document_not_failed for one that is queued and for one that is settled', async () => {
    const made = await issuer.create(FACTURA)
    const queued = await retry(made.body.id)
    expect([queued.status, queued.body.error.code]).toEqual([409, 'document_not_failed'])
    await settled(issuer, made.body.id)
    const accepted = await retry(made.body.id)
    expect([accepted.status, accepted.body.error.details]).toEqual([409, { status: 'accepted' }])
  })

  it('404 document_not_found for an id of nobody and for one of another empresa of the account', async () => {
    const beside = await openIssuer(world, { account: issuer.account })
    const { body } = await issue(beside, REFUSED_ONCE, ['failed'])
    for (const id of ['doc_none', body.id]) {
      const sent = await retry(id)
      expect([sent.status, sent.body.error.code]).toEqual([404, 'document_not_found'])
    }
    expect((await beside.get(`/v1/documents/${body.id}`)).body.status).toBe('failed')
  })

  it('409 document_not_creditable when another nota took the place of the one that failed', async () => {
    const { body: original } = await issue(issuer, FACTURA)
    const first = await issuer.post(`/v1/documents/${original.id}/credit_note`, {})
    await issuer.post(`/v1/test_helpers/documents/${first.body.id}/estado`, { status: 'failed' })
    const second = await issuer.post(`/v1/documents/${original.id}/credit_note`, {})
    expect(second.status, second.text).toBe(201)
    const sent = await retry(first.body.id)
    expect([sent.status, sent.body.error.code]).toEqual([409, 'document_not_creditable'])
    expect((await issuer.get(`/v1/documents/${first.body.id}`)).body.status).toBe('failed')
  })
})
