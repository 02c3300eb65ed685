import { santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { line, movementOf, openBankWorld, reviewed, tell } from '../../../../../test/support/bank-movements.ts'
import { type Buyer, openBuyer, SUPPLIER as SENDER } from '../../../../../test/support/buyer.ts'
import { plainCartola } from '../../../../../test/support/cartola-file.ts'
import { issue } from '../../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, RECEPTOR } from '../../../../../test/support/issuer.ts'
import { bought, ended, openRegister, PERIOD, SUPPLIER } from '../../../../../test/support/rcv-register.ts'
import type { World } from '../../../../../test/support/world.ts'
import { systemNow } from '../../../../kernel/clock.ts'

let world: World
beforeAll(async () => {
  world = await openBankWorld({ quick: true })
})
afterAll(() => world.close())

const TODAY = santiagoDate(new Date(systemNow()))
// 2 × 2.500 = 5.000; IVA 950; in all 5.950.
const TOTAL = 5_950

async function trust(whose: Issuer): Promise<void> {
  const key = await world.key(whose.account, { scopes: ['empresas:write'] })
  const path = `/v1/empresas/${whose.empresa_id}/automation_settings`
  await world.patch(path, { key, body: { apply_movement_matches: true } })
}

async function trusting(): Promise<Buyer> {
  const own = await openBuyer(world)
  await trust(own)
  return own
}

/** The match of a movement once there is one. */
async function matched(whose: Issuer, one: ReturnType<typeof line>) {
  const look = async () => (await movementOf(world, whose, one.external_id)).body.match
  await expect.poll(look).not.toBeNull()
  return look()
}

const issued = async (whose: Issuer, body: object): Promise<string> => (await issue(whose, body, ['accepted'])).body.id

describe('a movement that was reviewed before its document arrived is looked at again', () => {
  it('when a document of ours is accepted, and when several add up to it', async () => {
    const own = await trusting()
    const paid = { post_date: TODAY, description: 'TRANSFERENCIA', counterparty_rut: RECEPTOR.rut }
    const one = line({ ...paid, amount: TOTAL })
    const both = line({ ...paid, amount: TOTAL + 1_190, counterparty_rut: null, description: `DE ${RECEPTOR.rut}` })
    await tell(world, own, [one, both])
    const document_id = await issued(own, FACTURA)
    expect(await matched(own, one)).toMatchObject({ matched_by: 'review', targets: [{ document_id }] })
    await issued(own, FACTURA)
    await issued(own, { ...FACTURA, items: [{ description: 'Tinta', quantity: 1, unit_price: 1_000 }] })
    expect((await matched(own, both)).targets).toHaveLength(2)
  })

  it('when a supplier sends its document', async () => {
    const own = await trusting()
    const one = line({ post_date: TODAY, amount: -TOTAL, description: `PAGO ${SENDER.rut}` })
    await tell(world, own, [one])
    await own.receive()
    const { body } = await own.get('/v1/received_documents')
    expect(await matched(own, one)).toMatchObject({ targets: [{ received_document_id: body.data[0].id }] })
  })

  it('when the register brings its entry', async () => {
    const own = await openRegister(world)
    await trust(own)
    const one = line({ post_date: `${PERIOD}-20`, amount: -1_190, description: 'PAGO', counterparty_rut: SUPPLIER })
    await tell(world, own, [one])
    await own.seed({ purchases: [bought(7)] })
    await own.sync()
    expect((await matched(own, one)).targets[0]).toMatchObject({ folio: 7, total: 1_190 })
  })
})

describe('what is suggested', () => {
  it('is withdrawn when the provider sends a document, and when somebody issues the 46 by hand', async () => {
    const own = await openBuyer(world)
    const google = line({ post_date: TODAY, amount: -50_000, description: 'GOOGLE *ADS' })
    const adobe = line({ post_date: TODAY, amount: -20_000, description: 'ADOBE SYSTEMS' })
    await tell(world, own, [google, adobe])
    const statuses = async () =>
      (await own.get('/v1/tax/suggestions')).body.data.map((one: { status: string }) => one.status)
    expect(await statuses()).toEqual(['open', 'open'])
    await own.receive({ emisor: { ...SENDER, legal_name: 'Google Chile Limitada' } })
    await expect.poll(async () => (await statuses()).sort()).toEqual(['open', 'withdrawn'])
    await issued(own, {
      ...FACTURA,
      tipo_dte: 46,
      receptor: { ...RECEPTOR, legal_name: 'Adobe Systems' },
      items: [{ description: 'Licencia', quantity: 1, unit_price: 20_000, additional_tax: 15 }],
    })
    await expect.poll(statuses).toEqual(['withdrawn', 'withdrawn'])
  })

  it('is withdrawn when the movement is matched by itself to what arrived', async () => {
    const own = await trusting()
    const one = line({ post_date: TODAY, amount: -TOTAL, description: 'ADOBE SYSTEMS FACTURA 4711' })
    await tell(world, own, [one])
    const emisor = { ...SENDER, legal_name: 'Adobe Systems' }
    await own.receive({ emisor, folio: 4711 })
    await matched(own, one)
    const { body } = await own.get('/v1/tax/suggestions')
    expect(body.data).toMatchObject([{ status: 'withdrawn', withdrawn_because: 'movement_matched' }])
  })
})

describe('a payment abroad that two sources may both tell', () => {
  it('is suggested about once, until somebody says that they are two', async () => {
    const own = await openBuyer(world)
    await tell(world, own, [line({ post_date: '2025-10-20', amount: -50_000, description: 'GOOGLE *ADS' })])
    const file = plainCartola('20/10/2025;GOOGLE IRELAND;50.000;').toString('base64')
    await ended(world, own, (await own.post('/v1/tax/statements', { file })).body.id)
    await reviewed(world, own)
    const suggestions = async () => (await own.get('/v1/tax/suggestions')).body.data.length
    expect(await suggestions()).toBe(1)
    const [one] = (await own.get('/v1/tax/movements?suspected=true')).body.data
    await own.post(`/v1/tax/movements/${one.id}/unmerge`)
    await reviewed(world, own)
    expect(await suggestions()).toBe(2)
  })
})

describe('an empresa that asks for its movements to be matched', () => {
  it('has those matched that were looked at before it asked', async () => {
    const own = await openBuyer(world)
    await issued(own, FACTURA)
    const one = line({ post_date: TODAY, amount: TOTAL, counterparty_rut: RECEPTOR.rut })
    await tell(world, own, [one])
    expect((await movementOf(world, own, one.external_id)).body.match).toBeNull()
    await trust(own)
    expect(await matched(own, one)).toMatchObject({ matched_by: 'review' })
  })
})

describe('nothing is asked', () => {
  it('about sales while the empresa has its movements matched by hand, nor where no movement waits', async () => {
    const own = await openBuyer(world)
    await tell(world, own, [line({ post_date: TODAY, amount: TOTAL, counterparty_rut: RECEPTOR.rut })])
    const before = await reviews(own)
    await issued(own, FACTURA)
    await reviewed(world, own)
    expect(await reviews(own)).toEqual(before)
  })
})

async function reviews({ empresa_id }: Issuer) {
  return world.db.sql`select id, reviewed_at from movement where empresa_id = ${empresa_id} order by id`
}
