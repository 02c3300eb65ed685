import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { acts, hold, runs, taskJobs, tasksOf } from '../../test/support/queue-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { type Database, isDatabaseAway, joined, name, nothing, openDatabase, part, violatedConstraint } from './db.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ jobs: taskJobs })
})
afterAll(() => world.close())

describe('sql', () => {
  it('sends every value as a parameter, however deep it is spliced in', async () => {
    const hostile = `'; drop table account; --`
    const filter = part`and ${hostile} = ${hostile} ${nothing}`
    const [row] = await world.db.sql<{ a: string; b: number }>`
      select ${hostile} as a, ${7}::int as b from ${name('ledger_epoch')} where true ${joined([filter, filter], ' ')}`
    expect(row).toEqual({ a: hostile, b: 7 })
  })

  it('takes no name that is not one', () => {
    for (const wrong of ['a b', 'a;b', 'A', '1a', 'a"b', '']) expect(() => name(wrong)).toThrow()
  })

  it('reads civil dates as text and int8 as safe integers or not at all', async () => {
    const [row] = await world.db.sql`select '2026-03-01'::date as day, 9007199254740991::int8 as most`
    expect(row).toEqual({ day: '2026-03-01', most: 9007199254740991 })
    await expect(world.db.sql`select 9007199254740993::int8 as beyond`).rejects.toMatchObject({
      code: 'amounts_too_large',
    })
    await expect(
      world.db.sql`select sum(9007199254740993::int8 * 1000)::bigint from generate_series(1, 2)`,
    ).rejects.toMatchObject({ code: 'amounts_too_large' })
  })
})

describe('a connection', () => {
  const one = () => openDatabase(world.url, { pool_size: 1, onError: () => undefined })
  const pidOf = async ({ sql }: Database) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`)[0]?.pid

  it('is kept where a constraint refused what was sent over it, and goes on with whoever waits for it', async () => {
    const db = one()
    await db.sql`create table kept (id integer constraint kept_once unique)`
    const pid = await pidOf(db)
    const insert = () => db.sql`insert into kept values (1)`
    await insert()
    const [refused, next] = await Promise.allSettled([insert(), pidOf(db)])
    expect(violatedConstraint((refused as PromiseRejectedResult).reason)).toBe('kept_once')
    expect(next).toMatchObject({ value: pid })
    expect(await pidOf(db)).toBe(pid)
    await db.sql`drop table kept`
    await db.end()
  })

  it('is given up after any other error: a statement whose columns changed under it fails once', async () => {
    const db = one()
    await db.sql`create table grown (id integer)`
    const read = () => db.sql`select * from grown`
    await read()
    const pid = await pidOf(db)
    await world.db.sql`alter table grown add column more integer`
    await expect(read()).rejects.toMatchObject({ code: '0A000' })
    expect(await read()).toEqual([])
    expect(await pidOf(db)).not.toBe(pid)
    await db.sql`drop table grown`
    await db.end()
  })
})

describe('a transaction', () => {
  it('rolls back whatever was thrown, and gives its connection back', async () => {
    for (let i = 0; i < 30; i++) {
      const failing = world.db.transact(async (sql) => {
        await sql`update ledger_epoch set xid_offset = xid_offset + 1`
        throw new Error('on purpose')
      })
      await expect(failing).rejects.toThrow('on purpose')
    }
    const [row] = await world.db.sql<{ xid_offset: number }>`select xid_offset from ledger_epoch`
    expect(row?.xid_offset).toBe(0)
    expect(world.db.usage().waiting).toBe(0)
  })

  it('names the constraint that was violated, and nothing for other errors', async () => {
    const twice = world.db.sql`insert into ledger_epoch default values`
    expect(violatedConstraint(await twice.catch((error: unknown) => error))).toBe('ledger_epoch_pkey')
    expect(violatedConstraint(await world.db.sql`select 1/0`.catch((error: unknown) => error))).toBeNull()
    expect(isDatabaseAway(new Error('anything'))).toBe(false)
  })
})

describe('a database that goes away under load', () => {
  it('costs 503 answers while it is away and nothing else: no 500, no lost job, no stuck connection', async () => {
    const account = await world.account()
    const key = await world.key(account, { scopes: ['keys:write', 'empresas:write'] })
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    const database = new URL(world.url).pathname.slice(1)
    const statuses = new Map<number, number>()
    let loading = true
    const load = async () => {
      while (loading) {
        const body = { name: randomUUID(), scopes: ['empresas:write'] }
        for (const sent of [
          await world.post('/v1/api_keys', { key, body }),
          await world.get('/v1/api_keys?limit=1', { key }),
        ]) {
          statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1)
        }
      }
    }
    const loads = Array.from({ length: 12 }, load)
    const tasks = tasksOf(world, account)
    const mark = randomUUID()
    acts.set(mark, async () => 'done')
    const id = await tasks.enqueue(hold, mark, { due_at: new Date(Date.now() + 600) })
    for (let i = 0; i < 4; i++) {
      await sleep(150)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    }
    await sleep(200)
    loading = false
    await Promise.all(loads)
    await admin.end()
    expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    expect(statuses.get(503)).toBeGreaterThan(0)
    expect((await world.get('/v1/account', { key })).status).toBe(200)
    await tasks.becomes(id, 'succeeded')
    // Run, and perhaps twice: a connection cut between its end and the record of it leaves only doing it again.
    expect(runs.get(mark)).toBeGreaterThanOrEqual(1)
    const minted = await world.db.sql<{ n: number }>`select count(*) as n from api_key where account_id = ${account}`
    expect(minted[0]?.n).toBeGreaterThanOrEqual((statuses.get(201) ?? 0) + 1)
    expect(world.db.usage().waiting).toBe(0)
  })
})
