import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PARTITIONS } from '../src/catalog/retention.ts'
import { daysFrom, systemNow } from '../src/kernel/clock.ts'
import { name, type Sql } from '../src/kernel/db.ts'
import { idFloor } from '../src/kernel/id.ts'
import { maintainPartitions, withPartitions } from '../src/kernel/partition.ts'
import { BOLETA, openIssuer } from './support/issuer.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function dropPartitions(tables = PARTITIONS.map(({ table }) => table)): Promise<void> {
  await world.db.transact(async (_sql, client) => {
    const { rows } = await client.query<{ of: string; name: string }>(
      `select inhparent::regclass::text as of, inhrelid::regclass::text as name from pg_inherits
       where inhparent = any($1::regclass[])`,
      [tables],
    )
    for (const { of, name } of rows) {
      await client.query(`alter table ${of} detach partition ${name}`)
      await client.query(`drop table ${name}`)
    }
  })
}

/** Leaves the partitions that a service had which did its last round so many days ago. */
async function sleep(days: number): Promise<void> {
  await dropPartitions()
  await maintainPartitions(world.db, daysFrom(new Date(systemNow()), -days))
}

describe('a machine that slept', () => {
  it.each([
    ['three weeks', 21],
    ['two years', 730],
  ])('for %s answers the first requests, all at once, as ever', async (_long, days) => {
    const issuer = await openIssuer(world)
    await sleep(days)
    const email = `${randomUUID()}@example.cl`
    const headers = () => ({ 'idempotency-key': randomUUID() })
    const [registered, issued, preview, minted] = await Promise.all([
      world.post('/account/register', { body: { email, password: 'una clave larga', bootstrap: {} } }),
      issuer.create(BOLETA),
      issuer.post('/v1/documents/previews', BOLETA, { headers: headers() }),
      world.post('/v1/webhook_endpoints', {
        key: issuer.key,
        headers: headers(),
        body: { url: 'http://127.0.0.1:9/' },
      }),
    ])
    expect([registered.status, issued.status, preview.status, minted.status]).toEqual([201, 201, 201, 201])
    const status = async () => (await issuer.get(`/v1/documents/${issued.body.id}`)).body.status
    await expect.poll(status).toBe('accepted')
    // Once, not twice, though parts of it were begun twice.
    const { data } = (await world.get('/v1/events?type=document.created', { key: issuer.key })).body
    expect(
      data.filter((one: { data: { object: { id: string } } }) => one.data.object.id === issued.body.id),
    ).toHaveLength(1)
    const kept = await world.db.sql`select 1 from account where email = ${email}`
    expect(kept).toHaveLength(1)
  })

  it('leaves tables that it does not cut and other violations alone', async () => {
    await world.db.sql`create table never_cut (at timestamptz) partition by range (at)`
    await world.db.sql`create table positive (n integer check (n > 0))`
    let tries = 0
    const db = withPartitions(world.db, () => tries++)
    await expect(db.sql`insert into never_cut values (now())`).rejects.toThrow('no partition')
    await expect(db.sql`insert into positive values (-1)`).rejects.toThrow('positive_n_check')
    expect(tries).toBe(0)
  })
})

describe('a clock that was set', () => {
  it.each([
    ['ahead by years', 3_000],
    ['back by a year', -400],
  ])(
    '%s: a row of its day finds its partition in every table, though it is written on another day',
    async (_far, far) => {
      const at = daysFrom(new Date(systemNow()), far)
      const db = withPartitions(world.db)
      for (const { table, by } of PARTITIONS) {
        await dropPartitions([table])
        const [cut] = await db.sql<{ by: string }>`select pg_get_partkeydef(${table}::regclass) as by`
        const column = name(/\((\w+)/.exec(cut?.by ?? '')?.[1] ?? '')
        const key = by === 'created_at' ? at.toISOString() : idFloor(by, at)
        // A row that lacks all else is refused for that, once it has found where it belongs.
        const insert = (sql: Sql) =>
          sql`insert into ${name(table)} (${column}) values (${key})`.then(String, ({ routine }) => routine)
        expect(await insert(world.db.sql), table).toBe('ExecFindPartition')
        expect(await insert(db.sql), table).toBe('ExecConstraints')
      }
    },
  )
})
