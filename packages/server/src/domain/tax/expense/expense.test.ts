import { addDays, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { recordMovements } from '../../banking/movement/ingest/record.ts'
import { refuseFuture } from './date.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

const EXPENSE = { date: '2025-11-03', description: 'Hosting', provider: { name: 'Amazon Web Services' }, amount: 2_500 }

const create = (issuer: Issuer, more: object = {}) => issuer.post('/v1/tax/expenses', { ...EXPENSE, ...more })

async function spend(issuer: Issuer, description: string, post_date: string, amount: number): Promise<void> {
  const scope = { account_id: issuer.account, empresa_id: issuer.empresa_id, mode: 'test' } as const
  const line = {
    external_id: null,
    bank_account: '1',
    currency: 'CLP',
    counterparty_rut: null,
    counterparty_name: null,
  }
  const source = { type: 'statement', id: 'stm_x' } as const
  await recordMovements(world.db.sql, scope, source, [{ ...line, description, post_date, amount }], new Date())
}

const amounts = async (issuer: Issuer, query = '') =>
  (await issuer.get(`/v1/tax/expenses${query}`)).body.data.map(({ amount }: { amount: number }) => amount)

describe('POST /tax/expenses', () => {
  it('201 with the expense as the list shows it', async () => {
    const issuer = await openIssuer(world)
    const made = await create(issuer, {
      provider: { name: 'Arriendos SpA', rut: '76192083-9' },
      category: 'Arriendo',
      amount: 450_000,
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      object: 'expense',
      source: 'manual',
      movement_id: null,
      provider: { name: 'Arriendos SpA', rut: '76192083-9', country: 'CL' },
      amount: 450_000,
      currency: 'CLP',
      category: 'Arriendo',
    })
    expect((await issuer.get('/v1/tax/expenses')).body.data).toEqual([made.body])
  })

  it('takes cents of a dollar and the country of a foreign provider', async () => {
    const issuer = await openIssuer(world)
    const made = await create(issuer, { currency: 'USD', provider: { name: 'Zoom', country: 'US' } })
    expect(made.body).toMatchObject({ amount: 2_500, currency: 'USD', provider: { rut: null, country: 'US' } })
  })

  it('writes one expense for a call that is repeated with its key, and two without', async () => {
    const issuer = await openIssuer(world)
    const headers = { 'idempotency-key': 'hosting-noviembre' }
    const [one, two] = [1, 2].map(() => issuer.post('/v1/tax/expenses', EXPENSE, { headers }))
    await one
    await two
    await create(issuer)
    expect(await amounts(issuer)).toHaveLength(2)
  })

  it.each([
    ['amount', { amount: 0 }],
    ['amount', { amount: 10.5 }],
    ['amount', { amount: '2500' }],
    ['date', { date: '2026-02-31' }],
    ['currency', { currency: 'BTC' }],
    ['description', { description: '   ' }],
    ['provider.name', { provider: {} }],
    ['provider.country', { provider: { name: 'Zoom', country: 'usa' } }],
  ])('400 invalid_field names %s', async (param, more) => {
    const issuer = await openIssuer(world)
    const sent = await create(issuer, more)
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', param])
  })

  it('400 invalid_rut for a RUT with the wrong check digit', async () => {
    const sent = await create(await openIssuer(world), { provider: { name: 'X', rut: '76192083-0' } })
    expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_rut', 'provider.rut'])
  })
})

describe('a date ahead', () => {
  it('is one after today in Santiago: 02:30 UTC is still the evening before there', () => {
    // UTC-4 in winter: 2 June, 02:30 UTC, is 1 June, 22:30.
    const now = new Date('2026-06-02T02:30:00Z')
    expect(() => refuseFuture('2026-06-01', now)).not.toThrow()
    expect(() => refuseFuture('2026-06-02', now)).toThrow('date: is after today in Santiago (2026-06-01).')
  })

  it('400 invalid_field on date, when it is written down and when it is corrected', async () => {
    const issuer = await openIssuer(world)
    const made = await create(issuer, { date: santiagoDate(new Date()) })
    expect(made.status).toBe(201)
    const date = addDays(santiagoDate(new Date()), 3)
    const path = `/v1/tax/expenses/${made.body.id}`
    for (const sent of [await create(issuer, { date }), await issuer.patch(path, { date })]) {
      expect([sent.status, sent.body.error.code, sent.body.error.param]).toEqual([400, 'invalid_field', 'date'])
    }
  })
})

describe('PATCH and DELETE /tax/expenses/{expense_id}', () => {
  const told = async (issuer: Issuer, type: string) => {
    const key = await world.key(issuer.account, { scopes: ['webhooks:read'] })
    return (await world.get(`/v1/events?type=${type}`, { key })).body.data
  }

  it('200 with what was sent changed and the rest as it was, told once', async () => {
    const issuer = await openIssuer(world)
    const made = await create(issuer, { category: 'Nube', provider: { name: 'AWS', country: 'US' } })
    const path = `/v1/tax/expenses/${made.body.id}`
    const patched = await issuer.patch(path, { amount: 2_600, category: null })
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({ ...made.body, amount: 2_600, category: null, changed_at: patched.body.changed_at })
    expect((await issuer.get(path)).body).toEqual(patched.body)
    expect((await issuer.patch(path, { amount: 2_600 })).body).toEqual(patched.body)
    const provider = { name: 'Arriendos SpA', rut: '76192083-9' }
    expect((await issuer.patch(path, { provider })).body.provider).toEqual({ ...provider, country: 'CL' })
    const events = await told(issuer, 'tax.expense.updated')
    expect(events).toHaveLength(2)
    expect(events.at(-1).data.previous_attributes).toMatchObject({ amount: 2_500, category: 'Nube' })
  })

  it('204, then it is gone and told, and a second time it is 404 expense_not_found', async () => {
    const issuer = await openIssuer(world)
    const path = `/v1/tax/expenses/${(await create(issuer)).body.id}`
    expect((await issuer.delete(path)).status).toBe(204)
    expect(await amounts(issuer)).toEqual([])
    expect(await told(issuer, 'tax.expense.deleted')).toHaveLength(1)
    for (const sent of [await issuer.get(path), await issuer.patch(path, { amount: 1 }), await issuer.delete(path)]) {
      expect([sent.status, sent.body.error.code]).toEqual([404, 'expense_not_found'])
    }
  })

  it('409 expense_of_movement: the expense of a movement follows its movement', async () => {
    const issuer = await openIssuer(world)
    await spend(issuer, 'GOOGLE *ADS', '2025-11-05', -3)
    const [{ id, movement_id }] = (await issuer.get('/v1/tax/expenses')).body.data
    for (const sent of [
      await issuer.patch(`/v1/tax/expenses/${id}`, { amount: 1 }),
      await issuer.delete(`/v1/tax/expenses/${id}`),
    ]) {
      expect([sent.status, sent.body.error.code]).toEqual([409, 'expense_of_movement'])
      expect(sent.body.error.existing_id).toBe(movement_id)
    }
    expect(await amounts(issuer)).toEqual([3])
  })
})

describe('GET /tax/expenses', () => {
  it('has what was written by hand and what left the bank, newest day first, a page at a time', async () => {
    const issuer = await openIssuer(world)
    await spend(issuer, 'GOOGLE *ADS', '2025-11-05', -3)
    await spend(issuer, 'ABONO', '2025-11-06', 9)
    await create(issuer, { date: '2025-11-04', amount: 2 })
    await create(issuer, { date: '2025-11-03', amount: 1 })
    await create(issuer, { date: '2025-11-06', amount: 4 })
    const seen: number[] = []
    for (let cursor = '', more = true; more; ) {
      const { body } = await issuer.get(`/v1/tax/expenses?limit=2${cursor}`)
      seen.push(...body.data.map(({ amount }: { amount: number }) => amount))
      cursor = `&cursor=${body.next_cursor}`
      more = body.has_more
    }
    expect(seen).toEqual([4, 3, 2, 1])
  })

  it('filters by day, source, currency and provider, by RUT or by name in any case', async () => {
    const issuer = await openIssuer(world)
    await spend(issuer, 'GOOGLE *ADS', '2025-11-05', -3)
    await create(issuer, { date: '2025-11-04', amount: 2, currency: 'USD' })
    await create(issuer, { date: '2025-11-03', amount: 1, provider: { name: 'Luz SA', rut: '76192083-9' } })
    expect(await amounts(issuer, '?from=2025-11-04')).toEqual([3, 2])
    expect(await amounts(issuer, '?to=2025-11-04')).toEqual([2, 1])
    expect(await amounts(issuer, '?from=2025-11-04&to=2025-11-04')).toEqual([2])
    expect(await amounts(issuer, '?source=movement')).toEqual([3])
    expect(await amounts(issuer, '?source=manual')).toEqual([2, 1])
    expect(await amounts(issuer, '?currency=USD')).toEqual([2])
    expect(await amounts(issuer, '?provider=76192083-9')).toEqual([1])
    expect(await amounts(issuer, '?provider=amazon%20web%20services')).toEqual([2])
    expect(await amounts(issuer, '?provider=google%20*ads')).toEqual([3])
  })

  it('400 invalid_cursor under other filters', async () => {
    const issuer = await openIssuer(world)
    for (const amount of [1, 2]) await create(issuer, { amount })
    const { body } = await issuer.get('/v1/tax/expenses?limit=1')
    const sent = await issuer.get(`/v1/tax/expenses?limit=1&source=manual&cursor=${body.next_cursor}`)
    expect([sent.status, sent.body.error.code]).toEqual([400, 'invalid_cursor'])
  })

  it('shows nothing of another empresa of the same account', async () => {
    const issuer = await openIssuer(world)
    await create(await openIssuer(world, { account: issuer.account }))
    expect(await amounts(issuer)).toEqual([])
  })
})
