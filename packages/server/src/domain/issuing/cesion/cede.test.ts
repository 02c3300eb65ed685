import { parseXml, readAec, verifySignatures } from '@timbre/dte'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaFault } from '../../../../../dte/test/support/envelope-xsd.ts'
import { describeWithReference } from '../../../../../dte/test/support/shared.ts'
import { headingOf, issue, journal, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ quick: true })
  issuer = await openIssuer(world, { empresa: { contact_email: 'cobranza@example.cl' } })
})
afterAll(() => world.close())

const CESIONARIO = {
  rut: '78901234-2',
  legal_name: 'Factoring Ñuble & Asociados S.A.',
  address: { street: 'Huérfanos 1055', comuna: 'Santiago' },
  email: 'operaciones@factoring.cl',
}
const [REFUSED, UNKNOWN_DOCUMENT, SLOW] = ['77222201-7', '77222202-5', '77222203-3']
const cede = (id: string, more: object = {}, by = issuer) =>
  by.post(`/v1/documents/${id}/cede`, { cesionario: CESIONARIO, ...more })
const read = async (id: string) => issuer.get(`/v1/documents/${id}`)
const cesionIs = (id: string, status: string) =>
  until(`the cesión of ${id} to be ${status}`, async () => {
    const sent = await read(id)
    return sent.body.cesion.status === status && sent
  })
const jobIs = (id: string, status: string) =>
  until(`${id} to be ${status}`, async () => {
    const sent = await world.get(`/v1/jobs/${id}`, { key: issuer.key })
    return sent.body.status === status && sent
  })
const cesionEvents = async (id: string) =>
  (await told(world, id)).filter(({ type }) => type.startsWith('document.cesion'))
async function aecOf(document_id: string): Promise<Buffer> {
  const [row] = await world.db.sql<{ aec: Buffer }>`
    select aec from cesion where document_id = ${document_id} order by created_at desc limit 1`
  if (!row?.aec) throw new Error(`no AEC of ${document_id}`)
  return row.aec
}

describe('GET /v1/documents/{document_id}/aec', () => {
  it('409 artifact_not_ready while the AEC is not signed, with when to ask again', async () => {
    const { body } = await issue(issuer, FACTURA)
    await cede(body.id)
    await cesionIs(body.id, 'confirmed')
    // As between the request and the signature, which no call can be sure to hit.
    await world.db.sql`update cesion set aec = null where document_id = ${body.id}`
    const sent = await issuer.get(`/v1/documents/${body.id}/aec`)
    expect([sent.status, sent.body.error.code]).toEqual([409, 'artifact_not_ready'])
    expect([sent.headers['retry-after'], sent.headers['svc-poll-after']]).toEqual(['1', '1'])
  })
})

describe('POST /v1/documents/{document_id}/cede', () => {
  it('202 is a job that ends when the register has the cesión; the document, its events and its journal tell', async () => {
    const { body } = await issue(issuer, FACTURA)
    expect(body.cesion).toMatchObject({ cedible: true, status: null, id: null, cesionario: null, amount: null })
    expect((await issuer.get('/v1/documents/doc_none/aec')).body.error.code).toBe('document_not_found')
    const none = await issuer.get(`/v1/documents/${body.id}/aec`)
    expect([none.status, none.body.error.code]).toEqual([409, 'artifact_not_available'])
    expect(none.body.error.message).toContain('never ceded')
    const sent = await cede(body.id, { amount: 5_000, due_date: '2030-01-31' })
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ object: 'job', type: 'document_cesion', empresa: issuer.rut, status: 'queued' })

    const confirmed = await cesionIs(body.id, 'confirmed')
    const { cesion } = confirmed.body
    expect(cesion).toEqual({
      cedible: true,
      status: 'confirmed',
      id: expect.stringMatching(/^ces_/),
      cesionario: { rut: CESIONARIO.rut, legal_name: CESIONARIO.legal_name },
      amount: 5_000,
      due_date: '2030-01-31',
      track_id: expect.stringMatching(/^\d+$/),
      estado: 'EOK',
      glosa: 'Envio Aceptado',
      explanation: null,
      failure: null,
      submitted_at: expect.stringMatching(/Z$/),
      settled_at: expect.stringMatching(/Z$/),
    })
    const file = await issuer.get(`/v1/documents/${body.id}/aec`)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/xml'])
    expect(file.headers['content-disposition']).toContain(`${issuer.rut}-T33-F${body.folio}-AEC.xml`)
    const aec = await aecOf(body.id)
    expect(file.bytes.subarray(-aec.length)).toEqual(aec)
    const job = await jobIs(sent.body.id, 'succeeded')
    const { id: cesion_id, track_id } = cesion
    expect(job.body.result).toEqual({ cesion_id, document_id: body.id, track_id, estado: 'EOK' })

    const events = await cesionEvents(body.id)
    expect(types(events)).toEqual(['document.cesion_submitted', 'document.cesion_confirmed'])
    expect(events[1]?.object).toBe(headingOf(confirmed))
    expect(events[0]?.data.previous_attributes).toEqual({
      cesion: {
        ...cesion,
        status: 'queued',
        track_id: null,
        estado: null,
        glosa: null,
        submitted_at: null,
        settled_at: null,
      },
    })
    expect(events[1]?.data.previous_attributes).toEqual({ cesion: events[0]?.data.object.cesion })
    const { id: _, cesionario, amount, due_date } = cesion
    expect(events[1]?.data.detail).toEqual({ cesion: cesion_id, cesionario, amount, due_date, track_id })
    const lines = await journal(issuer, body.id)
    expect(types(lines).slice(-2)).toEqual(types(events))
    expect(confirmed.body.status).toBe('accepted')
    const used = await world.db.sql`
      select tipo_dte, quantity from usage_record where kind = 'document_ceded' and subject_id = ${body.id}`
    expect(used).toEqual([{ tipo_dte: 33, quantity: 1 }])
  })

  it('is failed by the register, in its words and ours, and may then be tried again', async () => {
    const { body } = await issue(issuer, FACTURA)
    const sent = await cede(body.id, { cesionario: { ...CESIONARIO, rut: REFUSED } })
    const failed = await cesionIs(body.id, 'failed')
    expect(failed.body.cesion).toMatchObject({
      estado: 'RCS',
      glosa: 'Rechazado por Error en Cesiones',
      explanation: { code: 'cesion_invalid', field: 'cesionario', message: expect.stringContaining('cesión') },
      failure: { code: 'cesion_invalid' },
    })
    const job = await jobIs(sent.body.id, 'failed')
    expect(job.body.error).toEqual(failed.body.cesion.failure)
    const events = await cesionEvents(body.id)
    expect(types(events)).toEqual(['document.cesion_submitted', 'document.cesion_failed'])
    expect(events[1]?.object).toBe(headingOf(failed))
    expect(events[1]?.data.detail.failure).toEqual(failed.body.cesion.failure)

    const again = await cede(body.id)
    expect(again.status).toBe(202)
    await cesionIs(body.id, 'confirmed')
    const submitted = (await cesionEvents(body.id))[2]
    const { status, failure, explanation } = submitted?.data.previous_attributes.cesion ?? {}
    expect({ status, failure, explanation }).toEqual({ status: 'queued', failure: null, explanation: null })
    const third = await cede(body.id)
    expect(third.body.error.details.reasons.map(({ code }: { code: string }) => code)).toEqual(['already_ceded'])
  })

  it('is failed by a register that does not know the document', async () => {
    const { body } = await issue(issuer, FACTURA)
    await cede(body.id, { cesionario: { ...CESIONARIO, rut: UNKNOWN_DOCUMENT } })
    expect((await cesionIs(body.id, 'failed')).body.cesion.explanation.code).toBe('cesion_document_invalid')
  })

  it('waits as long as the register takes, by the clock of the account', async () => {
    const by = await openIssuer(world, { empresa: { contact_email: 'a@example.cl' } })
    const { body } = await issue(by, FACTURA)
    const clock = (change: Parameters<typeof moveClock>[2]) => moveClock(world, by.key, change)
    await clock({ advance: 'PT1S' })
    const status = async () => (await by.get(`/v1/documents/${body.id}`)).body.cesion.status
    const now = (await world.get('/v1/test_helpers/clock', { key: by.key })).body
    await clock({ frozen_time: new Date(Date.parse(now.now) + 5_000).toISOString() })
    await cede(body.id, { cesionario: { ...CESIONARIO, rut: SLOW } }, by)
    await until('it to be submitted', async () => (await status()) === 'submitted')
    await clock({ advance: 'PT9S' })
    expect(await status()).toBe('submitted')
    await clock({ advance: 'PT1S' })
    expect(await status()).toBe('confirmed')
    const [submitted, confirmed] = await cesionEvents(body.id)
    expect((confirmed?.created_at.getTime() ?? 0) - (submitted?.created_at.getTime() ?? 0)).toBe(10_000)
  })

  it('is replayed under its Idempotency-Key instead of being refused as a second one', async () => {
    const { body } = await issue(issuer, FACTURA)
    const request = { headers: { 'idempotency-key': 'cede-una-vez' } }
    const path = `/v1/documents/${body.id}/cede`
    const first = await issuer.post(path, { cesionario: CESIONARIO }, request)
    const second = await issuer.post(path, { cesionario: CESIONARIO }, request)
    expect([second.status, second.text, second.headers['svc-idempotent-replay']]).toEqual([202, first.text, 'true'])
  })

  it('takes a document with it when its sandbox empresa is deleted', async () => {
    const by = await openIssuer(world, { empresa: { contact_email: 'a@example.cl' } })
    const { body } = await issue(by, FACTURA)
    await cede(body.id, {}, by)
    await world.delete(`/v1/empresas/${by.empresa_id}`, { key: by.key })
    const rows = await world.db.sql`select 1 from cesion where document_id = ${body.id}`
    expect(rows).toEqual([])
  })
})

describeWithReference('the AEC that goes to the register', () => {
  const long = (words: string) => words.repeat(10).slice(0, 100).trim()
  const cases: readonly [string, object, object][] = [
    ['with nothing but what is needed', {}, {}],
    [
      'with all there is',
      {},
      {
        amount: 1,
        conditions: 'Sin responsabilidad por el pago del deudor.',
        debtor_email: 'deudor@example.cl',
        contact: { name: 'María Núñez', phone: '+56 2 2345 6789', email: 'cesiones@example.cl' },
      },
    ],
    [
      'with names too long for the sworn statement',
      { receptor: { ...RECEPTOR, legal_name: long('Sociedad Ñandú ') } },
      {
        cesionario: {
          ...CESIONARIO,
          legal_name: long('Compañía de Factoring '),
          address: {
            street: 'Avenida Libertador Bernardo O’Higgins'.replace('’', "'").padEnd(70, ' 1'),
            comuna: 'Estación Central',
            city: 'Santiago',
          },
        },
      },
    ],
  ]
  for (const [title, document, more] of cases) {
    it(`is valid by the official schema and every signature in it holds: ${title}`, async () => {
      const sent = await issue(issuer, { ...FACTURA, ...document })
      await cede(sent.body.id, more)
      await cesionIs(sent.body.id, 'confirmed')
      const aec = await aecOf(sent.body.id)
      expect(schemaFault(aec.toString('latin1'), 'AEC_v10.xsd')).toBeNull()
      const parsed = parseXml(aec)
      if (!parsed.ok) throw new Error(parsed.refusal.message)
      const checked = verifySignatures(parsed.value)
      expect(checked.ok && checked.value.map(({ refusal }) => refusal)).toEqual([null, null, null, null])
      const read = readAec(aec)
      if (!read.ok) throw new Error(read.refusal.message)
      expect(read.value).toMatchObject({
        ceded: { tipo_dte: 33, folio: sent.body.folio, emisor_rut: issuer.rut, total: sent.body.totals.total },
        cesiones: 1,
      })
    })
  }

  it('carries the factura byte for byte, and what was asked for', async () => {
    const { body } = await issue(issuer, FACTURA)
    await cede(body.id, { amount: 4_321, due_date: '2031-12-31' })
    await cesionIs(body.id, 'confirmed')
    const aec = (await aecOf(body.id)).toString('latin1')
    const xml = await storedXml(world, body.id)
    const dte = xml?.toString('latin1') ?? ''
    expect(aec).toContain(dte.slice(dte.indexOf('<DTE')).trimEnd())
    expect(aec).toContain('<MontoCesion>4321</MontoCesion><UltimoVencimiento>2031-12-31</UltimoVencimiento>')
    expect(aec).toContain('<RUTAutorizado><RUT>11111111-1</RUT><Nombre>Firmante de Prueba</Nombre></RUTAutorizado>')
    expect(aec).toContain('<eMail>cobranza@example.cl</eMail>')
  })
})
