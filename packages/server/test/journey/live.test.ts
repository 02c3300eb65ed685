import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localRateLimiter } from '../../src/kernel/rate-limit.ts'
import { mailReceiver } from '../../src/worker/receive-mail.ts'
import { type LiveEmpresa, type LiveWorld, openLiveWorld } from '../support/live-world.ts'
import { skipYearBefore } from '../support/year-before.ts'

/**
 * A live empresa through HTTP alone, over the SII's own protocols: from its certificate and its folios to what the
 * registers of the SII say at the end. The SII is the simulator, another process, with a clock that moves with ours.
 */
let live: LiveWorld
let seller: LiveEmpresa
let buyer: LiveEmpresa
const kept = { claimed: '', ceded: '', annulled: '' }
const DAY = 86_400

beforeAll(async () => {
  live = await openLiveWorld()
  seller = await live.empresa({ folios: { 33: 5, 39: 5, 52: 2, 61: 2 } })
  buyer = await live.empresa({ account_id: seller.account_id })
  for (const { account_id, id, rut } of [seller, buyer]) {
    await skipYearBefore(live.world, { account: account_id, empresa_id: id, rut }, 'live')
  }
})
afterAll(() => live.close())

const period = () => live.now().toISOString().slice(0, 7)
const one = (description: string, unit_price: number) => [{ description, quantity: 1, unit_price }]
const receptor = () => ({
  rut: buyer.rut,
  legal_name: 'Compradora SpA',
  giro: 'Comercio',
  address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
})
const factura = (net: number) => ({
  tipo_dte: 33,
  receptor: receptor(),
  items: one('Resmas', net),
  payment: { form: 'credit' },
})

/** The XML of a document of the seller, as the seller's mail would bring it to the buyer. */
async function mailToBuyer(id: string): Promise<void> {
  const { sql } = live.world.db
  const receiver = mailReceiver({ sql, transactor: live.world.app.transactor, limiter: localRateLimiter() })
  const file = (await seller.get(`/documents/${id}/xml`)).bytes.toString('base64')
  const raw = Buffer.from(
    `Content-Type: application/xml\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${file}\r\n`,
  )
  const to = [`${buyer.rut}@recepcion.timbre.test`]
  await receiver.receive({ to, from: 'dte@vendedora.cl', address: '192.0.2.1', raw })
  await live.run()
}
async function receivedBy(folio: number): Promise<string> {
  const { body } = await buyer.get('/received_documents')
  return body.data.find((one: { folio: number }) => one.folio === folio).id
}

describe('a live empresa', () => {
  it('has facturas accepted that went together in one envelope', async () => {
    const ids: string[] = []
    for (const net of [100_000, 50_000, 30_000]) ids.push(await seller.issue(factura(net)))
    await live.advance(20)
    const documents = await Promise.all(ids.map(seller.document))
    const [track_id] = documents.map(({ sii }) => sii.track_id)
    for (const document of documents) expect(document).toMatchObject({ status: 'accepted', sii: { track_id } })
    expect(await live.simulator.uploadsOf(seller.rut)).toMatchObject([{ kind: 'EnvioDTE', track_id }])
    expect(await live.simulator.documentsOf(seller.rut)).toHaveLength(3)
    ;[kept.claimed, kept.ceded, kept.annulled] = ids as [string, string, string]
  })

  it('has boletas accepted by the road of their own', async () => {
    const ids = [11_900, 5_950].map((gross) => seller.issue({ tipo_dte: 39, items: one('Pan', gross) }))
    const [first, second] = await Promise.all(ids)
    await live.advance(20)
    for (const id of [first, second]) expect(await seller.document(id as string)).toMatchObject({ status: 'accepted' })
    const uploads = await live.simulator.uploadsOf(seller.rut)
    expect(uploads.map(({ kind }) => kind)).toEqual(['EnvioDTE', 'EnvioBOLETA'])
  })

  it('annuls a factura by a nota de crédito, once the SII says that it is annulled', async () => {
    const note = await seller.post(`/documents/${kept.annulled}/credit_note`, { code: 1, reason: 'Anula' })
    expect([note.status, note.text]).toEqual([201, expect.any(String)])
    await live.advance(5)
    expect(await seller.document(kept.annulled)).toMatchObject({ status: 'accepted' })
    await live.advance(60)
    expect(await seller.document(note.body.id)).toMatchObject({ status: 'accepted' })
    expect(await seller.document(kept.annulled)).toMatchObject({ status: 'annulled' })
  })

  it('has a guía de despacho accepted', async () => {
    const dispatch = { dispatch_type: 1, transfer_type: 1 }
    const id = await seller.issue({ tipo_dte: 52, receptor: receptor(), items: one('Resmas', 20_000), dispatch })
    await live.advance(20)
    expect(await seller.document(id)).toMatchObject({ status: 'accepted' })
  })

  it('sees what its client said at the SII: one factura claimed, another accepted', async () => {
    for (const id of [kept.claimed, kept.ceded]) await mailToBuyer(id)
    const claimed = await seller.document(kept.claimed)
    const accepted = await seller.document(kept.ceded)
    const claim = { code: 'RFT', reason: 'Faltó todo' }
    const rejected = await buyer.post(`/received_documents/${await receivedBy(claimed.folio)}/reject`, claim)
    expect([rejected.status, rejected.body.status]).toEqual([200, 'rejected'])
    const taken = await buyer.post(`/received_documents/${await receivedBy(accepted.folio)}/accept`)
    expect([taken.status, taken.body.status]).toEqual([200, 'accepted'])
    await live.advance(DAY + 60)
    expect((await seller.document(kept.claimed)).receptor_response).toMatchObject({
      status: 'claimed',
      basis: 'sii',
      answers: [{ action: 'claimed', code: 'RFT', signer_rut: expect.any(String) }],
    })
    expect((await seller.document(kept.ceded)).receptor_response).toMatchObject({ status: 'accepted', basis: 'sii' })
    expect((await seller.post(`/documents/${kept.claimed}/cesion`)).body).toMatchObject({ cedible: false })
  })

  it('cedes the factura that was accepted, and the register confirms it', async () => {
    const asked = await seller.post(`/documents/${kept.ceded}/cesion`)
    expect(asked.body).toMatchObject({ cedible: true, amount: 59_500 })
    const cesionario = {
      rut: '76192083-9',
      legal_name: 'Factoring del Sur S.A.',
      address: { street: 'Moneda 1000', comuna: 'Santiago' },
      email: 'cesiones@factoring.cl',
    }
    const sent = await seller.post(`/documents/${kept.ceded}/cede`, { cesionario })
    expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
    await live.advance(120)
    expect(await seller.job(sent.body.id)).toMatchObject({ status: 'succeeded' })
    expect((await seller.document(kept.ceded)).cesion).toMatchObject({
      status: 'confirmed',
      estado: 'EOK',
      track_id: expect.any(String),
      cesionario: { rut: cesionario.rut },
    })
  })

  it('reads in the registers of the SII what it sold, and its client what it bought', async () => {
    for (const [empresa, counted] of [
      [seller, { purchases: 0, sales: 5 }],
      [buyer, { purchases: 4, sales: 0 }],
    ] as const) {
      const asked = await empresa.post('/tax/sync', { period: period() })
      expect([asked.status, asked.text]).toEqual([202, expect.any(String)])
      await live.run()
      expect(await empresa.job(asked.body.id)).toMatchObject({ status: 'succeeded', result: counted })
    }
    type Entry = { tipo_doc: number; folio: number | null; total: number; estado_contable: string }
    const sales = (await seller.get(`/tax/sales?period=${period()}`)).body.data as Entry[]
    expect(sales.map(({ tipo_doc, folio, total }) => [tipo_doc, folio, total]).sort()).toEqual([
      [33, 1, 119_000],
      [33, 2, 59_500],
      [33, 3, 35_700],
      // Boletas come as one line.
      [39, null, 17_850],
      [61, 1, 35_700],
    ])
    const purchases = (await buyer.get(`/tax/purchases?period=${period()}`)).body.data as Entry[]
    const states = purchases.map(({ tipo_doc, folio, estado_contable }) => [tipo_doc, folio, estado_contable])
    expect(states.sort()).toEqual([
      [33, 1, 'RECLAMADO'],
      [33, 2, 'REGISTRO'],
      [33, 3, 'PENDIENTE'],
      [61, 1, 'REGISTRO'],
    ])
  })

  it('has its F29 proposed from them, every figure as worked out by hand', async () => {
    const { body } = await seller.get(`/tax/f29/proposals/${period()}`)
    const codes = Object.fromEntries(body.codes.map((one: { code: number; amount: number }) => [one.code, one.amount]))
    expect(codes).toMatchObject({
      // Three facturas: 19.000 + 9.500 + 5.700. That one was claimed changes nothing for who sold.
      503: 3,
      502: 34_200,
      // Two boletas: 1.900 + 950.
      110: 2,
      111: 2_850,
      // The nota de crédito.
      509: 1,
      510: 5_700,
      538: 31_350,
    })
    expect(body).toMatchObject({ status: 'open', total: 31_350, sii_read_at: null, differences: [] })
    // The certificate is of a person, and the SII shows its own proposal to the company alone.
    expect(body.warnings).toContainEqual(
      expect.objectContaining({ code: 'sii_proposal_not_shown', blocks_filing: false }),
    )
  })
})
