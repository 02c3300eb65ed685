import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkDigit } from '@timbre/dte/values'
import { startEmbeddedPostgres } from '../packages/server/src/adapters/postgres/embedded.ts'
import { loadNomina } from '../packages/server/src/domain/issuing/contribuyente/load-nomina.ts'
import { type Database, openDatabase } from '../packages/server/src/kernel/db.ts'
import { migrate } from '../packages/server/src/kernel/migrate.ts'
import { asked } from './asked.ts'

// Loads a synthetic PUB_NOMBRES_PJ of a million rows five times by PostgreSQL's own COPY from a file on its own disk (no
// check of any kind, no client, no index) and five times by our importer, in turns, on one embedded PostgreSQL. The best
// of each counts: whatever else the machine does only adds time.
const ROWS = 1_000_000
const ROUNDS = 5
const HEADER = 'RUT\tDV\tCOD_SUBTIPO\tRAZON_SOCIAL\tFECHA_INICIO_VIG\tFECHA_TG_VIG\n'
const WORDS = ['COMERCIAL', 'SERVICIOS', 'INVERSIONES', 'CONSTRUCTORA', 'ÑANDÚ', 'TRANSPORTES', 'AGRÍCOLA', 'DEL SUR']
const KINDS = ['SPA', 'LIMITADA', 'S.A.', 'E.I.R.L.']

function row(i: number): string {
  const rut = 60_000_000 + ((i * 7_919) % 30_000_000)
  const name = `${WORDS[i % 8]} ${WORDS[(i >> 3) % 8]} ${i} ${KINDS[i % 4]}`
  const day = String((i % 28) + 1).padStart(2, '0')
  const ended = i % 5 === 0 ? `${day}-12-2022` : ''
  return `${rut}\t${checkDigit(rut)}\t${110 + (i % 30)}\t${name}\t${day}-03-${1990 + (i % 35)}\t${ended}\n`
}

function* file(): Generator<string> {
  yield HEADER
  for (let i = 0; i < ROWS; i += 1000) yield Array.from({ length: 1000 }, (_, k) => row(i + k)).join('')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** What PostgreSQL does with the file by itself: text columns where ours are text, dates where ours are dates. */
async function rawCopy(db: Database, path: string): Promise<{ copy: number; indexed: number }> {
  const client = await db.connect()
  await client.query(`drop table if exists raw; set datestyle = 'ISO, DMY'; create table raw
    (rut integer not null, dv text, subtype text, legal_name text not null, started_on date, ended_on date)`)
  const copy = await timed(() =>
    client.query(`copy raw from '${path}' with (format text, header true, null '', encoding 'UTF8')`),
  )
  const index = await timed(() => client.query('create index on raw (rut); analyze raw'))
  await client.query('drop table raw; checkpoint')
  await client.end()
  return { copy, indexed: copy + index }
}

function say(what: string, seconds: number): void {
  console.log(`${what}: ${Math.round(ROWS / seconds).toLocaleString('en-US')} rows/s (${seconds.toFixed(2)} s)`)
}

/** `admin` may read files of the server and write checkpoints, which the service may not. */
async function measure(db: Database, admin: Database, path: string): Promise<void> {
  const copies: number[] = []
  const indexed: number[] = []
  const ours: number[] = []
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }, 20)
  for (let round = 0; round < ROUNDS; round++) {
    const raw = await rawCopy(admin, path)
    copies.push(raw.copy)
    indexed.push(raw.indexed)
    ours.push(await timed(() => loadNomina(db, [path], { published_on: '2026-08-23' })))
    await admin.sql`checkpoint`
  }
  clearInterval(watch)
  const [loaded] = await db.sql<{ count: number }>`select count(*) from contribuyente`
  if (loaded?.count !== ROWS) throw new Error(`${loaded?.count} rows arrived`)
  say('COPY by PostgreSQL itself', Math.min(...copies))
  say('COPY and the same index', Math.min(...indexed))
  say('Our importer, index and swap included', Math.min(...ours))
  asked('import to COPY of the same file', Math.min(...copies) / Math.min(...ours), { at_least: 0.3 })
  console.log(`Ratio to COPY and index: ${(Math.min(...indexed) / Math.min(...ours)).toFixed(2)}`)
  console.log(`Most memory of this process: ${Math.round(memory / 1024 ** 2)} MB`)
}

const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'))
try {
  await chmod(folder, 0o755) // the server runs as another user when we are root, and reads the file itself
  const path = join(folder, 'PUB_NOMBRES_PJ.txt')
  await pipeline(Readable.from(file()), createWriteStream(path))
  await chmod(path, 0o644)
  console.log(`File: ${ROWS.toLocaleString('en-US')} rows, ${Math.round((await stat(path)).size / 1024 ** 2)} MB`)
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') })
  const db = openDatabase(postgres.url, { pool_size: 2, onError: () => undefined })
  const admin = openDatabase(postgres.superuser_url, { pool_size: 1, onError: () => undefined })
  try {
    await migrate(db)
    await measure(db, admin, path)
  } finally {
    await admin.end()
    await db.end()
    await postgres.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
