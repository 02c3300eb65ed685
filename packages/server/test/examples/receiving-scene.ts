// What suppliers send: answered, paid, set aside.

import { BREAD, SUPPLIER } from './cast.ts'
import type { Recorder } from './recorder.ts'
import type { Tenant } from './tenant.ts'

const FLOUR = [{ description: 'Harina panadera, saco de 25 kg', quantity: 20, unit_price: 18_900 }]

export function scenesOfReceiving(film: Recorder, { key, rut }: Tenant) {
  const by = { key, empresa: rut }
  const received = (document: object, more: object = {}) =>
    film.play('test_helpers.received_documents.create', {
      ...by,
      body: {
        document: { tipo_dte: 33, emisor: SUPPLIER, payment: { form: 'credit' }, items: FLOUR, ...document },
        ...more,
      },
    })

  async function answer(): Promise<string> {
    const id: string = (await received({ folio: 8120 })).body.id
    const params = { received_document_id: id }
    await film.play('received_documents.get', { ...by, params })
    await film.play('received_documents.list', { ...by, query: { status: 'pending' } })
    await film.play('received_documents.export', by)
    await film.play('received_documents.xml', { ...by, params })
    await film.play('received_documents.pdf', { ...by, params })
    await film.play('payables.list', by)
    await film.play('payables.export', by)
    const paid = await film.play('received_documents.payments.create', {
      ...by,
      params,
      body: { amount: 200_000, method: 'transfer', note: 'Transferencia 88213' },
    })
    await film.play('received_documents.payments.list', { ...by, params })
    await film.play('received_documents.payments.delete', { ...by, params: { ...params, payment_id: paid.body.id } })
    await film.play('received_documents.acknowledge_receipt', {
      ...by,
      params,
      body: { place: 'Av. Irarrázaval 2401, Ñuñoa', person_rut: '12345678-5' },
    })
    await film.play('received_documents.accept', { ...by, params })
    const refused = { received_document_id: (await received({ folio: 8121, items: BREAD })).body.id }
    await film.play('received_documents.reject', {
      ...by,
      params: refused,
      body: { code: 'RCD', reason: 'Los productos no corresponden al pedido' },
    })
    return id
  }

  /** A document that nobody could prove to be its emisor's, and the better one that took its place. */
  async function replace(): Promise<void> {
    const first = await received({ folio: 8130 }, { certificate: 'self_signed' })
    await received({ folio: 8130 }, { certificate: 'of_emisor' })
    await film.play('received_documents.replaced', { ...by, params: { received_document_id: first.body.id } })
  }

  /** A file whose signature has expired, which a person lets in, and one that nobody can read. */
  async function setAside(): Promise<void> {
    const path = '/v1/test_helpers/received_documents'
    const late = { tipo_dte: 33, emisor: SUPPLIER, folio: 8140, items: FLOUR }
    await film.world.post(path, { ...by, body: { document: late, certificate: 'expired' } })
    const listed = await film.play('received_documents.quarantine.list', { ...by, query: { status: 'quarantined' } })
    const params = { quarantined_file_id: listed.body.data[0].id }
    await film.play('received_documents.quarantine.get', { ...by, params })
    await film.play('received_documents.quarantine.file', { ...by, params })
    await film.play('received_documents.quarantine.release', { ...by, params })
    await film.world.post(path, { ...by, body: { xml: Buffer.from('<DTE>').toString('base64') } })
    const { data } = (await film.world.get('/v1/received_documents/quarantine?status=quarantined', by)).body
    await film.play('received_documents.quarantine.discard', { ...by, params: { quarantined_file_id: data[0].id } })
  }

  return { answer, replace, setAside }
}
