import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/kernel/db.ts'
import { migrate } from '../src/kernel/migrate.ts'
import { requeueAbandonedJobs } from '../src/kernel/queue.ts'
import { worksAlone } from '../src/take-over.ts'
import { emptyDatabase } from './support/empty-database.ts'

describe('after a kill', () => {
  it('leaves every lease alone while somebody else is connected, and takes them once nobody is', async () => {
    const database = await emptyDatabase()
    const db = database.open()
    await migrate(db)
    await db.sql`
      insert into job (id, name, payload, status, worker, lease_until, due_at, run_at, attempts, max_attempts, created_at)
      values ('job_held', 'none', '{}', 'running', 'w_dead', '9999-01-01', now(), now(), 1, 3, now())`
    const other = openDatabase(database.url, { pool_size: 1, onError: () => undefined })
    await other.sql`select 1`
    expect(await requeueAbandonedJobs(db.sql)).toEqual({ alone: false, jobs: 0 })
    await other.end()
    await expect.poll(() => requeueAbandonedJobs(db.sql)).toEqual({ alone: true, jobs: 1 })
    const [row] = await db.sql`select status, worker, lease_until, attempts from job`
    expect(row).toEqual({ status: 'queued', worker: null, lease_until: null, attempts: 1 })
  })
})

describe('who works alone', () => {
  it('is the embedded default alone: not over a server that others reach, nor beside workers', () => {
    expect(worksAlone({ database_url: null, role: 'all' })).toBe(true)
    for (const role of ['api', 'worker'] as const) expect(worksAlone({ database_url: null, role })).toBe(false)
    expect(worksAlone({ database_url: 'postgresql://x/y', role: 'all' })).toBe(false)
  })
})
