import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { startEmbeddedPostgres as StartPostgres } from '../packages/server/src/adapters/postgres/embedded.ts'
import { unconnectedSii } from '../packages/server/test/support/unconnected-sii.ts'
import { build } from '../scripts/build.mjs'

// What is measured is what runs in production: the build. Its types are those of the sources.
build()

type Sources = typeof import('../packages/server/src/app.ts') &
  typeof import('../packages/server/src/adapters/argon2/passwords.ts') &
  typeof import('../packages/server/src/adapters/disk/artifacts.ts') &
  typeof import('../packages/server/src/sandbox/bank/bank.ts') &
  typeof import('../packages/server/src/adapters/unconnected/bank.ts') &
  typeof import('../packages/server/src/adapters/webhook/sender.ts') &
  typeof import('../packages/server/src/adapters/postgres/embedded.ts') &
  typeof import('../packages/server/src/adapters/threads/printer.ts') &
  typeof import('../packages/server/src/sandbox/sii/keys.ts') &
  typeof import('../packages/server/src/sandbox/sii/sii.ts') &
  typeof import('../packages/server/src/connect-sii.ts') &
  typeof import('../packages/server/src/simulator.ts') &
  typeof import('../packages/server/src/adapters/threads/signing.ts') &
  typeof import('../packages/server/src/adapters/threads/inspection.ts') &
  typeof import('../packages/server/src/adapters/threads/statements.ts') &
  typeof import('../packages/server/src/adapters/threads/certificates.ts') &
  typeof import('../packages/server/src/adapters/vault/local.ts') &
  typeof import('../packages/server/src/jobs.ts') &
  typeof import('../packages/server/src/kernel/claim.ts') &
  typeof import('../packages/server/src/kernel/clock.ts') &
  typeof import('../packages/server/src/kernel/cursor-seal.ts') &
  typeof import('../packages/server/src/kernel/db.ts') &
  typeof import('../packages/server/src/kernel/id.ts') &
  typeof import('../packages/server/src/kernel/idempotency.ts') &
  typeof import('../packages/server/src/kernel/log.ts') &
  typeof import('../packages/server/src/kernel/migrate.ts') &
  typeof import('../packages/server/src/kernel/partition.ts') &
  typeof import('../packages/server/src/kernel/queue.ts') &
  typeof import('../packages/server/src/kernel/rate-limit.ts') &
  typeof import('../packages/server/src/kernel/unit-of-work.ts') &
  typeof import('../packages/server/src/domain/platform/account/session.ts') &
  typeof import('../packages/server/src/domain/platform/api-key/mint.ts') &
  typeof import('../packages/server/src/domain/platform/sii-weather/station.ts') &
  typeof import('../packages/server/src/domain/issuing/document/jobs.ts') &
  typeof import('../packages/server/src/domain/issuing/document/show.ts') &
  typeof import('../packages/server/src/domain/issuing/document/store.ts') &
  typeof import('../packages/server/src/domain/issuing/folio/store.ts') &
  typeof import('../packages/server/src/domain/platform/webhook/fan-out.ts') &
  typeof import('../packages/server/src/operations.ts')

const NAMES = [
  'app',
  'adapters/argon2/passwords',
  'adapters/disk/artifacts',
  'sandbox/bank/bank',
  'adapters/unconnected/bank',
  'adapters/webhook/sender',
  'adapters/postgres/embedded',
  'adapters/threads/printer',
  'sandbox/sii/keys',
  'sandbox/sii/sii',
  'connect-sii',
  'simulator',
  'adapters/threads/signing',
  'adapters/threads/inspection',
  'adapters/threads/statements',
  'adapters/threads/certificates',
  'adapters/vault/local',
  'jobs',
  'kernel/claim',
  'kernel/clock',
  'kernel/cursor-seal',
  'kernel/db',
  'kernel/id',
  'kernel/idempotency',
  'kernel/log',
  'kernel/migrate',
  'kernel/partition',
  'kernel/queue',
  'kernel/rate-limit',
  'kernel/unit-of-work',
  'domain/platform/account/session',
  'domain/platform/api-key/mint',
  'domain/platform/sii-weather/station',
  'domain/issuing/document/jobs',
  'domain/issuing/document/show',
  'domain/issuing/document/store',
  'domain/issuing/folio/store',
  'domain/platform/webhook/fan-out',
  'operations',
]

async function load(): Promise<Sources> {
  const found = {}
  for (const name of NAMES) {
    Object.assign(found, await import(new URL(`../packages/server/dist/${name}.js`, import.meta.url).href))
  }
  return found as Sources
}

/** Everything of the build that a benchmark touches, under the names of the sources. */
export const built = await load()

export interface Service {
  readonly db: ReturnType<Sources['openDatabase']>
  readonly app: Awaited<ReturnType<Sources['openApp']>>
  readonly vault: ReturnType<Sources['localVault']>
  readonly port: number
  readonly account_id: string
  readonly secret: string
  readonly rut: string
  readonly empresa_id: string
  /** Another process, as it were, that runs jobs. */
  openWorker(): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

const master = new Uint8Array(32)
const RUT = '76192083-9'
/** Half of what ships (`DATABASE_POOL`), as when what is asked was measured: more connections make a bare insert quicker, and nothing else. */
const POOL_SIZE = 10

type Parts = Parameters<Sources['openApp']>[0]
type SiiByMode = Parts['ports']['sii']

interface Options {
  readonly runs_jobs: boolean
  /** Has PostgreSQL count its statements (`pg_stat_statements`), for a ledger of what they cost. */
  readonly counts_statements?: boolean
  /** The length of the key that the sandbox signs with, in place of its own. */
  readonly signer_bits?: number
  /** The SII by mode, in place of the sandbox and of one that does not answer. */
  readonly sii?: (base: Pick<Service, 'db' | 'vault'> & { weather: Parts['ports']['weather'] }) => Promise<SiiByMode>
}

/** The library is loaded as the server starts, so it is asked for in a first, short life of it. */
async function preloadStatistics(dataDir: string): Promise<void> {
  const first = await built.startEmbeddedPostgres({ dataDir })
  const admin = built.openDatabase(first.superuser_url, { pool_size: 1, onError: () => undefined })
  await admin.sql`alter system set shared_preload_libraries = 'pg_stat_statements'`
  await admin.sql`alter system set pg_stat_statements.track_planning = on`
  await admin.sql`alter system set pg_stat_statements.max = 5000`
  await admin.sql`create extension pg_stat_statements`
  await admin.sql`grant pg_read_all_stats to timbre_service`
  await admin.sql`grant execute on all functions in schema public to timbre_service`
  await admin.end()
  await first.stop()
}

/** Gives the sandbox its key before it makes one. */
async function plantSigner({ db, vault }: Pick<Service, 'db' | 'vault'>, bits: number): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const sealed = vault.seal(built.keyOwner('signer'), privateKey.export({ type: 'pkcs8', format: 'der' }))
  await db.sql`
    insert into sandbox_key (name, sealed, created_at) values ('signer', ${Buffer.from(sealed)}, ${new Date()})`
}

/** A service over a database of its own, with one account, one sandbox empresa and a key that may do everything. */
export async function openService(options: Options): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'timbre-bench-'))
  if (options.counts_statements) await preloadStatistics(dataDir)
  const postgres: Awaited<ReturnType<typeof StartPostgres>> = await built.startEmbeddedPostgres({ dataDir })
  const db = built.openDatabase(postgres.url, { pool_size: POOL_SIZE, onError: () => undefined })
  await built.migrate(db)
  await built.maintainPartitions(db)
  const vault = built.localVault(new Map([[1, master]]))
  if (options.signer_bits) await plantSigner({ db, vault }, options.signer_bits)
  const limiter = built.localRateLimiter()
  const signing = built.threadSigning()
  const inspection = built.threadInspection()
  const certificates = built.threadCertificates()
  const statements = built.threadStatements(new URL('../packages/server/dist/statement-thread.js', import.meta.url))
  const weather = built.openWeatherStation(db.sql)
  const sandbox = { test: built.sandboxSii({ sql: db.sql, steady: db.steady.sql, vault }), live: unconnectedSii() }
  const parts: Parts = {
    db,
    ports: {
      mail: { describe: '', send: async () => undefined },
      vault,
      passwords: built.argon2Passwords(),
      sessions: built.openSessions({ current: 1, keys: new Map([[1, master]]) }),
      cursors: built.openCursorSeal({ current: 1, keys: new Map([[1, master]]) }),
      sii: (await options.sii?.({ db, vault, weather })) ?? sandbox,
      weather,
      bank: { test: built.sandboxBank({ sql: db.sql }), live: built.unconnectedBank() },
      webhooks: built.httpWebhookSender({ allow_private: true }),
      artifacts: built.diskArtifacts({ folder: join(dataDir, 'artifacts'), onTrouble: () => undefined }),
      printer: built.threadPrinter(),
      signing,
      inspection,
      statements,
      certificates,
    },
    addresses: {
      public_url: 'http://b',
      base_url: 'http://b/v1',
      docs_url: 'http://b/docs',
      public_link_base: 'http://b',
      reception_domain: 'b',
      operator_email: 'b',
    },
    // The windows are counted as always; only their size gives way, or the bench would measure refusals.
    limiter: { ...limiter, take: (windows) => limiter.take(windows.map((window) => ({ ...window, max: 1_000_000 }))) },
    operations: built.OPERATIONS,
    jobs: built.JOBS,
    plain: () => [],
    log: built.openLog('warn'),
    operator_secret: null,
    trust_proxy: false,
    tls: null,
    runs_jobs: options.runs_jobs,
  }
  const app = await built.openApp(parts)
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const account_id = built.newId('account')
  const now = new Date(built.systemNow())
  await db.sql`insert into account (id, email, name, password_hash, created_at)
    values (${account_id}, 'bench@example.cl', 'Bench', 'none', ${now})`
  const { secret } = await built.makeApiKey(db.sql, {
    account_id,
    name: 'b',
    mode: 'test',
    scopes: ['empresas:read', 'empresas:write', 'documents:read', 'documents:write', 'webhooks:read', 'webhooks:write'],
    empresas: ['*'],
    now,
  })
  const port = (app.http.server.address() as AddressInfo).port
  const made = await fetch(`http://127.0.0.1:${port}/v1/empresas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rut: RUT, legal_name: 'Banco de Pruebas SpA' }),
  })
  const { id: empresa_id } = (await made.json()) as { id: string }
  return {
    db,
    app,
    vault,
    port,
    account_id,
    secret,
    rut: RUT,
    empresa_id,
    openWorker: () => built.openApp({ ...parts, runs_jobs: true }),
    async close() {
      await app.close()
      await signing.close()
      await inspection.close()
      await statements.close()
      await certificates.close()
      await limiter.close()
      await db.end()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
