import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { recordMovements } from '../../banking/movement/ingest/record.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
})
afterAll(() => world.close())

const EXPENSE = { date: '2026-11-03', description: 'Hosting', provider: { name: 'Amazon Web Services' }, amount: 2_500 }

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

describe('GET /tax/expenses', () => {
  it('has what was written by hand and what left the bank, newest day first, a page at a time', async () => {
    const issuer = await openIssuer(world)
    await spend(issuer, 'GOOGLE *ADS', '2026-11-05', -3)
    await spend(issuer, 'ABONO', '2026-11-06', 9)
    await create(issuer, { date: '2026-11-04', amount: 2 })
    await create(issuer, { date: '2026-11-03', amount: 1 })
    await create(issuer, { date: '2026-11-06', amount: 4 })
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
    await spend(issuer, 'GOOGLE *ADS', '2026-11-05', -3)
    await create(issuer, { date: '2026-11-04', amount: 2, currency: 'USD' })
    await create(issuer, { date: '2026-11-03', amount: 1, provider: { name: 'Luz SA', rut: '76192083-9' } })
    expect(await amounts(issuer, '?from=2026-11-04')).toEqual([3, 2])
    expect(await amounts(issuer, '?to=2026-11-04')).toEqual([2, 1])
    expect(await amounts(issuer, '?from=2026-11-04&to=2026-11-04')).toEqual([2])
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
