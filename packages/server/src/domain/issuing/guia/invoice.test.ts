import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { openWorld, type Sent, type World } from '../../../../test/support/world.ts'
import { newId } from '../../../kernel/id.ts'

let world: World
let issuer: Issuer
let folios = 0
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const LINE = { description: 'Saco de harina', quantity: 1, unit_price: 1_350 }

/** A guía that the SII took. */
async function guia(body: object = {}, status = 'accepted', by = issuer): Promise<{ id: string; folio: number }> {
  const sent = await by.create({ tipo_dte: 52, receptor: RECEPTOR, items: [LINE], ...body })
  expect(sent.status, sent.text).toBe(201)
  const folio = ++folios
  await world.db.sql`update document set status = ${status}, folio = ${folio} where id = ${sent.body.id}`
  return { id: sent.body.id, folio }
}

const invoice = (guia_ids: readonly string[], more: object = {}, by = issuer) =>
  by.post('/v1/documents/invoice_guias', { guia_ids, ...more }, { headers: { 'idempotency-key': randomUUID() } })
const waiting = async () =>
  (await issuer.get('/v1/documents?invoiced=false')).body.data.map(({ id }: { id: string }) => id)
const refusal = ({ status, body }: Sent) => [status, body.error?.code, body.error?.details?.reason]

describe('POST /v1/documents/invoice_guias', () => {
  it('201 is one factura with the lines of each and a reference to each, and they wait no more', async () => {
    const [one, two] = [await guia(), await guia({ items: [LINE, { ...LINE, description: 'Flete', exempt: true }] })]
    expect(await waiting()).toEqual([two.id, one.id])
    const order = { document_type: '801', folio: 'OC-9', date: '2026-01-05' }
    const sent = await invoice([one.id, two.id], {
      payment: { form: 'credit' },
      references: [order],
      external_id: 'f-1',
    })
    expect(sent.status, sent.text).toBe(201)
    // Each guía: net 1.350, IVA 256,5 → 257. The factura: net 2.700, IVA 513 and not 514, for it is rounded once (SII,
    // Formato DTE v2.4.2, Totales); exempt 1.350. Total 2.700 + 513 + 1.350 = 4.563.
    expect(sent.body).toMatchObject({
      tipo_dte: 33,
      external_id: 'f-1',
      totals: { net: 2_700, iva: 513, exempt: 1_350, total: 4_563 },
      receptor: { rut: RECEPTOR.rut, sources: { giro: 'earlier_document' } },
    })
    const { body } = await issuer.get(`/v1/documents/${sent.body.id}`)
    expect(body.items.map(({ description }: { description: string }) => description)).toEqual([
      'Saco de harina',
      'Saco de harina',
      'Flete',
    ])
    expect(body.references).toMatchObject([
      { tipo_dte: 52, folio: String(one.folio) },
      { tipo_dte: 52, folio: String(two.folio) },
      { document_type: '801', folio: 'OC-9' },
    ])
    expect(await waiting()).toEqual([])
    const done = (await issuer.get('/v1/documents?invoiced=true')).body.data
    expect(done.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id])
  })

  it('201 is a tipo 34 where no line carries IVA', async () => {
    const { id } = await guia({ items: [{ ...LINE, exempt: true }] })
    expect((await invoice([id])).body).toMatchObject({ tipo_dte: 34, totals: { iva: 0, exempt: 1_350, total: 1_350 } })
  })

  it('409 guia_not_invoiceable names the guía and why', async () => {
    const good = await guia()
    const other = { ...RECEPTOR, rut: '76192083-9' }
    const cases: [string, string][] = [
      ['other_receptor', (await guia({ receptor: other })).id],
      ['status', (await guia({}, 'sent')).id],
      ['not_a_sale', (await guia({ dispatch: { transfer_type: 6 } })).id],
      [
        'no_price',
        (await guia({ items: [{ description: 'Envases', quantity: 3 }], dispatch: { transfer_type: 2 } })).id,
      ],
      ['other_prices', (await guia({ gross_prices: true })).id],
      ['tipo', (await issuer.create(FACTURA)).body.id],
    ]
    for (const [reason, id] of cases) {
      const sent = await invoice([good.id, id])
      expect(refusal(sent)).toEqual([409, 'guia_not_invoiceable', reason])
      expect([sent.body.error.param, sent.body.error.details.guia]).toEqual(['guia_ids[1]', id])
    }
    expect(await waiting()).toContain(good.id)
  })

  it('400 invalid_field for one that is there twice, one of another empresa, and more lines than a factura has', async () => {
    const { id } = await guia()
    const stranger = await openIssuer(world, { account: issuer.account })
    const foreign = await guia({}, 'accepted', stranger)
    for (const ids of [
      [id, id],
      [id, foreign.id],
      [id, 'doc_nothing'],
    ]) {
      const sent = await invoice(ids)
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', 'guia_ids[1]'])
    }
    const long = await guia({ items: Array(60).fill(LINE) })
    expect((await invoice([id, long.id])).body.error).toMatchObject({ code: 'invalid_field', param: 'guia_ids' })
  })

  it('never invoices one twice, however close the requests come, nor by a factura that names it', async () => {
    const [one, two] = [await guia(), await guia()]
    const named = { ...FACTURA, references: [{ tipo_dte: 52, folio: one.folio, date: '2026-01-05' }] }
    const sent = await Promise.all([invoice([one.id, two.id]), invoice([two.id, one.id]), issuer.create(named)])
    const made = sent.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const one of sent.filter(({ status }) => status !== 201)) {
      expect(refusal(one)).toEqual([409, 'guia_not_invoiceable', 'already_invoiced'])
    }
    const again = await issuer.create(named)
    expect(refusal(again)).toEqual([409, 'guia_not_invoiceable', 'already_invoiced'])
    expect(again.body.error.existing_id).toBe(made[0]?.body.id)
    const preview = await issuer.post('/v1/documents/previews', named)
    expect(refusal(preview)).toEqual([409, 'guia_not_invoiceable', 'already_invoiced'])
  })

  it('invoices the one that a factura names, however it writes the tipo, the folio and the emisor', async () => {
    const { id, folio } = await guia()
    const naming = (reference: object) =>
      issuer.create({ ...FACTURA, references: [{ date: '2026-01-05', ...reference }] })
    expect((await naming({ document_type: '52', folio: ` ${folio}` })).status).toBe(201)
    expect(await waiting()).not.toContain(id)
    for (const reference of [
      { tipo_dte: 52, folio: `0${folio}\u00a0` },
      { tipo_dte: 52, folio, emisor_rut: issuer.rut },
    ]) {
      expect(refusal(await naming(reference))).toEqual([409, 'guia_not_invoiceable', 'already_invoiced'])
    }
  })

  it('waits again when its factura fails; whoever tries that again finds it taken or takes it back', async () => {
    const { id } = await guia()
    const { body: first } = await invoice([id])
    const fail = async (factura: string) => {
      const sent = await issuer.post(`/v1/test_helpers/documents/${factura}/estado`, { status: 'failed' })
      expect(sent.body.status, sent.text).toBe('failed')
    }
    await fail(first.id)
    expect(await waiting()).toContain(id)
    const { body: second } = await invoice([id])
    const retried = await issuer.post(`/v1/documents/${first.id}/retry`)
    expect(refusal(retried)).toEqual([409, 'guia_not_invoiceable', 'already_invoiced'])
    await fail(second.id)
    expect((await issuer.post(`/v1/documents/${first.id}/retry`)).status).toBe(200)
    expect(await waiting()).not.toContain(id)
  })

  it('refuses what POST /documents refuses: an external_id again, a tipo not declared, half a receptor', async () => {
    const own = await openIssuer(world)
    expect((await own.create({ ...FACTURA, external_id: 'f-9' })).status).toBe(201)
    const { id } = await guia({}, 'accepted', own)
    const again = await invoice([id], { external_id: 'f-9' }, own)
    expect(refusal(again).slice(0, 2)).toEqual([409, 'external_id_exists'])
    const few = await openIssuer(world, { empresa: { doc_types: [52] } })
    const sent = await invoice([(await guia({}, 'accepted', few)).id], {}, few)
    expect(refusal(sent).slice(0, 2)).toEqual([422, 'tipo_not_declared'])
    const alone = await openIssuer(world)
    const half = await guia({}, 'accepted', alone)
    await world.db.sql`update document set draft = (draft::jsonb #- '{receptor,giro}')::json where id = ${half.id}`
    const lacking = await invoice([half.id], {}, alone)
    expect([...refusal(lacking).slice(0, 2), lacking.body.error.param]).toEqual([
      400,
      'receptor_incomplete',
      'receptor.giro',
    ])
  })

  it('422 empresa_not_emitting, then empresa_incomplete, for a live empresa that cannot emit a factura', async () => {
    const account = await world.account({ plan: 'house' })
    const live = await openIssuer(world, { mode: 'live', account })
    const { id: copied } = await guia()
    const id = newId('document')
    const whose = { id, account_id: account, empresa_id: live.empresa_id, mode: 'live' }
    await world.db.sql`
      insert into document select (jsonb_populate_record(d, ${JSON.stringify(whose)}::jsonb)).*
      from document d where d.id = ${copied}`
    expect(refusal(await invoice([id], {}, live)).slice(0, 2)).toEqual([422, 'empresa_not_emitting'])
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = doc_types, certificate_until = '2099-01-01' where id = ${live.empresa_id}`
    world.app.cache.invalidate(account)
    expect(refusal(await invoice([id], {}, live)).slice(0, 2)).toEqual([422, 'empresa_incomplete'])
  })
})
