import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyEmpresa } from '../../../../test/support/insert-empresa.ts'
import { NONE, openUsage } from '../../../../test/support/metered-account.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { recordUsage } from './record.ts'

let world: World
let ours: Awaited<ReturnType<typeof openUsage>>
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  ours = await openUsage(world)
})
afterAll(() => world.close())

describe('what usage shows to whom', () => {
  it('nothing of another account or of the other mode', async () => {
    const { account, one, record, subjects, summary, used } = ours
    await record(used(one), used(one, {}, 'live'))
    const live = await world.key(account, { mode: 'live' })
    const stranger = await world.key(await world.account())
    expect([(await subjects()).length, (await subjects({}, live)).length]).toEqual([1, 1])
    expect((await summary({}, live)).totals.document_issued).toBe(1)
    expect(await subjects({}, stranger)).toEqual([])
    expect((await summary({}, stranger)).totals).toEqual(NONE)
  })

  it('nothing of an empresa outside the allowlist of the key, not even when asked for by its RUT', async () => {
    const { account, one, record, subjects, summary, two, used } = ours
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
    const { key, one, record, subjects, summary, used } = ours
    await record(used(one))
    expect((await world.delete(`/v1/empresas/${one.id}`, { key })).status).toBe(204)
    expect(await subjects({ empresa_rut: one.rut })).toHaveLength(1)
    expect((await summary()).by_empresa).toMatchObject([{ empresa: one, document_issued: 1 }])
  })
})

describe('the usage ledger', () => {
  it('takes no change and no deletion', async () => {
    const { account, one, record, used } = ours
    await record(used(one))
    const { sql } = world.db
    await expect(sql`update usage_record set quantity = 9 where account_id = ${account}`).rejects.toThrow('append only')
    await expect(sql`delete from usage_record where account_id = ${account}`).rejects.toThrow('append only')
  })

  it('holds nothing, and counts nothing, of a transaction that was rolled back', async () => {
    const { one, subjects, summary, used } = ours
    const failing = world.db.transact(async (sql) => {
      await recordUsage(sql, [used(one)])
      throw new Error('it did not happen')
    })
    await expect(failing).rejects.toThrow('it did not happen')
    expect([await subjects(), (await summary()).totals]).toEqual([[], NONE])
  })

  it('takes an empty list without a word', async () => {
    const { record, subjects } = ours
    await record()
    expect(await subjects()).toEqual([])
  })

  it('refuses a quantity that is not positive', async () => {
    const { one, record, used } = ours
    await expect(record(used(one, { quantity: 0 }))).rejects.toThrow('quantity')
  })
})
