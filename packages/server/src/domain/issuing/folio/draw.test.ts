import { addDays, addMonths } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, type FolioWorld, openFolioWorld } from '../../../../test/support/folio-stock.ts'
import { watchPlans } from '../../../../test/support/plan-of.ts'
import { recordDraw } from './store.ts'

let at: FolioWorld
beforeAll(async () => {
  at = await openFolioWorld()
})
afterAll(() => at.world.close())

describe('drawFolios', () => {
  it('takes the next folios of the lowest range and goes on with the next range where one ends', async () => {
    const scope = await at.empresa()
    const second = await at.grant(scope, { first_folio: 11, last_folio: 20 })
    const first = await at.grant(scope, { first_folio: 1, last_folio: 5 })
    expect(await at.draw(scope, 2)).toEqual([1, 2].map((folio) => ({ caf_id: first, folio })))
    expect(await at.draw(scope, 5)).toEqual([
      ...[3, 4, 5].map((folio) => ({ caf_id: first, folio })),
      ...[11, 12].map((folio) => ({ caf_id: second, folio })),
    ])
  })

  it('gives fewer when the chain ends, and nothing when it has ended', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 3 })
    expect((await at.draw(scope, 5)).map(({ folio }) => folio)).toEqual([1, 2, 3])
    expect(await at.draw(scope, 1)).toEqual([])
  })

  it('keeps tipos, empresas and ambientes apart', async () => {
    const scope = await at.empresa()
    const other = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 3 })
    // A range of its certification, from before it emitted.
    const become = (emitting_since: Date | null) =>
      at.world.db.sql`update empresa set emitting_since = ${emitting_since} where id = ${scope.empresa_id}`
    await become(null)
    await at.grant(scope, { first_folio: 1, last_folio: 3, key_id: 100 })
    await become(new Date('2026-01-05T12:00:00Z'))
    expect(await at.draw(other, 1)).toEqual([])
    expect(await at.draw(scope, 1, { tipo_dte: 34 })).toEqual([])
    expect((await at.draw(scope, 9)).map(({ folio }) => folio)).toEqual([1, 2, 3])
  })

  it('passes over a range past its last day and goes on with the next', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 9, authorised_on: day(-30) })
    await at.grant(scope, { first_folio: 10, last_folio: 19, authorised_on: day(-1) })
    const last_day = addMonths(day(-30), 6)
    expect((await at.draw(scope, 1, { on: last_day }))[0]?.folio).toBe(1)
    expect((await at.draw(scope, 1, { on: addDays(last_day, 1) }))[0]?.folio).toBe(10)
  })

  it('finds the ranges that it moves by their ids, however many an empresa has spent', async () => {
    const scope = await at.empresa()
    const id = await at.grant(scope, { first_folio: 1, last_folio: 9 })
    const { db } = at.world
    // So few for each of the others that the planner takes all of an empresa for as good as one.
    await db.sql`
      insert into caf (account_id, empresa_id, mode, id, tipo_dte, ambiente, from_folio, to_folio, next_folio, authorised_on, key_id,
        source, sealed, created_at)
      select account_id, empresa_id, mode, 'caf_spent_' || n, tipo_dte, ambiente, n * 10, n * 10 + 9, n * 10 + 10, authorised_on, key_id,
        source, sealed, created_at
      from caf, generate_series(1, 500) n where id = ${id}`
    await db.sql`analyze caf`
    const read = await db.steady.transact(async (sql) => {
      const watched = watchPlans(sql)
      await recordDraw(watched.sql, scope, [{ id, next_folio: 2 }], { tipo_dte: 33, on: day(0), used: 1 })
      return watched.plans.flat().filter((step) => step['Relation Name'] === 'caf' && step['Index Cond'] !== undefined)
    })
    expect(read.map((step) => step['Index Cond'])).toEqual([expect.stringMatching(/\bid = /)])
  })

  it('passes over a range that was deactivated', async () => {
    const scope = await at.empresa()
    const caf_id = await at.grant(scope, { first_folio: 1, last_folio: 9 })
    await at.draw(scope, 1)
    await at.world.delete(`/v1/cafs/${caf_id}`, { key: at.live, empresa: scope.rut })
    expect(await at.draw(scope, 1)).toEqual([])
  })

  it('never gives a folio twice nor leaves one out: 64 draws at once over two ranges and a dozen connections', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 100 })
    await at.grant(scope, { first_folio: 101, last_folio: 300 })
    const draws = await Promise.all(Array.from({ length: 64 }, (_, i) => at.draw(scope, (i % 5) + 1)))
    const folios = draws.flat().map(({ folio }) => folio)
    expect(folios).toHaveLength(190)
    expect(folios.sort((a, b) => a - b)).toEqual(Array.from({ length: 190 }, (_, i) => i + 1))
    for (const draw of draws)
      expect(draw.map(({ folio }) => folio)).toEqual(draw.map((_, i) => (draw[0]?.folio ?? 0) + i))
  })

  it('gives the folios back when the transaction rolls back, and when its connection dies', async () => {
    const scope = await at.empresa()
    await at.grant(scope, { first_folio: 1, last_folio: 9 })
    const failed = at.draw(scope, 3, { before_commit: () => Promise.reject(new Error('signing failed')) })
    await expect(failed).rejects.toThrow('signing failed')
    const killed = at.draw(scope, 3, { before_commit: (sql) => sql`select pg_terminate_backend(pg_backend_pid())` })
    await expect(killed).rejects.toThrow()
    expect((await at.draw(scope, 2)).map(({ folio }) => folio)).toEqual([1, 2])
  })
})
