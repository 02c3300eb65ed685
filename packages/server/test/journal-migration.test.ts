import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listJournalRows } from '../src/domain/issuing/document/store.ts'
import { emptyDatabase } from './support/empty-database.ts'

const FOLDER = new URL('../db/', import.meta.url)
const NAME = '0114-journal-of-a-document.sql'
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
const scope = { account_id: 'acct_1', empresa_id: 'emp_1', mode: 'test', rut: '76192083-9' } as const

it('journals from before are told as they were, in their order, and their partitions stay', async () => {
  const db = (await emptyDatabase()).open()
  const client = await db.connect()
  const before = readdirSync(FOLDER).filter((name) => name.endsWith('.sql') && name < NAME)
  for (const name of before.sort()) await client.query(textOf(name))
  // No empresa: what is looked at is the journal alone.
  await client.query(`
    set session_replication_role = replica;
    create table document_journal_a partition of document_journal for values from ('doc_a') to ('doc_b');
    create table document_journal_b partition of document_journal for values from ('doc_b') to ('doc_c');
    insert into document_journal (account_id, empresa_id, mode, document_id, seq, type, at, detail) values
      ('acct_1', 'emp_1', 'test', 'doc_a1', 12, 'document.signed', '2026-03-01T12:00:00.5Z', '{}'),
      ('acct_1', 'emp_1', 'test', 'doc_b1', 3, 'document.failed', '2026-03-02T00:00:00Z', '{"message": "Ñandú \\"x\\""}'),
      ('acct_1', 'emp_1', 'test', 'doc_a1', 7, 'document.folio_allocated', '2026-03-01T11:59:59.999Z', '{"folio": 3}')`)
  await client.query(textOf(NAME))
  const journal = (id: string) => listJournalRows(db.sql, scope, id, { after: 0, take: 9 })
  expect(await journal('doc_a1')).toEqual([
    { seq: 1, type: 'document.folio_allocated', at: new Date('2026-03-01T11:59:59.999Z'), detail: { folio: 3 } },
    { seq: 2, type: 'document.signed', at: new Date('2026-03-01T12:00:00.500Z'), detail: {} },
  ])
  expect(await journal('doc_b1')).toEqual([
    { seq: 1, type: 'document.failed', at: new Date('2026-03-02T00:00:00Z'), detail: { message: 'Ñandú "x"' } },
  ])
  const [rows] = await db.sql`
    select (select count(*) from document_journal_a) as a, (select count(*) from document_journal_b) as b`
  expect(rows).toEqual({ a: 1, b: 1 })
  await client.end()
})
