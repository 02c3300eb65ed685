import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../test/empresa.ts'
import { openWorld, randomRut, type World } from '../../../test/world.ts'
import type { Mode } from '../../catalog/modes.ts'
import { systemNow } from '../../kernel/clock.ts'
import { newId } from '../../kernel/id.ts'
import { periodOf, recordUsage, type Usage } from './record.ts'

interface Own {
  readonly id: string
  readonly rut: string
}

let world: World
let account: string
let key: string
let one: Own
let two: Own
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  account = await world.account()
  key = await world.key(account)
  one = await emptyEmpresa(world, account)
  two = await emptyEmpresa(world, account)
})
afterAll(() => world.close())

const NOVEMBER = new Date('2025-11-15T15:00:00Z')

function used({ id, rut }: Own, facts: Partial<Usage> = {}, mode: Mode = 'test'): Usage {
  const empresa = { account_id: account, mode, empresa_id: id, rut }
  return {
    empresa,
    kind: 'document_issued',
    tipo_dte: 33,
    quantity: 1,
    subject_id: newId('document'),
    at: NOVEMBER,
    ...facts,
  }
}

const record = (...rows: Usage[]) => world.db.transact((sql) => recordUsage(sql, rows))
const get = (path: string, query: Record<string, string> = {}, with_key = key) =>
  world.get(`/v1${path}?${new URLSearchParams(query)}`, { key: with_key })
const summary = async (query: Record<string, string> = {}, with_key = key) =>
  (await get('/usage', { period: '2025-11', ...query }, with_key)).body
const records = async (query: Record<string, string> = {}, with_key = key) =>
  (await get('/usage/records', query, with_key)).body.data as { id: string; subject_id: string; period: string }[]
const subjects = async (query: Record<string, string> = {}, with_key = key) =>
  (await records(query, with_key)).map(({ subject_id }) => subject_id)

const NONE = { document_issued: 0, document_emailed: 0, document_ceded: 0, document_received: 0, folios_requested: 0 }

describe('GET /usage', () => {
  it('200 adds up a period by kind, by tipo and by empresa, whoever issued most first', async () => {
    await record(
      used(one),
      used(two),
      used(two, { tipo_dte: 39 }),
      used(two, { kind: 'document_emailed', tipo_dte: 39 }),
      used(one, { kind: 'folios_requested', tipo_dte: 39, quantity: 500 }),
      used(one, { kind: 'document_received', tipo_dte: null }),
    )
    expect(await summary()).toEqual({
      object: 'usage_summary',
      mode: 'test',
      period: '2025-11',
      totals: { ...NONE, document_issued: 3, document_emailed: 1, document_received: 1, folios_requested: 500 },
      by_tipo: [
        { tipo_dte: 33, ...NONE, document_issued: 2 },
        { tipo_dte: 39, ...NONE, document_issued: 1, document_emailed: 1, folios_requested: 500 },
      ],
      by_empresa: [
        { empresa: two, ...NONE, document_issued: 2, document_emailed: 1 },
        { empresa: one, ...NONE, document_issued: 1, document_received: 1, folios_requested: 500 },
      ],
      empresas_total: 2,
    })
  })

  it('200 counts what is recorded one by one as it counts what is recorded at once', async () => {
    for (let i = 0; i < 3; i++) await record(used(one))
    await record(used(one), used(one))
    expect((await summary()).totals.document_issued).toBe(5)
  })

  it('200 counts everything that many transactions record at once, of many empresas in any order', async () => {
    const batch = [used(one), used(two), used(one, { tipo_dte: 39 }), used(two, { kind: 'document_emailed' })]
    await Promise.all(Array.from({ length: 12 }, (_, i) => record(...(i % 2 ? batch : [...batch].reverse()))))
    expect((await summary()).totals).toEqual({ ...NONE, document_issued: 36, document_emailed: 12 })
    const [ledger] = await world.db.sql<{ sum: number }>`
      select sum(quantity) from usage_record where account_id = ${account}`
    expect(ledger?.sum).toBe(48)
  })

  it('200 is of the present month in Santiago by default, by the clock of the account', async () => {
    const frozen_time = new Date(systemNow() + 60 * 24 * 3600 * 1000).toISOString()
    await world.post('/v1/test_helpers/clock', { key, body: { frozen_time } })
    await record(used(one, { at: new Date(frozen_time) }))
    const { body } = await get('/usage')
    expect(body).toMatchObject({ period: periodOf(new Date(frozen_time)), totals: { document_issued: 1 } })
  })

  it('200 with zeros for a period in which nothing happened', async () => {
    await record(used(one))
    const { body } = await get('/usage', { period: '2025-10' })
    expect(body).toMatchObject({ totals: NONE, by_tipo: [], by_empresa: [], empresas_total: 0 })
  })

  it('200 of one empresa on request', async () => {
    await record(used(one), used(two))
    expect(await summary({ empresa_rut: one.rut })).toMatchObject({
      totals: { document_issued: 1 },
      by_empresa: [{ empresa: one }],
      empresas_total: 1,
    })
  })

  it('200 shows at most 1,000 empresas and says how many there are', async () => {
    const many = Array.from({ length: 1001 }, () => ({ id: newId('empresa'), rut: randomRut() }))
    await record(...many.map((own) => used(own)), used(one), used(one))
    const { totals, by_empresa, empresas_total } = await summary()
    expect([totals.document_issued, by_empresa.length, empresas_total]).toEqual([1003, 1000, 1002])
    expect(by_empresa[0].empresa).toEqual(one)
  })

  it.each(['2025-13', '2025-00', '25-11', '2025-11-01', '2025'])(
    '400 invalid_field names the period %s',
    async (period) => {
      for (const path of ['/usage', '/usage/records']) {
        const refused = await get(path, { period })
        expect([refused.status, refused.body.error.param]).toEqual([400, 'period'])
      }
    },
  )
})

describe('GET /usage/records', () => {
  it('200 shows a record whole', async () => {
    const row = used(one, { quantity: 2 })
    await record(row)
    const [shown] = await records()
    expect(shown).toEqual({
      object: 'usage_record',
      id: expect.stringMatching(/^usg_/),
      mode: 'test',
      empresa: one,
      kind: 'document_issued',
      tipo_dte: 33,
      quantity: 2,
      subject_id: row.subject_id,
      period: '2025-11',
      created_at: NOVEMBER.toISOString(),
    })
  })

  it('200 pages newest first, each once, though many happened in the same instant', async () => {
    const rows = Array.from({ length: 7 }, (_, i) => used(i % 2 ? one : two))
    const later = used(one, { at: new Date(NOVEMBER.getTime() + 1) })
    await record(...rows, later)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await get('/usage/records', { limit: '3', ...(cursor !== '' && { cursor }) })
      seen.push(...body.data.map((row: { subject_id: string }) => row.subject_id))
      cursor = body.next_cursor
      expect(body.has_more).toBe(cursor !== null)
    }
    expect(seen).toEqual([later, ...rows.reverse()].map(({ subject_id }) => subject_id))
  })

  it('200 filters by period, empresa, kind, tipo and instant, alone and together', async () => {
    const first = used(one, { at: new Date('2025-10-10T00:00:00Z') })
    const second = used(two, { kind: 'document_emailed', tipo_dte: 39 })
    const third = used(one, { tipo_dte: 39, at: new Date('2025-11-20T00:00:00Z') })
    await record(first, second, third)
    const ids = [first, second, third].map(({ subject_id }) => subject_id)
    const newest = (...which: number[]) => which.map((i) => ids[i - 1])
    expect(await subjects()).toEqual(newest(3, 2, 1))
    expect(await subjects({ period: '2025-11' })).toEqual(newest(3, 2))
    expect(await subjects({ empresa_rut: one.rut })).toEqual(newest(3, 1))
    expect(await subjects({ kind: 'document_issued' })).toEqual(newest(3, 1))
    expect(await subjects({ tipo_dte: '39' })).toEqual(newest(3, 2))
    expect(await subjects({ 'created_at[gte]': NOVEMBER.toISOString() })).toEqual(newest(3, 2))
    expect(await subjects({ 'created_at[lte]': NOVEMBER.toISOString() })).toEqual(newest(2, 1))
    expect(await subjects({ kind: 'document_issued', tipo_dte: '39', period: '2025-11' })).toEqual(newest(3))
    expect(await subjects({ kind: 'document_ceded' })).toEqual([])
  })

  it('200 puts an instant in the month it was in Santiago, not in UTC', async () => {
    const last = used(one, { at: new Date('2025-12-01T02:59:59Z') })
    const next = used(one, { at: new Date('2025-12-01T03:00:00Z') })
    await record(last, next)
    expect(await subjects({ period: '2025-11' })).toEqual([last.subject_id])
    expect(await subjects({ period: '2025-12' })).toEqual([next.subject_id])
    expect((await summary()).totals.document_issued).toBe(1)
  })

  it.each([
    ['kind', { kind: 'document_sold' }],
    ['tipo_dte', { tipo_dte: '35' }],
    ['created_at[gte]', { 'created_at[gte]': 'ayer' }],
    ['created_at[lte]', { 'created_at[lte]': '2025-12-31T23:59:60Z' }],
    ['limit', { limit: '101' }],
  ])('400 invalid_field names %s in %j', async (param, query) => {
    const refused = await get('/usage/records', query as unknown as Record<string, string>)
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([400, 'invalid_field', param])
  })

  it('400 invalid_cursor under other filters, for another key, or garbled', async () => {
    await record(used(one), used(one), used(one))
    const cursor = (await get('/usage/records', { limit: '1' })).body.next_cursor
    const narrow = await world.key(account, { empresas: [one.rut] })
    const refused = [
      await get('/usage/records', { cursor, kind: 'document_issued' }),
      await get('/usage/records', { cursor }, narrow),
      await get('/usage/records', { cursor: `${cursor}x` }),
    ]
    for (const { status, body } of refused) expect([status, body.error?.code]).toEqual([400, 'invalid_cursor'])
  })
})

describe('what usage shows to whom', () => {
  it('nothing of another account or of the other mode', async () => {
    await record(used(one), used(one, {}, 'live'))
    const live = await world.key(account, { mode: 'live' })
    const stranger = await world.key(await world.account())
    expect([(await records()).length, (await records({}, live)).length]).toEqual([1, 1])
    expect((await summary({}, live)).totals.document_issued).toBe(1)
    expect(await records({}, stranger)).toEqual([])
    expect((await summary({}, stranger)).totals).toEqual(NONE)
  })

  it('nothing of an empresa outside the allowlist of the key, not even when asked for by its RUT', async () => {
    const three = await emptyEmpresa(world, account)
    const rows = [used(one), used(two), used(three), used(one)]
    await record(...rows)
    const [first, second, , last] = rows.map(({ subject_id }) => subject_id)
    const narrow = await world.key(account, { empresas: [one.rut, two.rut] })
    expect(await subjects({}, narrow)).toEqual([last, second, first])
    expect((await summary({}, narrow)).empresas_total).toBe(2)
    expect(await subjects({ empresa_rut: three.rut }, narrow)).toEqual([])
    expect((await summary({ empresa_rut: three.rut }, narrow)).totals).toEqual(NONE)
    expect(await subjects({ empresa_rut: two.rut }, narrow)).toEqual([second])
  })

  it('what a deleted sandbox empresa used, which its deletion does not touch', async () => {
    await record(used(one))
    expect((await world.delete(`/v1/empresas/${one.id}`, { key })).status).toBe(204)
    expect(await records({ empresa_rut: one.rut })).toHaveLength(1)
    expect((await summary()).by_empresa).toMatchObject([{ empresa: one, document_issued: 1 }])
  })
})

describe('the usage ledger', () => {
  it('takes no change and no deletion', async () => {
    await record(used(one))
    const { sql } = world.db
    await expect(sql`update usage_record set quantity = 9 where account_id = ${account}`).rejects.toThrow('append only')
    await expect(sql`delete from usage_record where account_id = ${account}`).rejects.toThrow('append only')
  })

  it('holds nothing, and counts nothing, of a transaction that was rolled back', async () => {
    const failing = world.db.transact(async (sql) => {
      await recordUsage(sql, [used(one)])
      throw new Error('it did not happen')
    })
    await expect(failing).rejects.toThrow('it did not happen')
    expect([await records(), (await summary()).totals]).toEqual([[], NONE])
  })

  it('takes an empty list without a word', async () => {
    await record()
    expect(await records()).toEqual([])
  })

  it('refuses a quantity that is not positive', async () => {
    await expect(record(used(one, { quantity: 0 }))).rejects.toThrow('quantity')
  })
})
