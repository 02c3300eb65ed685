import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIssuer } from '../../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../../test/support/world.ts'
import type { MovementLine, MovementScope } from '../row.ts'
import { recordMovements, removeMovements } from './record.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const AT = new Date('2026-11-05T12:00:00Z')
const bank = { type: 'connection', id: 'con_a' } as const
const cartola = { type: 'statement', id: 'stm_a' } as const

const line = (more: Partial<MovementLine> = {}): MovementLine => ({
  external_id: null,
  bank_account: '000-123456-07',
  post_date: '2026-11-03',
  amount: -12_000,
  currency: 'CLP',
  description: 'COMPRA CAFE',
  counterparty_rut: null,
  counterparty_name: null,
  ...more,
})

async function scopeOf(mode = 'test' as const): Promise<MovementScope> {
  const issuer = await openIssuer(world)
  const [row] = await world.db.sql<{ account_id: string }>`
    select account_id from empresa where id = ${issuer.empresa_id}`
  return { account_id: row?.account_id ?? '', empresa_id: issuer.empresa_id, mode }
}

const record = (scope: MovementScope, source: typeof bank | typeof cartola, lines: MovementLine[]) =>
  recordMovements(world.db.sql, scope, source, lines, AT)

const movements = ({ empresa_id }: MovementScope) =>
  world.db.sql<{ id: string; amount: number; removed_at: Date | null; description: string }>`
    select id, amount, removed_at, description from movement where empresa_id = ${empresa_id} order by id`
const expenses = ({ empresa_id }: MovementScope) =>
  world.db.sql<{ id: string; amount: number; removed_at: Date | null; provider_name: string; movement_id: string }>`
    select id, amount, removed_at, provider_name, movement_id from expense where empresa_id = ${empresa_id} order by id`

describe('movements without an id of their bank', () => {
  it('are kept once however often they come, whatever the case and the spaces of their words', async () => {
    const scope = await scopeOf()
    expect(await record(scope, cartola, [line()])).toMatchObject({ imported: 1, duplicates: 0, changed: 0 })
    const again = [line({ description: ' Compra  café'.replace('é', 'e'), bank_account: 'Cta 12345607' })]
    expect(await record(scope, { ...cartola, id: 'stm_b' } as never, again)).toEqual({
      imported: 0,
      duplicates: 1,
      changed: 0,
      movement_ids: [],
    })
    expect(await movements(scope)).toHaveLength(1)
  })

  it('are two when one file has two alike, and stay two when an overlapping file brings both again', async () => {
    const scope = await scopeOf()
    expect(await record(scope, cartola, [line(), line()])).toMatchObject({ imported: 2, duplicates: 0 })
    expect(await record(scope, cartola, [line(), line(), line()])).toMatchObject({ imported: 1, duplicates: 2 })
    expect(await movements(scope)).toHaveLength(3)
  })

  it('count alike across calls that share what was seen', async () => {
    const scope = await scopeOf()
    const seen = new Map<string, number>()
    for (const expected of [1, 1]) {
      const { imported } = await recordMovements(world.db.sql, scope, cartola, [line()], AT, seen)
      expect(imported).toBe(expected)
    }
  })

  it('differ by account, date, amount, currency and words', async () => {
    const scope = await scopeOf()
    const others = [
      { bank_account: '999' },
      { post_date: '2026-11-04' },
      { amount: -12_001 },
      { currency: 'USD' },
      { description: 'COMPRA TE' },
    ]
    expect((await record(scope, cartola, [line(), ...others.map(line)])).imported).toBe(6)
  })
})

describe('movements with an id of their bank', () => {
  it('keep their id when the bank edits them, and their expense changes along', async () => {
    const scope = await scopeOf()
    const first = await record(scope, bank, [line({ external_id: 'a' })])
    expect(await record(scope, bank, [line({ external_id: 'a' })])).toMatchObject({ duplicates: 1, changed: 0 })
    const edited = await record(scope, bank, [line({ external_id: 'a', amount: -13_000 })])
    expect(edited).toEqual({ imported: 0, duplicates: 0, changed: 1, movement_ids: first.movement_ids })
    expect(await movements(scope)).toMatchObject([{ amount: -13_000 }])
    expect(await expenses(scope)).toMatchObject([{ amount: 13_000, removed_at: null }])
  })

  it('are another movement under another connection', async () => {
    const scope = await scopeOf()
    await record(scope, bank, [line({ external_id: 'a' })])
    expect(await record(scope, { ...bank, id: 'con_b' } as never, [line({ external_id: 'a' })])).toMatchObject({
      imported: 1,
    })
  })

  it('count once when a page carries one twice, and the last word stands', async () => {
    const scope = await scopeOf()
    const twice = [line({ external_id: 'a' }), line({ external_id: 'a', amount: -1 })]
    expect(await record(scope, bank, twice)).toMatchObject({ imported: 1, duplicates: 1 })
    expect(await movements(scope)).toMatchObject([{ amount: -1 }])
  })

  it('are hidden with their expense when the bank takes them back, once, and return when it tells them again', async () => {
    const scope = await scopeOf()
    await record(scope, bank, [line({ external_id: 'a' }), line({ external_id: 'b' })])
    expect(await removeMovements(world.db.sql, scope, bank, ['a', 'unknown'], AT)).toBe(1)
    expect(await removeMovements(world.db.sql, scope, bank, ['a'], AT)).toBe(0)
    expect((await movements(scope)).map(({ removed_at }) => removed_at !== null)).toEqual([true, false])
    expect((await expenses(scope)).filter(({ removed_at }) => removed_at !== null)).toHaveLength(1)
    expect(await record(scope, bank, [line({ external_id: 'a' })])).toMatchObject({ changed: 1 })
    expect((await movements(scope)).every(({ removed_at }) => removed_at === null)).toBe(true)
    expect((await expenses(scope)).every(({ removed_at }) => removed_at === null)).toBe(true)
  })

  it('are removed from the connection that told them alone, and from one empresa alone', async () => {
    const [mine, theirs] = [await scopeOf(), await scopeOf()]
    for (const scope of [mine, theirs]) await record(scope, bank, [line({ external_id: 'a' })])
    expect(await removeMovements(world.db.sql, mine, { ...bank, id: 'con_b' }, ['a'], AT)).toBe(0)
    expect(await removeMovements(world.db.sql, mine, bank, ['a'], AT)).toBe(1)
    expect(await movements(theirs)).toMatchObject([{ removed_at: null }])
  })
})

describe('expenses', () => {
  it('are what goes out, named after whoever was paid, or after the line where the bank does not say', async () => {
    const scope = await scopeOf()
    const paid = line({ counterparty_name: 'Arriendos SpA', counterparty_rut: '76192083-9', amount: -500_000 })
    await record(scope, cartola, [line(), paid, line({ amount: 90_000, description: 'ABONO' })])
    const spent = await expenses(scope)
    expect(spent.map(({ provider_name, amount }) => [provider_name, amount]).sort()).toEqual([
      ['Arriendos SpA', 500_000],
      ['COMPRA CAFE', 12_000],
    ])
  })

  it('go when an edit turns a payment into an income, and come back when it turns again', async () => {
    const scope = await scopeOf()
    await record(scope, bank, [line({ external_id: 'a' })])
    await record(scope, bank, [line({ external_id: 'a', amount: 12_000 })])
    expect(await expenses(scope)).toMatchObject([{ removed_at: expect.any(Date) }])
    await record(scope, bank, [line({ external_id: 'a', amount: -7 })])
    expect(await expenses(scope)).toMatchObject([{ removed_at: null, amount: 7 }])
  })
})
