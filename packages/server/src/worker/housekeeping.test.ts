import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { emptyDatabase } from '../../test/support/empty-database.ts'
import { daysFrom, REAL_TIME, secondsFrom, systemNow } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import { declareJob } from '../kernel/job.ts'
import { openLog } from '../kernel/log.ts'
import { migrate } from '../kernel/migrate.ts'
import { maintainPartitions } from '../kernel/partition.ts'
import { postponeJob } from '../kernel/queue.ts'
import { correctJobTimes } from '../kernel/queue-clock.ts'
import { moveRetention, retentionNow } from '../kernel/retention-clock.ts'
import { UnitOfWork } from '../kernel/unit-of-work.ts'
import { openHousekeeping } from './housekeeping.ts'

const HOUR = 3_600
const chore = declareJob<object>({ name: 'clock.chore', max_attempts: 3 })

async function migrated(): Promise<Database> {
  const db = (await emptyDatabase()).open()
  await migrate(db)
  await maintainPartitions(db)
  return db
}

const rightNow = Date.now
/** Sets the clock of this process, which runs on from there. */
function setClock(ahead_seconds: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => rightNow() + ahead_seconds * 1000)
}
afterEach(() => vi.restoreAllMocks())

const inSeconds = (seconds: number) => secondsFrom(new Date(systemNow()), seconds)

async function enqueue(db: Database, seconds: number): Promise<string> {
  const unit = new UnitOfWork({ account_id: 'acct_x', mode: 'live', empresa_id: null, clock: REAL_TIME })
  return db.transact(async (sql) => {
    const id = await unit.enqueue(sql, chore, { payload: {}, due_at: inSeconds(seconds) })
    await unit.flush(sql)
    return id
  })
}

/** How long before it is to run a job was told so, and whether that was told by a clock that was right. */
async function timing(db: Database, id: string) {
  const [row] = await db.sql<{ run_at: Date; due_at: Date; timed_at: Date }>`
    select run_at, due_at, timed_at from job where id = ${id}`
  if (!row) throw new Error('no such job')
  const waits = (row.run_at.getTime() - row.timed_at.getTime()) / 1000
  // To ten seconds: it is told a moment after it was asked for.
  return {
    waits: Math.round(waits / 10) * 10 + 0,
    same: +row.due_at === +row.run_at,
    right: row.timed_at <= inSeconds(1),
  }
}

describe('jobs that were timed while the clock was three hours ahead', () => {
  it('keep their distance once it is right again, and the others are left as they are', async () => {
    const db = await migrated()
    const before = await enqueue(db, 4 * HOUR)
    const tried = await enqueue(db, 0)
    await db.sql`update job set status = 'running', worker = 'w' where id = ${tried}`
    setClock(3 * HOUR)
    const [now, tomorrow] = [await enqueue(db, 0), await enqueue(db, 24 * HOUR)]
    const at = inSeconds(30)
    const again = { due_at: at, run_at: at, counts: true, error: null, waits_for: null }
    await postponeJob(db.sql, 'w', tried, again)
    setClock(0)
    expect(await correctJobTimes(db.sql)).toBe(3)
    expect(await timing(db, now)).toEqual({ waits: 0, same: true, right: true })
    expect(await timing(db, tomorrow)).toEqual({ waits: 24 * HOUR, same: true, right: true })
    expect(await timing(db, tried)).toEqual({ waits: 30, same: true, right: true })
    expect(await timing(db, before)).toEqual({ waits: 4 * HOUR, same: true, right: true })
    const due = await db.sql`select id from job where not parked and run_at <= ${inSeconds(1)}`
    expect(due).toEqual([{ id: now }])
    expect(await correctJobTimes(db.sql)).toBe(0)
  })
})

describe('a clock that is set while the service runs', () => {
  const kept = {
    keys: { drainUses: () => new Map() } as never,
    agents: { drainUses: () => new Map() } as never,
    weather: { sweep: async () => undefined },
    forgetLogins: async () => undefined,
  }

  it('has jobs timed anew when it goes back, and drops nothing when it goes ahead', async () => {
    const db = await migrated()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const housekeeping = openHousekeeping(db, kept, openLog('silent'))
    const look = () => vi.advanceTimersByTime(1_000)
    const partitions = async () =>
      (await db.sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits order by 1`).map(
        ({ name }) => name,
      )
    const made = await partitions()
    setClock(3_000 * 24 * HOUR)
    look()
    const year = daysFrom(new Date(rightNow()), 3_000).getUTCFullYear()
    await expect.poll(partitions).toContain(`usage_record_${year}`)
    const id = await enqueue(db, 60)
    setClock(0)
    look()
    await expect.poll(() => timing(db, id)).toEqual({ waits: 60, same: true, right: true })
    expect(await partitions()).toEqual(expect.arrayContaining(made))
    await housekeeping.stop()
  })
})

describe('a clock that is twenty years ahead', () => {
  const years = async (db: Database) =>
    (
      await db.sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent in ('document'::regclass, 'event'::regclass)`
    ).length

  it('for three hours drops nothing that is kept, and what is past its keeping goes once it is right again', async () => {
    const db = await migrated()
    const before = await years(db)
    setClock(20 * 366 * 24 * HOUR)
    for (let hour = 0; hour < 3; hour++) await maintainPartitions(db, new Date(0), await moveRetention(db.sql))
    expect(await years(db)).toBeGreaterThanOrEqual(before)
    setClock(0)
    const right = await moveRetention(db.sql)
    expect(right.getTime()).toBeLessThanOrEqual(systemNow())
    await maintainPartitions(db, daysFrom(right, -20 * 366), right)
    expect(await years(db)).toBe(before)
  })

  it('and stays so is believed a day an hour', async () => {
    const db = await migrated()
    const first = await moveRetention(db.sql)
    setClock(20 * 366 * 24 * HOUR)
    // Starts that fail and are repeated move nothing.
    for (let start = 0; start < 3; start++) expect(await retentionNow(db.sql)).toEqual(first)
    const later = [await moveRetention(db.sql), await moveRetention(db.sql)]
    expect(later).toEqual([daysFrom(first, 1), daysFrom(first, 2)])
  })
})
