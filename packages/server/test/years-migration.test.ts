import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { systemNow } from '../src/kernel/clock.ts'
import { idFloor } from '../src/kernel/id.ts'
import { migrate as migrateDatabase } from '../src/kernel/migrate.ts'
import { maintainPartitions, presentPartition } from '../src/kernel/partition.ts'
import { emptyDatabase } from './support/empty-database.ts'

const FOLDER = new URL('../db/', import.meta.url)
const NAME = '0142-documents-by-year.sql'
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
const YEAR = new Date(systemNow()).getUTCFullYear()

/** The last id of a year and the first of the next are told apart, and the one between is of neither's neighbour. */
const first = (year: number) => idFloor('document', new Date(Date.UTC(year, 0, 1)))
const last = (year: number) =>
  `${idFloor('document', new Date(Date.UTC(year + 1, 0, 1) - 1)).slice(0, -16)}${'z'.repeat(16)}`

async function before(migration = NAME) {
  const db = (await emptyDatabase()).open()
  const client = await db.connect()
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  const run = async (names: string[]) => {
    for (const name of names.sort()) await client.query(textOf(name))
  }
  await run(files.filter((name) => name < migration))
  await client.query(`insert into account (id, email, name, password_hash, created_at) values ('acct_1', 'a@b.cl', 'A', 'none', now());
    insert into empresa (account_id, id, mode, rut, legal_name, emission_channel, doc_types, origen, created_at)
    values ('acct_1', 'emp_1', 'test', '76192083-9', 'Una SpA', 'mercado', '{33}', 'ninguno', now())`)
  let folio = 0
  const insert = (id: string, more: { external_id?: string; annuls_id?: string; status?: string } = {}) =>
    client.query(
      `insert into document (account_id, empresa_id, mode, id, status, folio, external_id, annuls_id, tipo_dte, issue_date, net, iva,
         exempt, total, receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
       values ('acct_1', 'emp_1', 'test', $1, $2, $3, $4, $5, 33, '2026-01-05', 1, 0, 0, 1, '66666666-6', '{}', '{}', '{}', false, now())`,
      [id, more.status ?? 'accepted', ++folio, more.external_id ?? null, more.annuls_id ?? null],
    )
  /** As a service does that starts. */
  const start = async () => {
    await db.sql`create table migration (name text primary key, sha256 text not null, applied_at timestamptz default now())`
    for (const name of files.filter((name) => name < migration)) {
      await db.sql`insert into migration values (${name}, ${createHash('sha256').update(textOf(name)).digest('hex')})`
    }
    return migrateDatabase(db)
  }
  return { db, client, insert, start, migrate: () => run(files.filter((name) => name >= migration)) }
}

const placesOf = (db: Awaited<ReturnType<typeof before>>['db']) =>
  db.sql<{ id: string; table: string }>`select id, tableoid::regclass::text as table from document order by id`

it('documents from before stand in the table of their year, to the last millisecond, whatever years there are', async () => {
  const { db, client, insert, migrate } = await before()
  const ids = [YEAR - 3, YEAR - 1, YEAR].flatMap((year) => [first(year), last(year)])
  for (const id of ids) await insert(id)
  await client.query(
    `insert into public_link (account_id, empresa_id, mode, document_id, id, slug_hash, cedible, created_at)
     values ('acct_1', 'emp_1', 'test', $1, 'plk_1', '\\x00', false, now())`,
    [ids[0]],
  )
  await migrate()
  await maintainPartitions(db)
  const year = (back: number) => `document_${YEAR - back}`
  const tables = [year(3), year(3), year(1), year(1), year(0), year(0)]
  expect(await placesOf(db)).toEqual(ids.map((id, n) => ({ id, table: tables[n] })))
  expect(presentPartition('document')).toBe(year(0))
  await client.query(`delete from empresa where id = 'emp_1'`)
  expect(await db.sql`select 1 from document union all select 1 from public_link`).toEqual([])
  await client.end()
})

it('the XML of what was received stands in the table of its year, and goes with its document', async () => {
  const { db, client, migrate } = await before('0143-received-xml-by-year.sql')
  const ids = [YEAR - 2, YEAR].map((year) => first(year).replace('doc_', 'rcd_'))
  await client.query(`insert into reception (account_id, empresa_id, mode, id, source, file_name, received_at)
    values ('acct_1', 'emp_1', 'test', 'rcp_1', 'email', 'a.xml', now())`)
  for (const [n, id] of ids.entries()) {
    await client.query(
      `insert into received_document (account_id, empresa_id, mode, id, reception_id, status, emisor_rut, emisor_name, tipo_dte, folio,
         issue_date, net, exempt, iva, total, items, received_at, sii_received_at, claims, digest, authenticity)
       values ('acct_1', 'emp_1', 'test', $1, 'rcp_1', 'received', '76192083-9', 'A', 33, $2, '2026-01-05', 1, 0, 0, 1, '[]', now(), now(), '[]', 'x', '{}')`,
      [id, n],
    )
    await client.query(
      `insert into received_document_xml (account_id, empresa_id, mode, received_document_id, xml) values ('acct_1', 'emp_1', 'test', $1, '\\x00')`,
      [id],
    )
  }
  await migrate()
  const places = () =>
    db.sql`select received_document_id as id, tableoid::regclass::text as table from received_document_xml order by 1`
  const of = (year: number) => `received_document_xml_${year}`
  expect(await places()).toEqual([
    { id: ids[0], table: of(YEAR - 2) },
    { id: ids[1], table: of(YEAR) },
  ])
  await client.query('delete from received_document where id = $1', [ids[0]])
  expect(await places()).toEqual([{ id: ids[1], table: of(YEAR) }])
  await maintainPartitions(db, new Date(Date.UTC(YEAR + 8, 5, 1)))
  expect(await places()).toEqual([])
  await client.end()
})

it('an empty table becomes that of the present year, with all that the years after it will have', async () => {
  const { db, client, migrate } = await before()
  await migrate()
  await maintainPartitions(db, new Date(Date.UTC(YEAR + 1, 0, 1)))
  const shapes = await Promise.all(
    [YEAR, YEAR + 1].map(async (year) => {
      const table = `document_${year}`
      const indexes = await db.sql<{ text: string }>`
        select regexp_replace(pg_get_indexdef(indexrelid), ' INDEX \\S+ ON \\S+ ', ' ') as text from pg_index
        where indrelid = ${table}::regclass order by 1`
      const constraints = await db.sql`
        select contype, pg_get_constraintdef(oid) as text from pg_constraint where conrelid = ${table}::regclass order by 1, 2`
      const triggers = await db.sql`
        select tgfoid::regproc::text as calls, tgtype from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal order by 1, 2`
      const [options] = await db.sql`select reloptions from pg_class where oid = ${table}::regclass`
      return { indexes, constraints, triggers, options }
    }),
  )
  expect(shapes[0]).toEqual(shapes[1])
  expect(shapes[0]?.indexes.length).toBeGreaterThan(10)
  await client.end()
})

it('the present year is there also where nothing was issued in it', async () => {
  const { client, insert, migrate } = await before()
  await insert(last(YEAR - 2))
  await migrate()
  // As a process of the release before writes, which makes no partitions.
  await insert(first(YEAR))
  await client.end()
})

it('an external id and an annulment from before hold for what comes after', async () => {
  const { client, insert, migrate } = await before()
  await insert(first(YEAR - 1), { external_id: 'order-1' })
  const original = first(YEAR)
  await insert(original)
  await insert(last(YEAR - 1), { annuls_id: original, status: 'rejected' })
  await insert(`${original.slice(0, -1)}1`, { annuls_id: original })
  await migrate()
  await expect(insert(last(YEAR), { external_id: 'order-1' })).rejects.toMatchObject({
    constraint: 'document_external_id',
  })
  await expect(insert(last(YEAR), { annuls_id: original })).rejects.toMatchObject({
    constraint: 'document_annulled_once',
  })
  await insert(last(YEAR), { external_id: 'order-2' })
  await client.end()
})

it('a document that a process of the release before is writing is written, and the migration goes on after it', async () => {
  const { db, client, insert, start } = await before()
  await insert(first(YEAR - 1))
  await client.query('begin')
  await client.query(`select from empresa where id = 'emp_1' for key share`)
  const started = start()
  const waiting = `select from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await client.query(waiting)).rows).toHaveLength(1)
  // It finds its table free: the migration has none while it waits for the empresa.
  await client.query(`set local lock_timeout = '100ms'`)
  await insert(first(YEAR))
  await client.query('commit')
  expect(await started).toContain(NAME)
  expect(await placesOf(db)).toHaveLength(2)
  await client.end()
})
