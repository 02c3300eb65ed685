import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/adapters/postgres/embedded.ts'
import { processesIn, signal } from '../src/adapters/postgres/process-table.ts'
import { SCOPE_NAMES } from '../src/catalog/scopes.ts'
import { letMakeDatabases, prepareTemplate } from './support/database-template.ts'
import { openWorld, randomRut, type World } from './support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'timbre-faults-'))
let postgres: EmbeddedPostgres
let world: World

beforeAll(async () => {
  // On disk for good: what was acknowledged must be there after the server was killed.
  postgres = await startEmbeddedPostgres({ dataDir, durable: true })
  await letMakeDatabases(postgres.superuser_url)
  await prepareTemplate(postgres.url)
  world = await openWorld({ postgres_url: postgres.url })
})
afterAll(async () => {
  await world.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Seen {
  readonly acknowledged: string[]
  readonly statuses: number[]
}

/** Creates empresas and reads them, one after another, until told to stop. */
async function work(key: string, until: { stop: boolean }, seen: Seen): Promise<void> {
  while (!until.stop) {
    const rut = randomRut()
    const made = await world.post('/v1/empresas', {
      key,
      body: { rut, legal_name: 'Bajo carga' },
      headers: { 'idempotency-key': rut },
    })
    seen.statuses.push(made.status)
    if (made.status === 201) seen.acknowledged.push(rut)
    seen.statuses.push((await world.get('/v1/account', { key })).status)
    await sleep(2)
  }
}

describe('PostgreSQL dies under load', () => {
  it('503 with Retry-After while it is away, nothing acknowledged is lost, and all is well afterwards', async () => {
    const key = await world.key(await world.account(), { scopes: SCOPE_NAMES })
    const until = { stop: false }
    const seen: Seen = { acknowledged: [], statuses: [] }
    const workers = Array.from({ length: 6 }, () => work(key, until, seen))
    for (let round = 0; round < 2; round++) {
      const before = seen.acknowledged.length
      await expect.poll(() => seen.acknowledged.length).toBeGreaterThan(before + 10)
      for (const pid of processesIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
      await expect.poll(async () => (await world.get('/v1/account', { key })).status).toBe(200)
    }
    const before = seen.acknowledged.length
    await expect.poll(() => seen.acknowledged.length).toBeGreaterThan(before + 10)
    until.stop = true
    await Promise.all(workers)

    expect(new Set(seen.statuses)).toEqual(new Set([200, 201, 503]))
    const rows = await world.db.sql<{ rut: string }>`select rut from empresa where rut = any(${seen.acknowledged})`
    expect(rows).toHaveLength(seen.acknowledged.length)
    const events = await world.db
      .sql`select 1 from event where type = 'empresa.created' and empresa_rut = any(${seen.acknowledged})`
    expect(events).toHaveLength(seen.acknowledged.length)
  })

  it('a request refused by the outage goes through with the same Idempotency-Key', async () => {
    const key = await world.key(await world.account(), { scopes: SCOPE_NAMES })
    const request = { key, body: { rut: randomRut(), legal_name: 'Otra vez' }, headers: { 'idempotency-key': 'again' } }
    for (const pid of processesIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
    const refused = await world.post('/v1/empresas', request)
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
      503,
      'service_unavailable',
      '2',
    ])
    await expect.poll(async () => (await world.post('/v1/empresas', request)).status).toBe(201)
    const replayed = await world.post('/v1/empresas', request)
    expect([replayed.status, replayed.headers['svc-idempotent-replay']]).toEqual([201, 'true'])
  })
})
