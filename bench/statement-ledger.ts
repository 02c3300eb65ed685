import type { built } from './service.ts'

type Sql = ReturnType<typeof built.openDatabase>['sql']

/** A part of the road of a document, and what its statements cost PostgreSQL since the ledger was begun anew. */
export interface LedgerLine {
  readonly part: string
  readonly calls: number
  readonly ms: number
  readonly planning_ms: number
  readonly texts: readonly string[]
}

/** The first that matches names the part; what none does goes by its own beginning. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['POST, one statement', /take_keys?\(/],
  [
    'begin, commit and locks',
    /^(begin|commit|select \$1 as ready|select true as ready|select exists.*for (key )?share)/i,
  ],
  ['looking at the queue', /from unnest\(\$1::text\[\]\) as p \(pool\)|status = \$\d+ and not parked/],
  ['claiming jobs', /with recursive accounts|with due as \( select j.id/],
  ['settled, in one statement', /have_annulling_nota/],
  ['numbered, signed and sent, in one', /set status = m.after , folio/],
  ['sent, in one statement', /set status = m.after/],
  ['numbered and signed, in one statement', /numbered as \( update document/],
  ['requeuing what a dead worker held', /set status = \S+, worker = (null|\$\d+), lease_until/],
  ['ending jobs', /^with gone as \( delete from job j/],
  ['reading folios', /from caf|update caf/],
  ['asking what is done on acceptance', /from automation_settings/],
  ['asking the sandbox for a script', /from sandbox_script/],
  ['asking the address book', /from counterparty/],
  ['renewing the right to serve from memory', /update cache_lease/],
  ['reading what is to be signed', /xmin::text as version from document where .* and id = w\.id/],
  ['reading what was sent', /select \*, xmin::text as version from document/],
  ['reading the empresa', /lateral \( select empresa\.\*/],
  ['keeping the XML', /document_xml/],
  ['moving documents', /update document t set/],
  ['events and jobs', /insert into event/],
  ['journal', /insert into document_journal/],
  ['usage', /insert into usage/],
]

export function partOf(text: string): string {
  return PARTS.find(([, pattern]) => pattern.test(text))?.[0] ?? text.slice(0, 60)
}

/** What each part cost, the dearest first. */
export async function readLedger(sql: Sql): Promise<LedgerLine[]> {
  const rows = await sql<{ query: string; calls: number; ms: number; planning_ms: number }>`
    select query, calls, total_exec_time + total_plan_time as ms, total_plan_time as planning_ms
    from pg_stat_statements where calls > 0 and query !~ 'pg_stat_statements|select exists .select from document where'`
  const parts = new Map<string, LedgerLine>()
  for (const { query, ...row } of rows) {
    const text = query.replace(/\s+/g, ' ').trim()
    const part = partOf(text)
    const line = parts.get(part) ?? { part, calls: 0, ms: 0, planning_ms: 0, texts: [] }
    parts.set(part, {
      part,
      calls: line.calls + row.calls,
      ms: line.ms + row.ms,
      planning_ms: line.planning_ms + row.planning_ms,
      texts: [...line.texts, `${row.calls} × ${(row.ms / row.calls).toFixed(3)} ms: ${text.slice(0, 160)}`],
    })
  }
  return [...parts.values()].sort((a, b) => b.ms - a.ms)
}
