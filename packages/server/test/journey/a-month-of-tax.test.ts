import { randomUUID } from 'node:crypto'
import { addMonths, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemNow } from '../../src/kernel/clock.ts'
import { plainCartola } from '../support/cartola-file.ts'
import { moveClock } from '../support/move-clock.ts'
import { openWorld, randomRut, type Sent, type World } from '../support/world.ts'

/**
 * A whole month of an empresa on the test clock, through HTTP alone: what it sells, what it buys, what it pays, and the
 * declaration that comes of it, every figure of which is worked out by hand below. A sandbox empresa has no alias for
 * suppliers to write to, so the test helper plays them here; real SMTP to the alias of a live empresa is in
 * src/adapters/reception-smtp.test.ts.
 */

// The month to come: the clock only moves forward.
const PERIOD = addMonths(`${santiagoDate(new Date(systemNow())).slice(0, 7)}-01`, 1).slice(0, 7)
const NEXT = addMonths(`${PERIOD}-01`, 1).slice(0, 7)
const day = (of: number, month = PERIOD) => `${month}-${String(of).padStart(2, '0')}`
const slashed = (of: number) => day(of).split('-').reverse().join('/')

const CLIENT = {
  rut: '77123456-9',
  legal_name: 'Pérez e Hijos Ltda.',
  giro: 'Comercio',
  address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
}
const MILL = { rut: '76192083-9', legal_name: 'Molinos del Sur SpA' }
const PRINTER = { rut: '76543210-3', legal_name: 'Imprenta Norte Ltda' }
const STORE = { rut: '96806980-2', legal_name: 'Hipermercado Centro SA' }
const one = (description: string, unit_price: number) => [{ description, quantity: 1, unit_price }]

let world: World
let key: string
const rut = randomRut()
const kept: Record<string, string> = {}

beforeAll(async () => {
  world = await openWorld()
  const body = {
    email: `${randomUUID()}@example.cl`,
    password: randomUUID(),
    bootstrap: { empresa: { rut, legal_name: 'Panadería Ñandú Ltda' } },
  }
  const registered = await world.post('/account/register', { body })
  key = registered.body.data.api_key.secret
  kept.empresa = registered.body.data.empresa.id
  // The registers are read when this month says so, and what was surely paid is matched without asking.
  const settings = { sync_rcv_daily: false, apply_movement_matches: true }
  await world.patch(`/v1/empresas/${kept.empresa}/automation_settings`, { key, body: settings })
})
afterAll(() => world.close())

const get = (path: string) => world.get(`/v1${path}`, { key, empresa: rut })
const post = (path: string, body: object = {}) => world.post(`/v1${path}`, { key, empresa: rut, body })

/** The clock goes there and stands still; every timer on the way fires first. */
async function goTo(date: string, time = '15:00:00'): Promise<void> {
  await moveClock(world, key, { frozen_time: `${date}T${time}Z` })
}
async function issue(body: object): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  const sent = await world.post('/v1/documents', { key, empresa: rut, headers, body })
  expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
  return sent.body.id
}
async function receive(emisor: object, tipo_dte: number, net: number, more: object = {}): Promise<string> {
  const document = { tipo_dte, emisor, items: one('Mercadería', net), payment: { form: 'credit' }, ...more }
  const sent = await post('/test_helpers/received_documents', { document })
  expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
  return sent.body.id
}
async function done(job: Sent): Promise<Sent> {
  expect([job.status, job.text]).toEqual([202, expect.any(String)])
  const read = () => world.get(`/v1/jobs/${job.body.id}`, { key })
  await expect.poll(async () => (await read()).body.status).toBe('succeeded')
  return read()
}
async function eventually(path: string, right: (sent: Sent) => unknown, value: unknown): Promise<Sent> {
  await expect.poll(async () => right(await get(path))).toEqual(value)
  return get(path)
}

describe('a month of tax', () => {
  it('sells: facturas, one exempt, boletas and a guía; then a nota de crédito and one de débito about them', async () => {
    await goTo(day(1))
    // 2 × 150.000 = 300.000; IVA 57.000; in all 357.000.
    kept.small = await issue({
      tipo_dte: 33,
      receptor: CLIENT,
      items: [{ description: 'Tortas', quantity: 2, unit_price: 150_000 }],
    })
    // IVA of 1.250.500 is 237.595; in all 1.488.095.
    kept.large = await issue({ tipo_dte: 33, receptor: CLIENT, items: one('Banquete', 1_250_500) })
    kept.exempt = await issue({ tipo_dte: 34, receptor: CLIENT, items: one('Curso de panadería', 400_000) })
    // Gross: 11.900 is 10.000 and 1.900; 5.950 is 5.000 and 950; 680 is 571 and 109.
    for (const gross of [11_900, 5_950, 680]) await issue({ tipo_dte: 39, items: one('Pan', gross) })
    const dispatch = { dispatch_type: 1, transfer_type: 1 }
    await issue({ tipo_dte: 52, receptor: CLIENT, items: one('Pan en camino', 90_000), dispatch })
    await goTo(day(1), '16:00:00')
    const sold = await get(`/documents/${kept.small}`)
    expect(sold.body).toMatchObject({ status: 'accepted', totals: { net: 300_000, iva: 57_000, total: 357_000 } })
    // 50.000 come back, with 9.500 of IVA.
    const back = { items: one('Torta devuelta', 50_000), code: 3, reason: 'Devolución' }
    expect((await post(`/documents/${kept.small}/credit_note`, back)).body.totals).toMatchObject({
      net: 50_000,
      iva: 9_500,
    })
    // 20.000 were forgotten, with 3.800 of IVA.
    const references = [{ document_id: kept.large, code: 3, reason: 'Flete' }]
    await issue({ tipo_dte: 56, receptor: CLIENT, items: one('Flete', 20_000), references })
    await goTo(day(2))
    const listed = await get('/documents?limit=100')
    expect(listed.body.data.map((document: { status: string }) => document.status)).toEqual(Array(9).fill('accepted'))
  })

  it('buys from its suppliers, accepts one, claims another, and says nothing to the third', async () => {
    kept.accepted = await receive(MILL, 33, 600_000)
    kept.claimed = await receive(PRINTER, 33, 200_000)
    kept.silent = await receive(MILL, 33, 100_000)
    const paid = { payment: { form: 'cash' } }
    kept.groceries = await receive(STORE, 33, 50_000, paid)
    kept.oven = await receive(STORE, 33, 800_000, paid)
    kept.party = await receive(STORE, 33, 30_000, paid)
    await receive(PRINTER, 34, 80_000, paid)
    const { folio } = (await get(`/received_documents/${kept.accepted}`)).body
    const references = [{ tipo_dte: 33, folio, date: day(2), code: 3, reason: 'Rebaja' }]
    await receive(MILL, 61, 60_000, { references })
    await goTo(day(3))
    expect((await post(`/received_documents/${kept.accepted}/accept`)).body.status).toBe('accepted')
    const claim = { code: 'RCD', reason: 'No se pidió' }
    expect((await post(`/received_documents/${kept.claimed}/reject`, claim)).body.status).toBe('rejected')
  })

  it('lets eight days pass: silence accepts', async () => {
    await goTo(day(9), '16:00:00')
    expect((await get(`/received_documents/${kept.silent}`)).body.status).toBe('pending')
    await goTo(day(12))
    expect((await get(`/received_documents/${kept.silent}`)).body).toMatchObject({
      status: 'accepted_tacitly',
      receipt: { status: 'presumed' },
    })
  })

  it('reads the registers, and uploads a cartola: two payments find their documents', async () => {
    await goTo(day(20))
    expect((await done(await post('/tax/sync', { period: PERIOD }))).body.result).toMatchObject({ purchases: 8 })
    // The year before is read in the wake of the first reading: a moment later that is over.
    await goTo(day(20), '16:00:00')
    const file = plainCartola(
      `${slashed(13)};TRANSFERENCIA DE 77.123.456-9 PEREZ E HIJOS;;1.488.095`,
      `${slashed(15)};PAGO A 76.192.083-9 MOLINOS DEL SUR;714.000;`,
      `${slashed(18)};COMPRA INTERNACIONAL GOOGLE *ADS 4829;120.345;`,
      `${slashed(19)};COMISION MANTENCION;5.990;`,
    )
    const upload = { file: file.toString('base64'), filename: 'cartola.csv', bank_account: 'Corriente 1234' }
    expect((await done(await post('/tax/statements', upload))).body.result).toMatchObject({
      imported: 4,
      duplicates: 0,
    })
    const matched = await eventually('/tax/movements?matched=true', ({ body }) => body.data.length, 2)
    expect(matched.body.data).toMatchObject([
      // 600.000 and 114.000 of IVA.
      { amount: -714_000, match: { matched_by: 'review', targets: [{ received_document_id: kept.accepted }] } },
      { amount: 1_488_095, match: { matched_by: 'review', targets: [{ document_id: kept.large }] } },
    ])
  })

  it('is told that the charge from abroad calls for a tipo 46, and issues it', async () => {
    const list = await eventually('/tax/suggestions?status=open', ({ body }) => body.data.length, 1)
    const [suggestion] = list.body.data
    // 19 % of 120.345 is 22.865,55: 22.866 pesos, all of them withheld.
    expect(suggestion).toMatchObject({
      type: 'emit_46',
      provider: { key: 'google' },
      period: PERIOD,
      amounts: { net: 120_345, iva: 22_866, withheld: 22_866, total: 120_345 },
    })
    expect(suggestion.reasons.map(({ code }: { code: string }) => code)).toContain('no_dte_in_register')
    const confirmed = await post(`/tax/suggestions/${suggestion.id}/confirm`)
    expect(confirmed.body).toMatchObject({ status: 'confirmed', document_id: expect.stringMatching(/^doc_/) })
    await goTo(day(21))
    expect((await get(`/documents/${confirmed.body.document_id}`)).body).toMatchObject({
      status: 'accepted',
      tipo_dte: 46,
      issue_date: day(20),
      totals: { net: 120_345, iva: 22_866, total: 120_345 },
    })
  })

  it('reads the registers once the month is over, and says what each purchase was for', async () => {
    await goTo(day(3, NEXT))
    // The eight that came, of which the claimed one counts nowhere, and the 46.
    expect((await done(await post('/tax/sync', { period: PERIOD }))).body.result).toMatchObject({
      purchases: 9,
      created: 1,
    })
    const { data } = (await get(`/tax/purchases?period=${PERIOD}&limit=100`)).body
    const entryOf = (id: string | undefined) =>
      data.find((entry: { received_document_id: string }) => entry.received_document_id === id)
    expect(entryOf(kept.claimed)).toMatchObject({ estado_contable: 'RECLAMADO' })
    expect(entryOf(kept.silent)).toMatchObject({ estado_contable: 'REGISTRO' })
    kept.entry = entryOf(kept.groceries).id
    const entries = [
      { entry_id: kept.entry, tipo_compra: 2 },
      { entry_id: entryOf(kept.oven).id, tipo_compra: 4 },
      { entry_id: entryOf(kept.party).id, tipo_compra: 6, iva_not_recoverable_code: 3 },
    ]
    const sent = await post('/tax/purchases/characterize', { entries })
    expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  })

  it('proposes the F29, every figure as worked out by hand', async () => {
    const said = { ppm_rate: 0.25, payroll_tax: 12_345, honorarios_withheld: 15_250, previous_remanente: 0 }
    const sent = await post(`/tax/f29/proposals/${PERIOD}/recompute`, said)
    const shown = sent.body.codes as { code: number; amount: number | null; rate: number | null }[]
    const codes = Object.fromEntries(shown.map(({ code, amount, rate }) => [code, amount ?? rate]))
    const worked_out = {
      // Two facturas: 57.000 + 237.595.
      503: 2,
      502: 294_595,
      // The exempt one.
      586: 1,
      142: 400_000,
      // Three boletas: 1.900 + 950 + 109.
      110: 3,
      111: 2_959,
      // Nota de débito, and nota de crédito.
      512: 1,
      513: 3_800,
      509: 1,
      510: 9_500,
      // Débitos: 294.595 + 2.959 + 3.800 - 9.500.
      538: 291_854,
      // Two facturas del giro and the 46: 114.000 + 19.000 + 22.866. The claimed one gives nothing.
      519: 3,
      520: 155_866,
      // Supermarket and fixed assets.
      761: 1,
      762: 9_500,
      524: 1,
      525: 152_000,
      // Nota de crédito of a supplier: 19 % of 60.000.
      527: 1,
      528: 11_400,
      // Exempt, and without right to credit: its net, and its IVA of 5.700.
      584: 1,
      562: 80_000,
      564: 1,
      521: 30_000,
      514: 5_700,
      // With right to credit: 155.866 + 9.500 + 152.000 - 11.400; créditos the same, as nothing is left of before.
      511: 305_966,
      504: 0,
      537: 305_966,
      // 305.966 - 291.854: nothing to pay, and this much for the next month.
      89: 0,
      77: 14_112,
      // The IVA of the 46 was withheld whole, and no remanente pays for it.
      39: 22_866,
      596: 22_866,
      // 300.000 + 1.250.500 + 400.000 + 15.571 + 20.000 - 50.000; 0,25 % of it is 4.840,18.
      563: 1_936_071,
      115: 0.25,
      62: 4_840,
      48: 12_345,
      151: 15_250,
      // 0 + 4.840 + 12.345 + 15.250; and with the 22.866.
      595: 32_435,
      547: 55_301,
      91: 55_301,
    }
    const other = shown.filter(({ code }) => !(code in worked_out))
    expect(codes).toMatchObject(worked_out)
    expect(other.filter(({ amount }) => amount !== 0)).toEqual([])
    expect(sent.body).toMatchObject({ status: 'open', total: 55_301, remanente: 14_112 })
    expect(sent.body.warnings.filter((one: { blocks_filing: boolean }) => one.blocks_filing)).toEqual([])
  })

  it('files it: the SII finds it wrong once, then takes it, and the month is closed', async () => {
    const errors = [{ code: 'E-115', message: 'La tasa de PPM no es la informada.' }]
    await post('/test_helpers/f29/validations', { period: PERIOD, errors })
    const file = async () => {
      const sent = await post('/tax/f29/filings', { period: PERIOD, confirm_total: 55_301 })
      expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
      return `/tax/f29/filings/${sent.body.id}`
    }
    const first = await file()
    await goTo(day(4, NEXT))
    expect((await get(first)).body).toMatchObject({ status: 'failed', errors })
    const second = await file()
    await goTo(day(5, NEXT))
    expect((await get(second)).body).toMatchObject({ status: 'accepted', total: 55_301, folio: expect.any(String) })
    expect((await get(`/tax/f29/proposals/${PERIOD}`)).body).toMatchObject({ status: 'filed' })
    const late = await post(`/tax/purchases/${kept.entry}/characterize`, { tipo_compra: 1 })
    expect([late.status, late.body.error.code]).toEqual([409, 'period_locked'])
  })

  it('was told all of it, in order', async () => {
    const told: { type: string; data: { object: { period?: string } } }[] = []
    for (let cursor = '', more = true; more; ) {
      const { body } = await world.get(`/v1/events?limit=100${cursor}`, { key })
      told.unshift(...body.data.toReversed())
      cursor = `&cursor=${body.next_cursor}`
      more = body.has_more
    }
    // Of the registers the year before was read too, once; answers to suppliers leave in their own time.
    const types = told
      .filter(({ type, data }) => !type.startsWith('reception.') && (data.object.period ?? PERIOD) === PERIOD)
      .map(({ type }) => type)
    expect(types.filter((type, place) => type !== types[place - 1])).toEqual([
      'api_key.created',
      'empresa.created',
      'document.created',
      'document.sent',
      'document.accepted',
      'document.created',
      'document.sent',
      'document.accepted',
      'received_document.created',
      // What was sold in cash is due on its day.
      'received_document.overdue',
      'received_document.accepted',
      'received_document.rejected',
      'received_document.deadline_approaching',
      // The clients said nothing to the facturas of the first day either.
      'document.accepted_by_receptor',
      'received_document.receipt_acknowledged',
      'received_document.accepted',
      'tax.rcv.synced',
      'tax.f29.proposal_ready',
      'tax.statement.imported',
      'document.paid',
      'received_document.paid',
      'tax.suggestion.created',
      'document.created',
      'document.paid',
      'tax.suggestion.confirmed',
      'document.sent',
      'document.accepted',
      'document.overdue',
      'received_document.overdue',
      'tax.rcv.synced',
      'tax.f29.proposal_changed',
      'tax.f29.filing_submitted',
      'tax.f29.filing_failed',
      'tax.f29.filing_submitted',
      'tax.f29.filing_accepted',
    ])
    const count = (type: string) => types.filter((one) => one === type).length
    // Nine documents and the 46. Eight arrived: one was accepted, one claimed, five lapsed in silence after two warnings
    // each, and the nota de crédito takes no answer.
    expect(count('document.accepted')).toBe(10)
    expect(count('received_document.created')).toBe(8)
    expect(count('received_document.accepted')).toBe(6)
    expect(count('received_document.rejected')).toBe(1)
    expect(count('received_document.deadline_approaching')).toBe(10)
  })
})
