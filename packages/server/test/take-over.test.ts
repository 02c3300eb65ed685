import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runningServerUrl } from '../src/adapters/postgres/probe.ts'
import { openDatabase } from '../src/kernel/db.ts'
import { migrate } from '../src/kernel/migrate.ts'
import { requeueAbandonedJobs } from '../src/kernel/queue.ts'
import { worksAlone } from '../src/take-over.ts'
import { killPostgres, startServer } from './faults/server-process.ts'
import { emptyDatabase } from './support/empty-database.ts'
import { freePort } from './support/free-port.ts'
import { openReceiver } from './support/webhook-receiver.ts'

describe('after a kill', () => {
  it('the one process over a data folder goes on at once with what was in hand, whatever the lease says', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'timbre-takeover-'))
    onTestFinished(async () => {
      await killPostgres(DATA_DIR)
      rmSync(DATA_DIR, { recursive: true, force: true, maxRetries: 5 })
    })
    const port = await freePort()
    const receiver = await openReceiver(() => undefined)
    onTestFinished(() => receiver.close())
    const first = startServer({ DATA_DIR, PORT: String(port) })
    onTestFinished(() => first.end())
    await first.ready()
    const call = async (path: string, body: object, key?: string) => {
      const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
      const sent = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return JSON.parse(await sent.text())
    }
    const account = { email: 'quien@example.cl', password: 'una clave larga', bootstrap: {} }
    const key = (await call('/account/register', account)).data.api_key.secret
    const { id } = await call('/v1/webhook_endpoints', { url: receiver.url }, key)
    await call(`/v1/webhook_endpoints/${id}/ping`, {}, key)
    await expect.poll(() => receiver.received.length).toBe(1)
    await first.kill()

    // Nobody is left to wait for, however long the dead one had asked for.
    const db = openDatabase((await runningServerUrl(DATA_DIR)) ?? '', { pool_size: 1, onError: () => undefined })
    const held = await db.sql`update job set lease_until = '9999-01-01' where status = 'running' returning id`
    await db.end()
    expect(held).toHaveLength(1)
    const second = startServer({ DATA_DIR, PORT: String(port) })
    onTestFinished(() => second.end())
    await second.ready()
    await expect.poll(() => receiver.received.length).toBe(2)
    await second.kill()
  }, 240_000)

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
