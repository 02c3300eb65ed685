import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

export interface JournalRow {
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

/** What happened to many documents, in one statement; it may stand inside a larger one. */
export function insertJournal(scope: EmpresaScope, entries: readonly NewJournalEntry[], at: Date): Fragment {
  const { account_id, empresa_id, mode } = scope
  return part`
    insert into document_journal (account_id, empresa_id, mode, document_id, type, at, detail)
    select ${account_id}::text, ${empresa_id}::text, ${mode}::text, j.document_id, j.type, ${at}::timestamptz, j.detail::json
    from unnest(${entries.map((e) => e.document_id)}::text[], ${entries.map((e) => e.type)}::text[],
      ${entries.map((e) => JSON.stringify(e.detail))}::text[]) as j (document_id, type, detail)`
}

export async function journalOf(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  document_id: string,
  page: { after: number; take: number },
): Promise<JournalRow[]> {
  return sql<JournalRow>`
    select seq, type, at, detail from document_journal
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and document_id = ${document_id} and seq > ${page.after}
    order by seq limit ${page.take}`
}
