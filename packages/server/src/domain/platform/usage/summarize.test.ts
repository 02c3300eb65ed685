import { santiagoPeriod } from '@timbre/dte/values'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NONE, openUsage } from '../../../../test/support/metered-account.ts'
import { moveClock } from '../../../../test/support/move-clock.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/id.ts'

let world: World
let ours: Awaited<ReturnType<typeof openUsage>>
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  ours = await openUsage(world)
})
afterAll(() => world.close())

describe('GET /usage', () => {
  it('200 adds up a period by kind, by tipo and by empresa, whoever issued most first', async () => {
    const { one, record, summary, two, used } = ours
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
    const { one, record, summary, used } = ours
    for (let i = 0; i < 3; i++) await record(used(one))
    await record(used(one), used(one))
    expect((await summary()).totals.document_issued).toBe(5)
  })

  it('200 counts everything that many transactions record at once, of many empresas in any order', async () => {
    const { account, one, record, summary, two, used } = ours
    const batch = [used(one), used(two), used(one, { tipo_dte: 39 }), used(two, { kind: 'document_emailed' })]
    await Promise.all(Array.from({ length: 12 }, (_, i) => record(...(i % 2 ? batch : [...batch].reverse()))))
    expect((await summary()).totals).toEqual({ ...NONE, document_issued: 36, document_emailed: 12 })
    const [ledger] = await world.db.sql<{ sum: number }>`
      select sum(quantity) from usage_record where account_id = ${account}`
    expect(ledger?.sum).toBe(48)
  })

  it('200 is of the present month in Santiago by default, by the clock of the account', async () => {
    const { get, key, one, record, used } = ours
    const frozen_time = new Date(systemNow() + 60 * 24 * 3600 * 1000).toISOString()
    await moveClock(world, key, { frozen_time })
    await record(used(one, { at: new Date(frozen_time) }))
    const { body } = await get('/usage')
    expect(body).toMatchObject({ period: santiagoPeriod(new Date(frozen_time)), totals: { document_issued: 1 } })
  })

  it('200 with zeros for a period in which nothing happened', async () => {
    const { get, one, record, used } = ours
    await record(used(one))
    const { body } = await get('/usage', { period: '2025-10' })
    expect(body).toMatchObject({ totals: NONE, by_tipo: [], by_empresa: [], empresas_total: 0 })
  })

  it('200 of one empresa on request', async () => {
    const { one, record, summary, two, used } = ours
    await record(used(one), used(two))
    expect(await summary({ empresa_rut: one.rut })).toMatchObject({
      totals: { document_issued: 1 },
      by_empresa: [{ empresa: one }],
      empresas_total: 1,
    })
  })

  it('200 shows at most 1,000 empresas and says how many there are', async () => {
    const { one, record, summary, used } = ours
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
        const refused = await ours.get(path, { period })
        expect([refused.status, refused.body.error.param]).toEqual([400, 'period'])
      }
    },
  )
})
