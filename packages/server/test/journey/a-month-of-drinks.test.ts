import { randomUUID } from 'node:crypto'
import { addMonths, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemNow } from '../../src/kernel/clock.ts'
import { IN_FULL } from '../support/in-full.ts'
import { moveClock } from '../support/move-clock.ts'
import { openWorld, randomRut, type Sent, type World } from '../support/world.ts'

/**
 * A month of a wholesaler of drinks on the test clock, through HTTP alone: additional taxes that it charges and that it
 * is charged, notas that come too late, facturas de compra with a nota about one, a purchase of common use, diesel, and
 * one purchase that only gives credit in the next month. Every code of the declaration is worked out by hand below.
 */

// The month to come: the clock only moves forward.
const PERIOD = addMonths(`${santiagoDate(new Date(systemNow())).slice(0, 7)}-01`, 1).slice(0, 7)
const NEXT = addMonths(`${PERIOD}-01`, 1).slice(0, 7)
const day = (of: number, month = PERIOD) => `${month}-${String(of).padStart(2, '0')}`

const CLIENT = {
  rut: '77123456-9',
  legal_name: 'Botillería La Esquina Ltda.',
  giro: 'Comercio',
  address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
}
const GROWER = { ...CLIENT, rut: '76543210-3', legal_name: 'Viña Chica SpA' }
const DISTILLER = { rut: '76192083-9', legal_name: 'Destilados del Elqui SA' }
const line = (description: string, unit_price: number, additional_tax?: number) => ({
  description,
  quantity: 1,
  unit_price,
  ...(additional_tax !== undefined && { additional_tax }),
})
// Codes of additional taxes in a DTE.
const [PISCO, WINE, SODA, SUGARY] = [24, 25, 27, 271]

let world: World
let key: string
const rut = randomRut()
const kept: Record<string, string> = {}

beforeAll(async () => {
  world = await openWorld()
  const body = {
    email: `${randomUUID()}@example.cl`,
    password: randomUUID(),
    bootstrap: { empresa: { rut, legal_name: 'Distribuidora Ñielol SpA' } },
  }
  const registered = await world.post('/account/register', { body })
  key = registered.body.data.api_key.secret
  const { id } = registered.body.data.empresa
  await world.patch(`/v1/empresas/${id}/automation_settings`, { key, body: { sync_rcv_daily: false } })
})
afterAll(() => world.close())

const get = (path: string) => world.get(`/v1${path}`, { key, empresa: rut })
const post = (path: string, body: object = {}) => world.post(`/v1${path}`, { key, empresa: rut, body })
const taken = (sent: Sent, status: number) => {
  expect([sent.status, sent.text]).toEqual([status, expect.any(String)])
  return sent.body
}

/** The clock goes there and stands still; every timer on the way fires first. */
async function goTo(date: string, time = '15:00:00'): Promise<void> {
  await moveClock(world, key, { frozen_time: `${date}T${time}Z` })
}
async function issue(body: object): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  return taken(await world.post('/v1/documents', { key, empresa: rut, headers, body }), 201).id
}
async function receive(tipo_dte: number, items: object[], form: 'cash' | 'credit', more: object = {}) {
  const document = { tipo_dte, emisor: DISTILLER, items, payment: { form }, ...more }
  return taken(await post('/test_helpers/received_documents', { document }), 201)
}
async function sync(period: string): Promise<void> {
  const job = taken(await post('/tax/sync', { period }), 202)
  const read = () => world.get(`/v1/jobs/${job.id}`, { key })
  await expect.poll(async () => (await read()).body.status).toBe('succeeded')
}
const entriesOf = async (side: 'purchases' | 'sales', period = PERIOD) =>
  (await get(`/tax/${side}?period=${period}&limit=100`)).body.data as Record<string, unknown>[]

describe.runIf(IN_FULL)('a month of drinks', () => {
  it('sells with additional taxes, an old van, and corrects: in term, too late by date, too late by word', async () => {
    await goTo(day(1))
    // Pisco 1.000.000 (31,5 %: 315.000) and wine 400.000 (20,5 %: 82.000); IVA of 1.400.000 is 266.000.
    const large = {
      tipo_dte: 33,
      receptor: CLIENT,
      items: [line('Pisco', 1_000_000, PISCO), line('Vino', 400_000, WINE)],
    }
    kept.large = await issue(large)
    // 200.000 of soda: 10 % is 20.000; IVA 38.000.
    await issue({ tipo_dte: 33, receptor: CLIENT, items: [line('Agua y bebidas', 200_000, SODA)] })
    // A fixed asset: IVA 95.000.
    await issue({ tipo_dte: 33, receptor: CLIENT, items: [line('Furgón usado', 500_000)], sale_type: 2 })
    // Grapes of a grower: IVA 57.000, all of it withheld.
    kept.grapes = await issue({ tipo_dte: 46, receptor: GROWER, items: [line('Uva', 300_000, 15)] })
    await goTo(day(2))
    // 100.000 of pisco come back: IVA 19.000, tax 31.500.
    const back = { items: [line('Pisco devuelto', 100_000, PISCO)], code: 3, reason: 'Devolución' }
    taken(await post(`/documents/${kept.large}/credit_note`, back), 201)
    // 50.000 of a factura of eight months ago: IVA 9.500 and tax 15.750, too late to lower a debit (D.L. 825, art. 70).
    const old = { tipo_dte: 33, folio: 77, date: addMonths(day(1), -8), code: 3, reason: 'Devolución tardía' }
    await issue({ tipo_dte: 61, receptor: CLIENT, items: [line('Pisco', 50_000, PISCO)], references: [old] })
    // 10.000 that its emitter itself says lower nothing (IndNoRebaja): IVA 1.900.
    const said = { ...old, folio: 78, date: day(1), reason: 'Rebaja' }
    const flagged = { tipo_dte: 61, receptor: CLIENT, items: [line('Ajuste', 10_000)], no_debit_reduction: true }
    await issue({ ...flagged, references: [said] })
    // 100.000 of the grapes go back: 19.000 of IVA, and as much that is no longer withheld.
    const grapes = { items: [line('Uva devuelta', 100_000)], code: 3, reason: 'Devolución' }
    taken(await post(`/documents/${kept.grapes}/credit_note`, grapes), 201)
  })

  it('buys with additional taxes: on credit, in cash, diesel, of common use, and one that waits', async () => {
    // 600.000 of pisco: tax 189.000, IVA 114.000.
    const pisco = await receive(33, [line('Pisco a granel', 600_000, PISCO)], 'credit')
    taken(await post(`/received_documents/${pisco.id}/accept`), 200)
    // 100.000 of sugary drinks: 18 % is 18.000, IVA 19.000.
    await receive(33, [line('Bebidas', 100_000, SUGARY)], 'cash')
    // 40.000 of the pisco go back: tax 12.600, IVA 7.600.
    const references = [{ tipo_dte: 33, folio: pisco.folio, date: day(2), code: 3, reason: 'Devolución' }]
    await receive(61, [line('Pisco devuelto', 40_000, PISCO)], 'cash', { references })
    // 50.000 of diesel with 7.000 of its specific tax, IVA 9.500.
    const diesel = { net: 50_000, iva: 9_500, other_taxes: [{ code: 28, rate: null, amount: 7_000 }] }
    const purchases = [{ tipo_doc: 33, folio: 901, counterparty_rut: '96806980-2', ...diesel }]
    taken(await post('/test_helpers/rcv/seed', { period: PERIOD, purchases }), 200)
    // Rent for all of the business, of common use: IVA 19.000. A gift: IVA 1.900 that gives no credit.
    kept.rent = (await receive(33, [line('Arriendo', 100_000)], 'cash')).id
    kept.gift = (await receive(33, [line('Regalo', 10_000)], 'cash')).id
    await goTo(day(27))
    // On credit, and nobody answers: IVA 9.500.
    kept.silent = (await receive(33, [line('Etiquetas', 50_000)], 'credit')).id
    await goTo(day(2, NEXT))
    await sync(PERIOD)
    const entries = await entriesOf('purchases')
    const of = (id?: string) => entries.find(({ received_document_id }) => received_document_id === id)
    expect(of(kept.silent)).toMatchObject({ estado_contable: 'PENDIENTE', iva: 9_500 })
    expect(of(pisco.id)).toMatchObject({ other_taxes: [{ code: 24, rate: 31.5, amount: 189_000 }], total: 903_000 })
    const decided = [
      { entry_id: of(kept.rent)?.id, tipo_compra: 5 },
      { entry_id: of(kept.gift)?.id, tipo_compra: 6, iva_not_recoverable_code: 4 },
    ]
    taken(await post('/tax/purchases/characterize', { entries: decided }), 200)
  })

  it('shows the taxes and what came too late in the register and in its summary', async () => {
    const sales = await entriesOf('sales')
    const notas = sales.filter(({ tipo_doc }) => tipo_doc === 61)
    expect(notas.map(({ iva, iva_late }) => [iva, iva_late]).sort()).toEqual([
      [1_900, 1_900],
      [19_000, 0],
      [9_500, 9_500],
    ])
    const { lines, iva_debit } = (await get(`/tax/summary?period=${PERIOD}`)).body
    const sold = lines.find((one: { side: string; tipo_doc: number }) => one.side === 'sale' && one.tipo_doc === 33)
    expect(sold.other_taxes).toEqual([
      { code: PISCO, rate: 31.5, amount: 315_000 },
      { code: WINE, rate: 20.5, amount: 82_000 },
      { code: SODA, rate: 10, amount: 20_000 },
    ])
    // Code 538 below.
    expect(iva_debit).toBe(380_000)
  })

  it('does not file while the tax on diesel goes nowhere', async () => {
    const said = { ppm_rate: 0.25, previous_remanente: 0, common_use_factor: 0.6 }
    const { warnings } = taken(await post(`/tax/f29/proposals/${PERIOD}/recompute`, said), 200)
    expect(warnings.filter((one: { blocks_filing: boolean }) => one.blocks_filing)).toMatchObject([
      { code: 'taxes_left_out', count: 1, amount: 7_000, concerns: ['28'] },
    ])
    const refused = await post('/tax/f29/filings', { period: PERIOD })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'f29_proposal_incomplete'])
  })

  it('proposes the F29, every figure as worked out by hand', async () => {
    const overrides = [{ code: 127, amount: 7_000, reason: 'Grúas que no salen a la calle' }]
    const sent = await post(`/tax/f29/proposals/${PERIOD}/recompute`, { overrides })
    const shown = sent.body.codes as { code: number; amount: number | null; rate: number | null }[]
    const codes = Object.fromEntries(shown.map(({ code, amount, rate }) => [code, amount ?? rate]))
    const worked_out = {
      // 266.000 + 38.000; the van apart.
      503: 2,
      502: 304_000,
      716: 1,
      717: 95_000,
      // One nota lowers the debit; the other two, of 9.500 and 1.900, come too late.
      509: 1,
      510: 19_000,
      // 304.000 + 95.000 - 19.000.
      538: 380_000,
      // Pisco 114.000, sugary drinks 19.000, diesel 9.500, grapes 57.000, and 60 % of the 19.000 of the rent: 11.400.
      519: 5,
      520: 210_900,
      // Of the distiller 7.600, of the grapes 19.000.
      527: 2,
      528: 26_600,
      564: 1,
      521: 10_000,
      514: 1_900,
      // 210.900 - 26.600.
      511: 184_300,
      127: 7_000,
      // 210.900 - 26.600 + 7.000.
      537: 191_300,
      // 380.000 - 191.300.
      89: 188_700,
      77: 0,
      // 1.400.000 + 200.000 + 500.000 - 100.000 - 50.000 - 10.000: income falls whenever a sale is undone; 0,25 % of it.
      563: 1_940_000,
      115: 0.25,
      62: 4_850,
      // 188.700 + 4.850.
      595: 193_550,
      577: 315_000,
      32: 82_000,
      146: 20_000,
      546: 31_500,
      // 315.000 + 82.000 + 20.000 - 31.500.
      602: 385_500,
      575: 189_000,
      576: 189_000,
      753: 18_000,
      754: 18_000,
      559: 12_600,
      // 189.000 + 18.000 - 12.600.
      603: 194_400,
      // 385.500 - 194.400.
      506: 191_100,
      // What was withheld on the grapes, less what the nota took back.
      39: 57_000,
      736: 19_000,
      596: 38_000,
      // 193.550 + 191.100 + 38.000.
      547: 422_650,
      91: 422_650,
    }
    expect(codes).toMatchObject(worked_out)
    expect(shown.filter(({ code, amount }) => !(code in worked_out) && amount !== 0)).toEqual([])
    expect(sent.body.warnings.filter((one: { blocks_filing: boolean }) => one.blocks_filing)).toEqual([])
    // Behind the tax on pisco stands the one factura that carries it.
    const behind = (await get(`/tax/f29/proposals/${PERIOD}/codes/577`)).body.data
    expect(behind.map(({ document_id }: { document_id: string }) => document_id)).toEqual([kept.large])
  })

  it('counts in the next month what was accepted by silence there', async () => {
    await goTo(day(9, NEXT))
    expect((await get(`/received_documents/${kept.silent}`)).body.status).toBe('accepted_tacitly')
    await sync(PERIOD)
    await sync(NEXT)
    const silent = ({ received_document_id }: Record<string, unknown>) => received_document_id === kept.silent
    expect((await entriesOf('purchases')).filter(silent)).toEqual([])
    expect((await entriesOf('purchases', NEXT)).filter(silent)).toMatchObject([
      { estado_contable: 'REGISTRO', iva: 9_500 },
    ])
    const codes = async (period: string) => {
      const { body } = await post(`/tax/f29/proposals/${period}/recompute`, {})
      return body.codes.filter(({ code }: { code: number }) => [520, 537].includes(code))
    }
    expect(await codes(PERIOD)).toMatchObject([{ amount: 210_900 }, { amount: 191_300 }])
    // The nine thousand five hundred, and nothing left from the month before.
    expect(await codes(NEXT)).toMatchObject([{ amount: 9_500 }, { amount: 9_500 }])
  })

  it('is filed, and rectified in term when a factura dated into it turns up', async () => {
    const { version } = (await get(`/tax/f29/proposals/${PERIOD}`)).body
    const filed = async (on: number, body: object) => {
      const { id } = taken(await post('/tax/f29/filings', { period: PERIOD, ...body }), 202)
      await goTo(day(on, NEXT))
      const { body: filing } = await get(`/tax/f29/filings/${id}`)
      expect(filing.status).toBe('accepted')
      return filing
    }
    const original = await filed(10, { version, confirm_total: 422_650 })
    // 100.000 of wine that nobody had written down: IVA 19.000, tax 20.500.
    await issue({ tipo_dte: 33, receptor: CLIENT, issue_date: day(28), items: [line('Vino', 100_000, WINE)] })
    await goTo(day(10, NEXT), '18:00:00')
    const changed = async () => {
      const { changes_since_filing } = (await get(`/tax/f29/proposals/${PERIOD}`)).body
      type Change = { code: number; before: number; after: number }
      return Object.fromEntries(changes_since_filing.map((one: Change) => [one.code, [one.before, one.after]]))
    }
    const corrected = {
      503: [2, 3],
      502: [304_000, 323_000],
      // 323.000 + 95.000 - 19.000.
      538: [380_000, 399_000],
      // 399.000 - 191.300.
      89: [188_700, 207_700],
      // 1.940.000 + 100.000, and 0,25 % of it.
      563: [1_940_000, 2_040_000],
      62: [4_850, 5_100],
      // 207.700 + 5.100.
      595: [193_550, 212_800],
      32: [82_000, 102_500],
      // 315.000 + 102.500 + 20.000 - 31.500, and less the credit of 194.400.
      602: [385_500, 406_000],
      506: [191_100, 211_600],
      // 212.800 + 211.600 + 38.000.
      547: [422_650, 462_400],
      91: [422_650, 462_400],
    }
    await expect.poll(changed).toEqual(corrected)
    const now = (await get(`/tax/f29/proposals/${PERIOD}`)).body
    const rectified = await filed(11, { rectifies: original.id, version: now.version, confirm_total: 462_400 })
    expect(rectified).toMatchObject({ rectifies: original.id, total: 462_400 })
    expect((await get(`/tax/f29/filings/${original.id}`)).body).toEqual(original)
    expect(await changed()).toEqual({})
  })
})
