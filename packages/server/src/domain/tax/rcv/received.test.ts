import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, RECEPTOR } from '../../../../test/support/issuer.ts'
import { openRegister } from '../../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('what suppliers send in test mode', () => {
  it('waits in PENDIENTE with the id of the received document, and counts once it is accepted', async () => {
    const register = await openRegister(world)
    const document = {
      emisor: { rut: '77123456-9', legal_name: 'Proveedora Ñuble SpA' },
      tipo_dte: 33,
      items: [{ description: 'Harina', quantity: 1, unit_price: 1000 }],
    }
    const received = await register.post('/v1/test_helpers/received_documents', { document })
    expect(received.status).toBe(201)
    const period = received.body.issue_date.slice(0, 7)
    const entry = async () => (await register.get(`/v1/tax/purchases?period=${period}`)).body.data[0]
    await register.sync(period)
    const waiting = { estado_contable: 'PENDIENTE', received_document_id: received.body.id, total: 1190 }
    expect(await entry()).toMatchObject(waiting)
    await register.post(`/v1/received_documents/${received.body.id}/accept`)
    await register.sync(period)
    expect(await entry()).toMatchObject({ ...waiting, estado_contable: 'REGISTRO' })
  })

  it('counts once it is accepted also when it was characterized, or left out and brought back, while it waited', async () => {
    const register = await openRegister(world)
    const received: { id: string; issue_date: string; folio: number }[] = []
    for (let i = 0; i < 3; i++) {
      const document = {
        tipo_dte: 33,
        emisor: { rut: RECEPTOR.rut },
        items: FACTURA.items,
        payment: { form: 'credit' },
      }
      received.push((await register.post('/v1/test_helpers/received_documents', { document })).body)
    }
    const period = (received[0]?.issue_date ?? '').slice(0, 7)
    const entries = async () => (await register.get(`/v1/tax/purchases?period=${period}`)).body.data
    const told = async () => (await entries()).every((one: { pending_at_sii: boolean }) => !one.pending_at_sii)
    await register.sync(period)
    const [one, other, third] = await entries()
    await register.post(`/v1/tax/purchases/${one.id}/characterize`, { tipo_compra: 4 })
    for (const { id } of [other, third]) {
      await register.post(`/v1/tax/purchases/${id}/estado_contable`, { estado_contable: 'NO_INCLUIR' })
    }
    await expect.poll(told).toBe(true)
    await register.sync(period)
    await register.post(`/v1/tax/purchases/${other.id}/estado_contable`, { estado_contable: 'PENDIENTE' })
    await expect.poll(told).toBe(true)
    for (const { id } of received) await register.post(`/v1/received_documents/${id}/accept`)
    await register.post(`/v1/tax/purchases/${third.id}/characterize`, { tipo_compra: 2 })
    await expect.poll(told).toBe(true)
    await register.sync(period)
    const stands = (await entries()).map((entry: { estado_contable: string }) => entry.estado_contable)
    expect(stands).toEqual(['REGISTRO', 'REGISTRO', 'REGISTRO'])
  })

  it('is no document of ours, though the supplier is a client too and the folio is the same', async () => {
    const register = await openRegister(world)
    const issued = await register.create(FACTURA)
    const accepted = async () => (await register.get(`/v1/documents/${issued.body.id}`)).body
    await expect.poll(async () => (await accepted()).status).toBe('accepted')
    const { folio, issue_date } = await accepted()
    const document = { tipo_dte: 33, folio, emisor: { rut: RECEPTOR.rut }, items: FACTURA.items }
    const received = await register.post('/v1/test_helpers/received_documents', { document })
    expect(received.body.folio).toBe(folio)
    const period = issue_date.slice(0, 7)
    await register.sync(period)
    const [bought] = (await register.get(`/v1/tax/purchases?period=${period}`)).body.data
    expect([bought.received_document_id, bought.document_id]).toEqual([received.body.id, null])
    const [sold] = (await register.get(`/v1/tax/sales?period=${period}`)).body.data
    expect([sold.received_document_id, sold.document_id]).toEqual([null, issued.body.id])
  })

  it('is a sale when it is the factura de compra of a client, or a nota about one: only the IVA it left us is debit', async () => {
    const register = await openRegister(world)
    const emisor = { rut: RECEPTOR.rut, legal_name: 'Curtiembre Maipo SpA' }
    const receive = async (tipo_dte: number, unit_price: number, more: object = {}) => {
      const items = [{ description: 'Cueros', quantity: 1, unit_price, additional_tax: 15 }]
      const sent = await register.post('/v1/test_helpers/received_documents', {
        document: { tipo_dte, emisor, items, ...more },
      })
      expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
      return sent.body
    }
    const bought = await receive(46, 1000)
    const about = { tipo_dte: 46, folio: bought.folio, date: bought.issue_date, code: 3, reason: 'Menos cueros' }
    const nota = await receive(61, 400, { references: [about] })
    const period = bought.issue_date.slice(0, 7)
    await register.sync(period)
    const sales = (await register.get(`/v1/tax/sales?period=${period}`)).body.data
    // 1,000 and 190 of IVA that the buyer keeps to pay it itself (D.L. 825, art. 3); 400 and 76 come back.
    const shown = sales.map((one: Record<string, unknown>) => [
      one.tipo_doc,
      one.iva,
      one.total,
      one.received_document_id,
    ])
    expect(shown.sort()).toEqual([
      [46, 190, 1000, bought.id],
      [61, 76, 400, nota.id],
    ])
    expect((await register.get(`/v1/tax/purchases?period=${period}`)).body.data).toEqual([])
    expect((await register.get(`/v1/tax/summary?period=${period}`)).body.iva_debit).toBe(0)
  })
})
