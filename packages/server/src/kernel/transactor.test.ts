import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { defineOperation } from '../domain/operation.ts'
import { REAL_TIME } from './clock.ts'
import type { Sql } from './db.ts'

const NOBODY = { account_id: null, mode: null, empresa_id: null, clock: REAL_TIME }

/** Each waits with one row locked until all of them have one, then goes for the row of the next: a circle. */
function circleOf(size: number) {
  let arrived = 0
  let meet = () => {}
  const met = new Promise<void>((resolve) => {
    meet = resolve
  })
  const lock = (sql: Sql, id: number) => sql`select 1 from circle where id = ${id} for update`
  return async (sql: Sql, own: number): Promise<void> => {
    await lock(sql, own)
    if (++arrived === size) meet()
    await met
    await lock(sql, (own + 1) % size)
  }
}

let tries = 0
const busy = defineOperation({
  id: 'probes.busy',
  method: 'POST',
  path: '/probes/busy',
  summary: 'Lose to another transaction every time',
  reach: 'account',
  returns: null,
  async run(ctx) {
    tries++
    await ctx.sql`select raise_deadlock()`
    return null
  },
})

describe('a transaction that PostgreSQL undid because of another', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ operations: [busy] })
    await world.db.sql`create table circle (id integer primary key)`
    await world.db.sql`insert into circle values (0), (1)`
    await world.db.sql`
      create function raise_deadlock() returns void language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`
  })
  afterAll(() => world.close())

  it('is run once more, and then both are done', async () => {
    const step = circleOf(2)
    const runs = [0, 0]
    const run = (own: 0 | 1) =>
      world.app.transactor.transact(NOBODY, async (sql) => {
        runs[own] = (runs[own] ?? 0) + 1
        await step(sql, own)
        return own
      })
    expect(await Promise.all([run(0), run(1)])).toEqual([0, 1])
    expect(runs.toSorted()).toEqual([1, 2])
  })

  it('503 service_unavailable with Retry-After when it is undone again, and never a 500', async () => {
    const key = await world.key(await world.account())
    const sent = await world.post('/v1/probes/busy', { key })
    expect([sent.status, sent.body.error.code]).toEqual([503, 'service_unavailable'])
    expect(sent.headers['retry-after']).toBe('2')
    expect(tries).toBe(2)
  })
})
