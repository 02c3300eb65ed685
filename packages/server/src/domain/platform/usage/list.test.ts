import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NOVEMBER, openUsage } from '../../../../test/support/metered-account.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let ours: Awaited<ReturnType<typeof openUsage>>
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  ours = await openUsage(world)
})
afterAll(() => world.close())

describe('GET /usage/records', () => {
  it('200 shows a record whole', async () => {
    const { get, one, record, used } = ours
    const row = used(one, { quantity: 2 })
    await record(row)
    const [shown] = (await get('/usage/records')).body.data
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
    const { get, one, record, two, used } = ours
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
    const { one, record, subjects, two, used } = ours
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
    const day = { 'created_at[gte]': NOVEMBER.toISOString(), 'created_at[lte]': NOVEMBER.toISOString() }
    expect(await subjects(day)).toEqual(newest(2))
    expect(await subjects({ period: '2025-10', 'created_at[gte]': NOVEMBER.toISOString() })).toEqual([])
    expect(await subjects({ period: '2025-11', 'created_at[lte]': NOVEMBER.toISOString() })).toEqual(newest(2))
    expect(await subjects({ kind: 'document_issued', tipo_dte: '39', period: '2025-11' })).toEqual(newest(3))
    expect(await subjects({ kind: 'document_ceded' })).toEqual([])
  })

  it('200 puts an instant in the month it was in Santiago, not in UTC', async () => {
    const { one, record, subjects, summary, used } = ours
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
    const { get } = ours
    const refused = await get('/usage/records', query as unknown as Record<string, string>)
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([400, 'invalid_field', param])
  })

  it('200 finds nothing in years beyond any calendar of ours', async () => {
    const { one, record, subjects, used } = ours
    await record(used(one))
    expect(await subjects({ 'created_at[lte]': '1900-01-01T00:00:00Z' })).toEqual([])
    expect(await subjects({ 'created_at[gte]': '9999-12-31T23:59:59-12:00' })).toEqual([])
    for (const period of ['0000-01', '9999-12']) expect(await subjects({ period })).toEqual([])
  })

  it('400 invalid_cursor under other filters, for another key, of another account, or garbled', async () => {
    const { account, get, one, record, used } = ours
    await record(used(one), used(one), used(one))
    const cursor = (await get('/usage/records', { limit: '1' })).body.next_cursor
    const narrow = await world.key(account, { empresas: [one.rut] })
    const refused = [
      await get('/usage/records', { cursor, kind: 'document_issued' }),
      await get('/usage/records', { cursor }, narrow),
      await get('/usage/records', { cursor }, await world.key(await world.account())),
      await get('/usage/records', { cursor: `${cursor}x` }),
    ]
    for (const { status, body } of refused) expect([status, body.error?.code]).toEqual([400, 'invalid_cursor'])
  })
})
