import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { LetterFailure } from './schema.ts'

export interface LetterRow {
  readonly id: string
  readonly document_id: string
  readonly job_id: string
  readonly recipient: string
  readonly failure: LetterFailure | null
}

/** The letters that were delivered or given up, and how each ended. */
export async function listEndedLetters(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<LetterRow[]> {
  return sql<LetterRow>`
    select id, document_id, job_id, recipient, failure from document_letter
    where ${ownedBy(scope)}
      and id = any(${ids}::text[])`
}

/** Records how a letter ended; false when that was recorded before. */
export async function insertEndedLetter(sql: Sql, scope: EmpresaScope, row: LetterRow, at: Date): Promise<boolean> {
  const { account_id, empresa_id, mode } = scope
  const inserted = await sql`
    insert into document_letter (account_id, empresa_id, mode, document_id, job_id, id, recipient, failure, at)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.document_id}, ${row.job_id}, ${row.id}, ${row.recipient},
      ${row.failure}, ${at})
    on conflict (id) do nothing returning id`
  return inserted.length > 0
}
