import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { line, movementOf, openBankWorld, reviewed, tell } from '../../../../test/support/bank-movements.ts'
import { syncMonth } from '../../../../test/support/f29-month.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import type { Sent, World } from '../../../../test/support/world.ts'
import { skipYearBefore } from '../../../../test/support/year-before.ts'
import { PROVIDERS, providerIn } from './providers.ts'

let world: World
beforeAll(async () => {
  world = await openBankWorld()
})
afterAll(() => world.close())

const LIST = '/v1/tax/suggestions'
const PERIOD = '2025-10'
const charge = (more: object = {}) =>
  line({ post_date: '2025-10-14', amount: -50_005, description: 'GOOGLE *ADS 4829104 CC GOOGLE.COM', ...more })

const open = async (whose: Issuer) => (await whose.get(`${LIST}?status=open`)).body.data
const statuses = async (whose: Issuer) => (await whose.get(LIST)).body.data.map((one: { status: string }) => one.status)
const act = (whose: Issuer, id: string, what: 'confirm' | 'dismiss', body: object = {}) =>
  whose.post(`${LIST}/${id}/${what}`, body)
const refusal = ({ status, body }: Sent) => [status, body.error.code]

async function suggested(whose: Issuer, ...lines: ReturnType<typeof line>[]) {
  await tell(world, whose, lines.length > 0 ? lines : [charge()])
  return (await open(whose))[0]
}
async function eventsOf(whose: Issuer) {
  const key = await world.key(whose.account, { scopes: ['webhooks:read'] })
  const sent = await world.get('/v1/events?type=tax.suggestion.*&limit=100', { key })
  return sent.body.data.reverse()
}

describe('who is a provider abroad', () => {
  it('is read from what statements write', () => {
    const lines = {
      google: ['GOOGLE *ADS4829', 'Compra Internacional GOOGLE*WORKSPACE_acme', 'DL*GOOGLE YouTube'],
      meta: ['FACEBK *AB12CD', 'META PLATFORMS IRELAND', 'FACEBK ADS'],
      aws: ['AWS EMEA aws.amazon.co', 'AMAZON WEB SERVICES'],
      microsoft: ['MICROSOFT*OFFICE 365', 'MSFT * E0400'],
      zoom: ['ZOOM.US 888-799-9666'],
      adobe: ['PAYPAL *ADOBE SYSTEM'],
      notion: ['NOTION LABS, INC.'],
      openai: ['OPENAI *CHATGPT SUBSCR'],
    }
    for (const [key, texts] of Object.entries(lines)) {
      for (const text of texts) expect([text, providerIn(text)?.key]).toEqual([text, key])
    }
  })

  it('is nobody whose name is only near: a wallet, a street, a shop', () => {
    for (const text of ['COMPRA GOOGLE PAY JUMBO', 'ZOOMARKET LTDA', 'METALURGICA SUR', 'AGUAS ANDINAS', 'SLACKLINE']) {
      expect([text, providerIn(text)]).toEqual([text, null])
    }
    expect(new Set(PROVIDERS.map(({ key }) => key)).size).toBe(PROVIDERS.length)
  })
})

describe('a payment to a provider abroad', () => {
  it('suggests a 46 with its IVA withheld whole, rounded as the engine rounds, and tells it', async () => {
    const own = await openIssuer(world)
    const found = await suggested(own)
    // 19 % of 50.005 is 9.500,95.
    expect(found).toMatchObject({
      object: 'tax_suggestion',
      type: 'emit_46',
      status: 'open',
      period: PERIOD,
      provider: { key: 'google', country: 'US', rut: null },
      movement: { post_date: '2025-10-14', amount: 50_005, currency: 'CLP' },
      amounts: { net: 50_005, iva: 9_501, withheld: 9_501, total: 50_005 },
      document_id: null,
    })
    const reasons = found.reasons.map((one: { code: string }) => one.code)
    expect(reasons).toEqual(['foreign_provider', 'register_not_read', 'charges_consumers'])
    expect((await own.get(`${LIST}/${found.id}`)).body).toEqual(found)
    const [created] = await eventsOf(own)
    expect([created.type, created.data.object]).toEqual(['tax.suggestion.created', found])
  })

  it('suggests nothing when it came in, when a RUT of Chile was paid, or when nobody knows the name', async () => {
    const own = await openIssuer(world)
    const local = charge({ counterparty_rut: '76192083-9', counterparty_name: 'Google Chile Ltda' })
    await tell(world, own, [charge({ amount: 50_005 }), local, charge({ description: 'PANADERIA' })])
    expect(await open(own)).toEqual([])
    await tell(world, own, [charge({ counterparty_rut: '59000000-0' })])
    expect(await open(own)).toHaveLength(1)
  })

  it('suggests nothing when a DTE of the provider is in the register of the month, or arrived', async () => {
    const own = await openIssuer(world)
    const dte = { tipo_doc: 33, folio: 5, counterparty_rut: '76192083-9', net: 50_005, iva: 9_501 }
    const purchases = [{ ...dte, counterparty_name: 'GOOGLE CHILE LIMITADA' }]
    await own.post('/v1/test_helpers/rcv/seed', { period: PERIOD, purchases })
    await skipYearBefore(world, own)
    await syncMonth(own, PERIOD)
    await tell(world, own, [charge(), charge({ post_date: '2025-09-14' })])
    const left = await open(own)
    expect(left.map((one: { period: string }) => one.period)).toEqual(['2025-09'])
    const items = [{ description: 'Publicidad', unit_price: 50_005 }]
    const document = {
      tipo_dte: 33,
      issue_date: '2025-08-03',
      emisor: { rut: '76192083-9', legal_name: 'Zoom.us Chile' },
    }
    await own.post('/v1/test_helpers/received_documents', { document: { ...document, items } })
    await tell(world, own, [charge({ description: 'ZOOM.US 888', post_date: '2025-08-20' })])
    expect(await open(own)).toHaveLength(1)
  })

  it('is withdrawn when a DTE comes into the register later, when its bank takes it back, or when it is matched', async () => {
    const own = await openIssuer(world)
    const gone = charge({ description: 'ADOBE *800' })
    const paid = charge({ description: 'CANVA* 0412' })
    await tell(world, own, [charge(), gone, paid, charge({ description: 'NOTION LABS' })])
    expect(await open(own)).toHaveLength(4)
    await tell(world, own, [], [gone.external_id ?? ''])
    const items = [{ description: 'Diseño', unit_price: 50_005 }]
    const document = { tipo_dte: 34, emisor: { rut: '76192083-9' }, items }
    const received = await own.post('/v1/test_helpers/received_documents', { document })
    const { id } = (await movementOf(world, own, paid.external_id)).body
    await own.post(`/v1/tax/movements/${id}/match`, { received_document_id: received.body.id })
    const dte = { tipo_doc: 33, folio: 6, counterparty_rut: '76192083-9', net: 10, iva: 2 }
    const purchases = [{ ...dte, counterparty_name: 'Google Cloud Chile SpA' }]
    await own.post('/v1/test_helpers/rcv/seed', { period: PERIOD, purchases })
    await skipYearBefore(world, own)
    await syncMonth(own, PERIOD)
    await reviewed(world, own)
    const all = (await own.get(LIST)).body.data
    const why = Object.fromEntries(
      all.map((one: { provider: { key: string }; withdrawn_because: string }) => [
        one.provider.key,
        one.withdrawn_because,
      ]),
    )
    expect(why).toEqual({
      google: 'dte_in_register',
      adobe: 'movement_removed',
      canva: 'movement_matched',
      notion: null,
    })
    const [left] = await open(own)
    expect(left.reasons.map((one: { code: string }) => one.code)).toContain('no_dte_in_register')
  })

  it('changes along with its movement while it is open, and is made once', async () => {
    const own = await openIssuer(world)
    const one = charge()
    const before = await suggested(own, one)
    const after = await suggested(own, { ...one, amount: -60_000 })
    expect(after).toMatchObject({ id: before.id, amounts: { net: 60_000, iva: 11_400 } })
    expect(await eventsOf(own)).toHaveLength(1)
  })

  it('a 46 that somebody issued by hand stands for one payment of its amount', async () => {
    const own = await openIssuer(world)
    const receptor = {
      rut: '55555555-5',
      legal_name: 'Google LLC',
      giro: 'Publicidad',
      address: { street: 'X', comuna: 'X' },
    }
    const items = [{ description: 'Publicidad', unit_price: 50_005, additional_tax: 15 }]
    await own.create({ tipo_dte: 46, issue_date: '2025-10-20', receptor, items })
    await tell(world, own, [charge(), charge()])
    expect(await open(own)).toHaveLength(1)
    await tell(world, own, [])
    expect((await statuses(own)).sort()).toEqual(['open', 'withdrawn'])
    expect(await eventsOf(own)).toHaveLength(1)
  })
})

describe('POST /tax/suggestions/{suggestion_id}/confirm', () => {
  it('200 issues the 46 within the month of the payment, ties the payment to it, and tells it', async () => {
    const own = await openIssuer(world)
    const { id, movement } = await suggested(own)
    const sent = await act(own, id, 'confirm')
    expect(sent.body).toMatchObject({ status: 'confirmed', document_id: expect.stringMatching(/^doc_/) })
    const document = await own.get(`/v1/documents/${sent.body.document_id}`)
    expect(document.body).toMatchObject({
      tipo_dte: 46,
      issue_date: '2025-10-31',
      totals: { net: 50_005, iva: 9_501, exempt: 0, total: 50_005 },
      receptor: { rut: '55555555-5', legal_name: 'Google', address: { city: 'Estados Unidos' } },
      metadata: { suggestion_id: id },
    })
    const paid = await own.get(`/v1/tax/movements/${movement.id}`)
    expect(paid.body.match).toMatchObject({
      matched_by: 'confirmation',
      targets: [{ document_id: sent.body.document_id, amount: 50_005, tipo: 46 }],
    })
    const told = await eventsOf(own)
    expect(told[1]).toMatchObject({
      type: 'tax.suggestion.confirmed',
      data: { object: sent.body, previous_attributes: { status: 'open', document_id: null, settled_at: null } },
    })
    const read = () => own.get(`/v1/documents/${sent.body.document_id}`)
    await expect.poll(async () => (await read()).body.status).toBe('accepted')
  })

  it('200 the 46 of one payment does not document the next one of the same provider', async () => {
    const own = await openIssuer(world)
    const { id } = await suggested(own)
    const { document_id } = (await act(own, id, 'confirm')).body
    const read = () => own.get(`/v1/documents/${document_id}`)
    await expect.poll(async () => (await read()).body.status).toBe('accepted')
    await skipYearBefore(world, own)
    await syncMonth(own, PERIOD)
    await tell(world, own, [charge()])
    expect(await statuses(own)).toEqual(['open', 'confirmed'])
  })

  it('200 takes what the caller knows better', async () => {
    const own = await openIssuer(world)
    const { id } = await suggested(own)
    const seller = { giro: 'Publicidad', address: { street: 'Gordon House', comuna: 'Dublin' } }
    const receptor = { rut: '59000000-0', legal_name: 'Google Ireland Ltd', ...seller }
    const body = { net: 42_000, description: 'Publicidad octubre', issue_date: '2025-10-15', receptor }
    const { document_id } = (await act(own, id, 'confirm', body)).body
    const document = await own.get(`/v1/documents/${document_id}`)
    expect(document.body).toMatchObject({
      issue_date: '2025-10-15',
      totals: { net: 42_000, iva: 7_980, total: 42_000 },
    })
    expect(document.body.receptor).toMatchObject({ rut: '59000000-0', legal_name: 'Google Ireland Ltd' })
  })

  it('409 suggestion_settled the second time, also when both come at once: one document is issued', async () => {
    const own = await openIssuer(world)
    const { id } = await suggested(own)
    const sent = await Promise.all([act(own, id, 'confirm'), act(own, id, 'confirm')])
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = await act(own, id, 'dismiss')
    expect(refusal(refused)).toEqual([409, 'suggestion_settled'])
    expect(refused.body.error).toMatchObject({ details: { status: 'confirmed' }, existing_id: expect.any(String) })
    expect(refusal(await act(own, id, 'confirm'))).toEqual([409, 'suggestion_settled'])
    expect((await own.get('/v1/documents?tipo_dte=46')).body.data).toHaveLength(1)
  })

  it('400 where only dollars are known, until the pesos are said', async () => {
    const own = await openIssuer(world)
    const { id, amounts, reasons } = await suggested(own, charge({ amount: -1_999, currency: 'USD' }))
    expect(amounts).toBeNull()
    expect(reasons.map((one: { code: string }) => one.code)).toContain('pesos_unknown')
    const refused = await act(own, id, 'confirm')
    expect([...refusal(refused), refused.body.error.param]).toEqual([400, 'invalid_field', 'net'])
    const { document_id } = (await act(own, id, 'confirm', { net: 19_123 })).body
    expect((await own.get(`/v1/documents/${document_id}`)).body.totals).toMatchObject({ net: 19_123, iva: 3_633 })
  })

  it('409 period_locked for a date in a month that was declared; left out, it is dated today', async () => {
    const own = await openIssuer(world)
    const { id } = await suggested(own)
    await skipYearBefore(world, own)
    await syncMonth(own, PERIOD)
    await own.post('/v1/tax/f29/filings', { period: PERIOD })
    const refused = await act(own, id, 'confirm', { issue_date: '2025-10-20' })
    expect([...refusal(refused), refused.body.error.details]).toEqual([409, 'period_locked', { period: PERIOD }])
    const { document_id } = (await act(own, id, 'confirm')).body
    const { issue_date, created_at } = (await own.get(`/v1/documents/${document_id}`)).body
    expect(Math.abs(Date.parse(created_at) - Date.parse(issue_date))).toBeLessThan(2 * 86_400_000)
  })

  it('404 for another, 400 for a date to come, and nothing is issued or settled by what is refused', async () => {
    const own = await openIssuer(world)
    const { id } = await suggested(own)
    expect(refusal(await own.get(`${LIST}/sug_x`))).toEqual([404, 'suggestion_not_found'])
    for (const what of ['confirm', 'dismiss'] as const) {
      expect(refusal(await act(own, 'sug_x', what))).toEqual([404, 'suggestion_not_found'])
    }
    const later = await act(own, id, 'confirm', { issue_date: '2099-01-01' })
    expect([...refusal(later), later.body.error.param]).toEqual([400, 'invalid_field', 'issue_date'])
    expect(refusal(await act(own, id, 'confirm', { receptor: { rut: '76192083-9' } }))).toEqual([
      400,
      'receptor_incomplete',
    ])
    expect(await statuses(own)).toEqual(['open'])
    expect((await own.get('/v1/documents')).body.data).toEqual([])
  })

  it('422 for an empresa that issues no 46: by its tipos, its channel, its onboarding or what it lacks', async () => {
    const undeclared = await openIssuer(world, { empresa: { doc_types: [33] } })
    expect(refusal(await act(undeclared, (await suggested(undeclared)).id, 'confirm'))).toEqual([
      422,
      'tipo_not_declared',
    ])
    const free = await openIssuer(world, { empresa: { emission_channel: 'sfg', doc_types: [33] } })
    expect(refusal(await act(free, (await suggested(free)).id, 'confirm'))).toEqual([
      422,
      'tipo_not_available_for_channel',
    ])
    const live = await openIssuer(world, { mode: 'live' })
    const { id } = await suggested(live)
    expect(refusal(await act(live, id, 'confirm'))).toEqual([422, 'empresa_not_emitting'])
    await world.db
      .sql`update empresa set emitting_since = now(), certified_tipos = '{46}', certificate_until = '2099-01-01' where id = ${live.empresa_id}`
    const owner = await world.key(live.account, { mode: 'live', scopes: ['empresas:write'] })
    await world.patch(`/v1/empresas/${live.empresa_id}`, { key: owner, body: { acteco: [620100], doc_types: [46] } })
    expect(refusal(await act(live, id, 'confirm'))).toEqual([422, 'empresa_incomplete'])
  })
})

describe('POST /tax/suggestions/{suggestion_id}/dismiss', () => {
  it('200 once: the same amount to the provider is not suggested again, another one is', async () => {
    const own = await openIssuer(world)
    const { id } = await suggested(own)
    const sent = await act(own, id, 'dismiss', { reason: 'Es personal' })
    expect(sent.body).toMatchObject({ status: 'dismissed', dismissal: { reason: 'Es personal', scope: 'once' } })
    expect((await eventsOf(own)).at(-1)).toMatchObject({
      type: 'tax.suggestion.dismissed',
      data: { object: sent.body },
    })
    await tell(world, own, [charge({ post_date: '2025-11-14' }), charge({ amount: -50_006 })])
    expect((await open(own)).map((one: { amounts: { net: number } }) => one.amounts.net)).toEqual([50_006])
    expect(refusal(await act(own, id, 'dismiss'))).toEqual([409, 'suggestion_settled'])
  })

  it('200 provider: what is open to it goes too, nothing more is suggested, and others are', async () => {
    const own = await openIssuer(world)
    await tell(world, own, [charge(), charge({ amount: -7 })])
    const [first] = await open(own)
    await act(own, first.id, 'dismiss', { scope: 'provider' })
    expect(await statuses(own)).toEqual(['dismissed', 'dismissed'])
    await tell(world, own, [charge({ amount: -99 }), charge({ description: 'GITHUB, INC.' })])
    expect((await open(own)).map((one: { provider: { key: string } }) => one.provider.key)).toEqual(['github'])
  })
})

describe('GET /tax/suggestions', () => {
  it('200 pages through them newest first, under every filter, and 400 for a cursor of another', async () => {
    const own = await openIssuer(world)
    await tell(world, own, [charge({ post_date: '2025-08-01' }), charge(), charge({ amount: -8 })])
    const count = async (query: string) => (await own.get(`${LIST}${query}`)).body.data.length
    expect(await Promise.all(['', '?type=emit_46', '?status=open', '?status=confirmed'].map(count))).toEqual([
      3, 3, 3, 0,
    ])
    expect(await count('?period=2025-08')).toBe(1)
    const first = await own.get(`${LIST}?limit=2`)
    const rest = await own.get(`${LIST}?limit=2&cursor=${first.body.next_cursor}`)
    expect([first.body.data.length, rest.body.data.length, rest.body.has_more]).toEqual([2, 1, false])
    const foreign = await own.get(`${LIST}?status=open&cursor=${first.body.next_cursor}`)
    expect(refusal(foreign)).toEqual([400, 'invalid_cursor'])
  })
})
