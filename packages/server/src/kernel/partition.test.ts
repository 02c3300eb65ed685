import { describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../test/support/empty-database.ts'
import { PARTITIONS } from '../catalog/retention.ts'
import { daysFrom, REAL_TIME, systemNow } from './clock.ts'
import type { Database } from './db.ts'
import { migrate } from './migrate.ts'
import { maintainPartitions } from './partition.ts'
import { UnitOfWork } from './unit-of-work.ts'

async function migrated(): Promise<Database> {
  const db = (await emptyDatabase()).open()
  await migrate(db)
  return db
}

async function partitionsOf(db: Database, table: string): Promise<string[]> {
  const rows = await db.sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by 1`
  return rows.map(({ name }) => name)
}

function monthLabel(steps: number): string {
  const now = new Date(systemNow())
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + steps, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '')
}

async function record(db: Database): Promise<number> {
  const unit = new UnitOfWork({ account_id: 'acct_x', mode: 'test', empresa_id: null, clock: REAL_TIME })
  unit.emit({ type: 'ping', object: {} })
  await db.transact((sql) => unit.flush(sql))
  const [row] = await db.sql<{ position: number }>`select position from event order by seq desc limit 1`
  return row?.position ?? 0
}

describe('cutting partitions', () => {
  it('makes the present one and those ahead, of every table, and is safe to repeat and to run at once', async () => {
    const { open } = await emptyDatabase()
    const db = open()
    await migrate(db)
    await expect(record(db)).rejects.toThrow('no partition')
    await Promise.all([maintainPartitions(db), maintainPartitions(open()), maintainPartitions(open())])
    await maintainPartitions(db)
    const now = new Date(systemNow())
    for (const { table, ahead, ahead_days = 0 } of PARTITIONS) {
      const soon = daysFrom(now, ahead_days).getUTCFullYear() - now.getUTCFullYear()
      expect([table, (await partitionsOf(db, table)).length]).toEqual([table, ahead + 1 + soon])
    }
    expect(await partitionsOf(db, 'event')).toEqual([0, 1, 2, 3].map((n) => `event_${monthLabel(n)}`))
    await record(db)
  })

  it('drops what is past its keeping and nothing younger', async () => {
    const db = await migrated()
    await maintainPartitions(db)
    const { keep = 0 } = PARTITIONS.find(({ table }) => table === 'event') ?? {}
    const client = await db.connect()
    const [old, last] = [`event_${monthLabel(-keep - 1)}`, `event_${monthLabel(-keep)}`]
    await client.query(`create table ${old} partition of event for values from ('evt_00') to ('evt_01')`)
    await client.query(`create table ${last} partition of event for values from ('evt_010') to ('evt_011')`)
    await client.end()
    await maintainPartitions(db)
    const left = await partitionsOf(db, 'event')
    expect([left.includes(old), left.includes(last)]).toEqual([false, true])
  })

  it('cuts a table by the year where that is asked, and drops whole years', async () => {
    const db = await migrated()
    await maintainPartitions(db)
    const year = new Date(systemNow()).getUTCFullYear()
    const { keep = 0 } = PARTITIONS.find(({ table }) => table === 'usage_record') ?? {}
    expect(await partitionsOf(db, 'usage_record')).toEqual([`usage_record_${year}`, `usage_record_${year + 1}`])
    const client = await db.connect()
    const [old, last] = [`usage_record_${year - keep - 1}`, `usage_record_${year - keep}`]
    await client.query(`create table ${old} partition of usage_record for values from ('usg_00') to ('usg_01')`)
    await client.query(`create table ${last} partition of usage_record for values from ('usg_010') to ('usg_011')`)
    await client.end()
    await maintainPartitions(db)
    const left = await partitionsOf(db, 'usage_record')
    expect([left.includes(old), left.includes(last)]).toEqual([false, true])
  })

  it('makes partitions while others read and write the tables, and leaves what is past until nobody does', async () => {
    const db = await migrated()
    await maintainPartitions(db)
    const client = await db.connect()
    await client.query(`create table event_200001 partition of event for values from ('evt_00') to ('evt_01')`)
    await client.query(`begin; lock table ${PARTITIONS.map(({ table }) => table)} in row exclusive mode`)
    const later = daysFrom(new Date(systemNow()), 62)
    await maintainPartitions(db, later)
    const held = await partitionsOf(db, 'event')
    expect(held).toContain('event_200001')
    expect(held.length).toBeGreaterThan(5)
    await client.query('commit')
    await client.end()
    await maintainPartitions(db, later)
    expect(await partitionsOf(db, 'event')).not.toContain('event_200001')
  })

  it('keeps events of a restored dump below every event written after it', async () => {
    const db = await migrated()
    await maintainPartitions(db)
    // A dump brings positions of another cluster, whose transactions were numbered far beyond ours.
    await record(db)
    const [top] = await db.sql<{ position: number }>`
      insert into event (id, account_id, mode, type, created_at, data, position)
      select id || 'z', account_id, mode, type, created_at, data, position + 5000000 from event limit 1 returning position`
    await maintainPartitions(db)
    const [first, second] = [await record(db), await record(db)]
    expect(first).toBeGreaterThan(top?.position ?? 0)
    expect(second).toBeGreaterThan(first)
    await expect
      .poll(async () => (await db.sql<{ h: number }>`select ledger_horizon() as h`)[0]?.h)
      .toBeGreaterThan(second)
    await maintainPartitions(db)
    expect(await record(db)).toBeLessThan(second + 100_000)
  })
})
