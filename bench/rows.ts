import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openEmpresas, RUTS } from './empresas.ts'
import { FACTURA } from './factura.ts'
import { openService, type Service } from './service.ts'
import { partOf } from './statement-ledger.ts'

// What PostgreSQL writes and reads for a document at 70 a second, from its POST until it is accepted: bytes of WAL, buffers,
// rows and index entries. None of it is a time, so it says the same on a machine that does something else meanwhile.
const WARM = 1_000
const COUNTED = Number(process.env.BENCH_DOCUMENTS ?? 1_500)
const PER_SECOND = 70
const MOST_SECONDS = 120
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function issue({ port, secret, db }: Service, requests: number, per_second?: number): Promise<void> {
  const order = {
    port,
    seconds: MOST_SECONDS,
    connections: 8,
    path: '/v1/documents',
    headers: { authorization: `Bearer ${secret}` },
    empresas: RUTS,
    body: FACTURA,
    per_second,
    requests,
  }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { refused, first_refusal } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  for (;;) {
    const [open] = await db.sql<{ some: boolean }>`
      select exists (select from document where status <> 'accepted') as some`
    if (!open?.some) return
    await pause(100)
  }
}

interface TableCount {
  readonly inserted: number
  readonly updated: number
  /** Updates that touched no index. */
  readonly hot: number
  readonly deleted: number
}
const NONE: TableCount = { inserted: 0, updated: 0, hot: 0, deleted: 0 }

/** What was done to each table so far. */
async function countRows({ db }: Service): Promise<Map<string, TableCount>> {
  const rows = await db.sql<TableCount & { readonly name: string }>`
    select relname as name, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_hot_upd::int as hot,
      n_tup_del::int as deleted from pg_stat_user_tables`
  return new Map(rows.map(({ name, ...count }) => [name, count]))
}

/** Bytes and records of WAL so far, and the indexes of documents: how often they were looked into, and their bytes. */
async function readState({ db }: Service) {
  const [wal] = await db.sql<{ bytes: number; records: number }>`
    select wal_bytes::float8 as bytes, wal_records::float8 as records from pg_stat_wal`
  const indexes = await db.sql<{ name: string; scans: number; bytes: number }>`
    select indexrelname as name, idx_scan::int as scans, pg_relation_size(indexrelid)::int as bytes
    from pg_stat_user_indexes where relname ~ '^document_[0-9]+$'`
  return { wal: wal ?? { bytes: 0, records: 0 }, indexes: new Map(indexes.map((index) => [index.name, index])) }
}

const service = await openService({ runs_jobs: true, counts_statements: true })
const { db } = service
await openEmpresas(service)
await issue(service, WARM)
await db.sql`analyze`
await issue(service, PER_SECOND * 4, PER_SECOND)
await db.sql`select pg_stat_statements_reset()`
const [rows_before, before] = [await countRows(service), await readState(service)]
await issue(service, COUNTED, PER_SECOND)
// Each backend tells what it did within a second.
await pause(1_500)
const [rows_after, after] = [await countRows(service), await readState(service)]

const each = (value: number, digits = 2) => (value / COUNTED).toFixed(digits).padStart(8)
console.log(`a document of ${COUNTED}`)
console.log(`bytes of WAL ${each(after.wal.bytes - before.wal.bytes, 0)}`)
console.log(`records of WAL ${each(after.wal.records - before.wal.records, 1)}`)
console.log('\nrows                              inserted  updated  no index  deleted')
for (const [name, count] of rows_after) {
  const was = rows_before.get(name) ?? NONE
  const grown = [
    count.inserted - was.inserted,
    count.updated - was.updated,
    count.hot - was.hot,
    count.deleted - was.deleted,
  ]
  if (grown.some((one) => one > COUNTED / 20))
    console.log(`${name.padEnd(34)}${grown.map((one) => each(one)).join(' ')}`)
}
console.log('\nstatements                                  times  buffers  dirtied  bytes of WAL')
const statements = await db.sql<{ text: string; calls: number; hit: number; dirtied: number; wal: number }>`
  select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::int, shared_blks_hit::int as hit,
    shared_blks_dirtied::int as dirtied, wal_bytes::float8 as wal
  from pg_stat_statements where calls >= ${COUNTED / 50}::float8 order by wal_bytes desc limit 12`
for (const { text, calls, hit, dirtied, wal } of statements) {
  console.log(`${partOf(text).slice(0, 40).padEnd(40)} ${each(calls)} ${each(hit, 1)} ${each(dirtied)} ${each(wal, 0)}`)
}
console.log('\nindexes of document                            looks    bytes')
const [{ documents = 1 } = {}] = await db.sql<{ documents: number }>`select count(*)::int as documents from document`
for (const { name, scans, bytes } of [...after.indexes.values()].sort((a, b) => b.bytes - a.bytes)) {
  const looks = scans - (before.indexes.get(name)?.scans ?? 0)
  console.log(`${name.padEnd(44)} ${each(looks)} ${(bytes / documents).toFixed(0).padStart(8)}`)
}
await service.close()
