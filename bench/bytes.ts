import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asked } from './asked.ts'
import { openEmpresas, RUTS } from './empresas.ts'
import { FACTURA } from './factura.ts'
import { openService, type Service } from './service.ts'

// What a settled document leaves in the database two days later: a factura of two lines, from the call to the SII's answer in
// test mode. Counted once its idempotent answer and its jobs are gone, which nobody keeps that long.
const MOST_BYTES = 6144
const WARM = 500
const COUNTED = 3000
const BATCH = 500
const MOST_SECONDS = 120
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))

async function issue({ port, secret, db }: Service, documents: number): Promise<number> {
  const order = {
    port,
    seconds: MOST_SECONDS,
    connections: 8,
    requests: documents,
    path: '/v1/documents',
    headers: { authorization: `Bearer ${secret}` },
    empresas: RUTS,
    body: FACTURA,
  }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { refused, first_refusal } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  for (;;) {
    const [row] = await db.sql<{ waiting: number; settled: number }>`
      select count(*) filter (where status <> 'accepted')::int as waiting,
        count(*) filter (where status = 'accepted')::int as settled from document`
    if (row?.waiting === 0) return row.settled
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

interface Size {
  readonly heap: number
  readonly toast: number
  readonly indexes: number
}

const NO_SIZE: Size = { heap: 0, toast: 0, indexes: 0 }
const totalOf = ({ heap, toast, indexes }: Size) => heap + toast + indexes
const less = (a: Size, b: Size): Size => ({
  heap: a.heap - b.heap,
  toast: a.toast - b.toast,
  indexes: a.indexes - b.indexes,
})

/** What autovacuum does in the time that these seconds stand for: room that is free is filled before a table grows. */
async function vacuum({ db }: Service): Promise<void> {
  const client = await db.connect()
  await client.query('vacuum')
  await client.end()
}

/** What retention drops within two days, gone. */
async function rest({ db }: Service): Promise<void> {
  await db.sql`truncate idempotency`
  const client = await db.connect()
  await client.query(`delete from job where status in ('succeeded', 'failed')`)
  // The room that jobs leave is filled by the next ones: it grows with the longest queue, not with the documents.
  await client.query('vacuum full job')
  await client.query('vacuum analyze')
  await client.end()
}

/** Bytes by table, those of its partitions with it. */
async function sizes({ db }: Service): Promise<Map<string, Size>> {
  const rows = await db.sql<Size & { readonly name: string }>`
    select coalesce(p.relname, c.relname) as name,
      sum(pg_relation_size(c.oid) + pg_relation_size(c.oid, 'fsm') + pg_relation_size(c.oid, 'vm'))::bigint as heap,
      sum(coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::bigint as toast,
      sum(pg_indexes_size(c.oid))::bigint as indexes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

const service = await openService({ runs_jobs: true })
await openEmpresas(service)
const first = await issue(service, WARM)
await rest(service)
const before = await sizes(service)
let last = first
while (last < first + COUNTED) {
  last = await issue(service, BATCH)
  await vacuum(service)
}
await rest(service)
const after = await sizes(service)

const documents = last - first
const grown = [...after]
  .map(([name, size]) => ({ name, size: less(size, before.get(name) ?? NO_SIZE) }))
  .filter(({ size }) => Math.round(totalOf(size) / documents) !== 0)
  .sort((a, b) => totalOf(b.size) - totalOf(a.size))
const each = (bytes: number) => (bytes / documents).toFixed(0).padStart(7)
console.log(`bytes a document, of ${documents}        all   heap  toast  indexes`)
for (const { name, size } of grown) {
  console.log(`  ${name.padEnd(28)} ${[totalOf(size), size.heap, size.toast, size.indexes].map(each).join('')}`)
}
const all = grown.reduce((sum, { size }) => sum + totalOf(size), 0)
asked('bytes a document at rest', all / documents, { at_most: MOST_BYTES }, { digits: 0 })
await service.close()
