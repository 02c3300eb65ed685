import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { LetterFailure } from './schema.ts'

export interface LetterRow {
  readonly id: string
  readonly document_id: string
  readonly job_id: string
  readonly recipient: string
  readonly failure: LetterFailure | null
}

/** Which letters have come to an end, and how. */
export async function endedLetters(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<LetterRow[]> {
  return sql<LetterRow>`
    select id, document_id, job_id, recipient, failure from document_letter
    where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id} and mode = ${scope.mode}
      and id = any(${ids}::text[])`
}

/** False when somebody wrote the end of this letter before. */
export async function endLetter(sql: Sql, scope: EmpresaScope, row: LetterRow, at: Date): Promise<boolean> {
  const { account_id, empresa_id, mode } = scope
  const written = await sql`
    insert into document_letter (account_id, empresa_id, mode, document_id, job_id, id, recipient, failure, at)
    values (${account_id}, ${empresa_id}, ${mode}, ${row.document_id}, ${row.job_id}, ${row.id}, ${row.recipient},
      ${row.failure}, ${at})
    on conflict (id) do nothing returning id`
  return written.length > 0
}

/** The address of the account, once it was proven to be its own. */
export async function confirmedAddress(sql: Sql, account_id: string): Promise<string | null> {
  const [row] = await sql<{ email: string }>`
    select lower(email) as email from account where id = ${account_id} and email_verified_at is not null`
  return row?.email ?? null
}
