import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { build } from '../scripts/build.mjs'

// What is measured is what runs in production: the build. Its types are those of the sources.
build()
const built = (name: string) => import(new URL(`../packages/server/dist/${name}.js`, import.meta.url).href)
const { startEmbeddedPostgres } = (await built(
  'adapters/embedded-postgres',
)) as typeof import('../packages/server/src/adapters/embedded-postgres.ts')
const { sandboxSii } = (await built(
  'adapters/sii-sandbox',
)) as typeof import('../packages/server/src/adapters/sii-sandbox.ts')
const { unconnectedSii } = (await built(
  'adapters/sii-unconnected',
)) as typeof import('../packages/server/src/adapters/sii-unconnected.ts')
const { localVault } = (await built(
  'adapters/vault-local',
)) as typeof import('../packages/server/src/adapters/vault-local.ts')
const { openApp } = (await built('app')) as typeof import('../packages/server/src/app.ts')
const { JOBS } = (await built('jobs')) as typeof import('../packages/server/src/jobs.ts')
const { systemNow } = (await built('kernel/clock')) as typeof import('../packages/server/src/kernel/clock.ts')
const { openDatabase } = (await built('kernel/db')) as typeof import('../packages/server/src/kernel/db.ts')
const { newId } = (await built('kernel/id')) as typeof import('../packages/server/src/kernel/id.ts')
const { openLog } = (await built('kernel/log')) as typeof import('../packages/server/src/kernel/log.ts')
const { migrate } = (await built('kernel/migrate')) as typeof import('../packages/server/src/kernel/migrate.ts')
const { cutPartitions } = (await built(
  'kernel/partition',
)) as typeof import('../packages/server/src/kernel/partition.ts')
const { localRateLimiter } = (await built(
  'kernel/rate-limit',
)) as typeof import('../packages/server/src/kernel/rate-limit.ts')
const { openSessions } = (await built(
  'modules/account/session',
)) as typeof import('../packages/server/src/modules/account/session.ts')
const { makeApiKey } = (await built(
  'modules/api-key/mint',
)) as typeof import('../packages/server/src/modules/api-key/mint.ts')
const { OPERATIONS } = (await built('operations')) as typeof import('../packages/server/src/operations.ts')

// An authenticated GET /v1/account against a bare route of the same framework that answers the same bytes.
const SECONDS = 5
const ROUNDS = 3
const CONNECTIONS = 32
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load.ts', import.meta.url))

async function rate(port: number, path: string, bearer: string): Promise<number> {
  const args = ['--import', 'tsx', LOAD, String(port), String(SECONDS), String(CONNECTIONS), path, bearer]
  const { stdout } = await run(process.execPath, args)
  const { per_second, refused } = JSON.parse(stdout) as { per_second: number; refused: number }
  if (refused > 0) throw new Error(`${refused} requests were refused`)
  return per_second
}

const dataDir = mkdtempSync(join(tmpdir(), 'timbre-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const db = openDatabase(postgres.url, { pool_size: 10, onError: () => undefined })
await migrate(db)
await cutPartitions(db)
const account_id = newId('account')
const now = new Date(systemNow())
await db.sql`insert into account (id, email, name, password_hash, created_at)
  values (${account_id}, 'bench@example.cl', 'Bench', 'none', ${now})`
const { secret } = await makeApiKey(db.sql, {
  account_id,
  name: 'b',
  mode: 'test',
  scopes: ['empresas:read'],
  empresas: ['*'],
  now,
})
const master = new Uint8Array(32)
const vault = localVault(new Map([[1, master]]))
const limiter = localRateLimiter()
const app = await openApp({
  db,
  ports: {
    mail: { describe: '', send: async () => undefined },
    vault,
    sessions: openSessions(master),
    sii: { test: sandboxSii({ sql: db.sql, vault }), live: unconnectedSii() },
  },
  addresses: { public_url: 'http://b', base_url: 'http://b/v1', docs_url: 'http://b/docs', reception_domain: 'b' },
  // The windows are counted as always; only their size gives way, or the bench would measure refusals.
  limiter: { ...limiter, take: (windows) => limiter.take(windows.map((window) => ({ ...window, max: 1_000_000 }))) },
  operations: OPERATIONS,
  jobs: JOBS,
  plain: [],
  log: openLog('warn'),
  operator_secret: null,
  trust_proxy: false,
  tls: null,
  runs_jobs: true,
})
await app.http.listen({ host: '127.0.0.1', port: 0 })
const ours = (app.http.server.address() as AddressInfo).port

const answer = await (
  await fetch(`http://127.0.0.1:${ours}/v1/account`, { headers: { authorization: `Bearer ${secret}` } })
).json()
const bare = Fastify()
bare.get('/v1/account', async () => answer)
await bare.listen({ host: '127.0.0.1', port: 0 })
const theirs = (bare.server.address() as AddressInfo).port

const rates: { bare: number[]; ours: number[] } = { bare: [], ours: [] }
for (let round = 0; round < ROUNDS; round++) {
  rates.bare.push(await rate(theirs, '/v1/account', secret))
  rates.ours.push(await rate(ours, '/v1/account', secret))
}
const best = (list: number[]) => Math.max(...list)
console.log(`GET /v1/account            ${best(rates.ours).toFixed(0)} /s`)
console.log(`bare Fastify route         ${best(rates.bare).toFixed(0)} /s`)
console.log(`ratio (must reach 0.50)    ${(best(rates.ours) / best(rates.bare)).toFixed(2)}`)

await bare.close()
await app.close()
await limiter.close()
await db.end()
await postgres.stop()
rmSync(dataDir, { recursive: true, force: true })
