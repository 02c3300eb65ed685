import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { emptyDatabase } from './support/empty-database.ts'

const FOLDER = new URL('../db/', import.meta.url)
const NAME = '0141-rows-in-flight.sql'
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')

/** What was there, by what each becomes. */
const BEFORE = [
  { id: 'doc_queued', status: 'queued', mode: 'test', track_id: null, flies: true, uncommon: null, mailed: null },
  { id: 'doc_sent', status: 'sent', mode: 'live', track_id: '7', flies: true, uncommon: null, mailed: '7' },
  { id: 'doc_failed', status: 'failed', mode: 'test', track_id: null, flies: true, uncommon: 'failed', mailed: null },
  { id: 'doc_test', status: 'accepted', mode: 'test', track_id: '8', flies: false, uncommon: null, mailed: null },
  { id: 'doc_live', status: 'accepted', mode: 'live', track_id: '9', flies: false, uncommon: null, mailed: '9' },
  { id: 'doc_reparo', status: 'reparo', mode: 'test', track_id: '6', flies: false, uncommon: 'reparo', mailed: null },
]

it('documents from before, also those on their way, are found by their status and by the mails of the SII', async () => {
  const db = (await emptyDatabase()).open()
  const client = await db.connect()
  const before = readdirSync(FOLDER).filter((name) => name.endsWith('.sql') && name < NAME)
  for (const name of before.sort()) await client.query(textOf(name))
  // No empresa: what is looked at is documents alone.
  await client.query('set session_replication_role = replica')
  const insert = (
    id: string,
    status: string,
    more: { mode?: string; track_id?: string | null; annuls?: string } = {},
  ) =>
    client.query(
      `insert into document (account_id, empresa_id, mode, id, status, track_id, annuls_id, tipo_dte, issue_date, net, iva, exempt,
         total, receptor_rut, draft, receptor_sources, metadata, pdf_cedible, created_at)
       values ('acct_1', 'emp_1', $1, $2, $3, $4, $5, 33, '2026-01-05', 1, 0, 0, 1, '66666666-6', '{}', '{}', '{}', false, now())`,
      [more.mode ?? 'test', id, status, more.track_id ?? null, more.annuls ?? null],
    )
  for (const { id, status, mode, track_id } of BEFORE) await insert(id, status, { mode, track_id })
  await insert('doc_nota', 'rejected', { annuls: 'doc_live' })
  await client.query(textOf(NAME))
  const rows = await db.sql`
    select d.id, d.status, d.mode, d.track_id, f.document_id is not null as flies, d.uncommon_status as uncommon,
      d.mailed_track_id as mailed
    from document d left join document_in_flight f on f.document_id = d.id and f.empresa_id = d.empresa_id
    where d.annuls_id is null`
  const byId = (a: { id?: unknown }, b: { id?: unknown }) => String(a.id).localeCompare(String(b.id))
  expect((rows as { id?: unknown }[]).sort(byId)).toEqual([...BEFORE].sort(byId))
  // A nota that was refused made way for another, and that one for none.
  await insert('doc_nota2', 'queued', { annuls: 'doc_live' })
  await expect(insert('doc_nota3', 'queued', { annuls: 'doc_live' })).rejects.toThrow('document_annulled_once')
  await client.end()
})
