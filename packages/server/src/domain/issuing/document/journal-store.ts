import { type Fragment, listed, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import { knowBases, openText, packText } from '../../../kernel/text-base.ts'

// The journal of a document is one row that is appended to. An entry in it: a byte with the base of its text (0: none), six with
// its instant, three with its length, the text.

export interface JournalRow {
  /** Its place in the journal of its document, from 1. */
  readonly seq: number
  readonly type: string
  readonly at: Date
  readonly detail: Record<string, unknown>
}

export interface NewJournalEntry {
  readonly document_id: string
  readonly type: string
  readonly detail: object
}

const HEAD_BYTES = 10
const OBJECT = 'document_journal'

function packEntry({ type, detail }: Omit<NewJournalEntry, 'document_id'>, at: Date): Buffer {
  const text = JSON.stringify({ type, detail })
  const packed = packText(OBJECT, text)
  const bytes = packed?.packed ?? Buffer.from(text, 'utf8')
  const entry = Buffer.allocUnsafe(HEAD_BYTES + bytes.length)
  entry.writeUInt8(packed?.base_id ?? 0, 0)
  entry.writeUIntBE(at.getTime(), 1, 6)
  entry.writeUIntBE(bytes.length, 7, 3)
  entry.set(bytes, HEAD_BYTES)
  return entry
}

interface Frame {
  readonly base_id: number
  readonly at: Date
  readonly bytes: Buffer
}

function framesOf(entries: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let start = 0; start < entries.length; ) {
    const end = start + HEAD_BYTES + entries.readUIntBE(start + 7, 3)
    const bytes = entries.subarray(start + HEAD_BYTES, end)
    frames.push({ base_id: entries.readUInt8(start), at: new Date(entries.readUIntBE(start + 1, 6)), bytes })
    start = end
  }
  return frames
}

/** Appends to the journals of the documents that `rows` gives as (account_id, empresa_id, mode, document_id, entries), under `j`. */
function appendJournal(rows: Fragment, when: Fragment): Fragment {
  return part`
    insert into document_journal as h (account_id, empresa_id, mode, document_id, entries)
    select j.account_id, j.empresa_id, j.mode, j.document_id, j.entries
    from ${rows} as j (account_id, empresa_id, mode, document_id, entries) ${when}
    on conflict (document_id) do update set entries = h.entries || excluded.entries
    where h.account_id = excluded.account_id`
}

/** An entry as its document keeps it. */
export interface PackedEntry extends Tenant {
  readonly document_id: string
  readonly bytes: Buffer
}

export function packJournal(
  { account_id, empresa_id, mode }: EmpresaScope,
  entries: readonly NewJournalEntry[],
  at: Date,
): PackedEntry[] {
  return entries.map((entry) => ({
    account_id,
    empresa_id,
    mode,
    document_id: entry.document_id,
    bytes: packEntry(entry, at),
  }))
}

function insertPacked(entries: readonly PackedEntry[], when: Fragment): Fragment {
  const of = new Map<string, { readonly first: PackedEntry; readonly all: Buffer[] }>()
  for (const entry of entries) {
    const others = of.get(entry.document_id)
    if (others) others.all.push(entry.bytes)
    else of.set(entry.document_id, { first: entry, all: [entry.bytes] })
  }
  // In one order, so that two that append to the same never wait for each other in a circle.
  const rows = [...of.values()].sort((a, b) => (a.first.document_id < b.first.document_id ? -1 : 1))
  const ids = rows.map(({ first }) => first.document_id)
  const texts = rows.map(({ all }) => Buffer.concat(all))
  return appendJournal(
    part`(select ${tenantsOf(rows.map(({ first }) => first))}, ${listed.text(ids)}, ${listed.bytea(texts)})`,
    when,
  )
}

/** The journal of what lands in one statement. */
export const appendedJournal: RowWriter<PackedEntry> = (entries, when) => [
  part`journaled as (${insertPacked(entries, when)})`,
]

/**
 * Writes the journal of many documents in one statement, which may stand inside a larger one. `when` ends the select: nothing,
 * or a join that leaves some out.
 */
export function insertJournal(
  scope: EmpresaScope,
  entries: readonly NewJournalEntry[],
  at: Date,
  when: Fragment = nothing,
): Fragment {
  return insertPacked(packJournal(scope, entries, at), when)
}

/** The same entry for every document that another part of the statement gives as `document_id`. */
export function insertJournalOf(
  scope: EmpresaScope,
  documents: Fragment,
  entry: Omit<NewJournalEntry, 'document_id'>,
  at: Date,
): Fragment {
  const { account_id, empresa_id, mode } = scope
  const rows = part`(select ${account_id}::text, ${empresa_id}::text, ${mode}::text, document_id, ${packEntry(entry, at)}::bytea
    from ${documents} order by 4)`
  return appendJournal(rows, nothing)
}

export async function listJournalRows(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  document_id: string,
  page: { after: number; take: number },
): Promise<JournalRow[]> {
  const [row] = await sql<{ entries: Buffer }>`
    select entries from document_journal
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode} and document_id = ${document_id}`
  const frames = row ? framesOf(row.entries) : []
  await knowBases(
    sql,
    frames.map(({ base_id }) => base_id || null),
  )
  return frames.slice(page.after, page.after + page.take).map(({ base_id, at, bytes }, i) => {
    const text = base_id === 0 ? bytes.toString('utf8') : openText(base_id, bytes)
    return { ...JSON.parse(text), at, seq: page.after + i + 1 }
  })
}
