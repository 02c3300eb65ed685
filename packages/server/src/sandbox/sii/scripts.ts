import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import type { SiiVerdict } from '../../ports/sii.ts'
import { scriptedVerdict } from './document-magic-values.ts'

export interface Script {
  readonly outcome: SiiVerdict['outcome']
  readonly code: string | null
  readonly message: string | null
}

/** What the sandbox will answer about a document; the last word counts. */
export async function writeScript(sql: Sql, scope: EmpresaScope, document_id: string, script: Script): Promise<void> {
  await sql`
    insert into sandbox_script (account_id, empresa_id, mode, document_id, outcome, code, message)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${document_id}, ${script.outcome}, ${script.code},
      ${script.message})
    on conflict (document_id) do update
      set outcome = excluded.outcome, code = excluded.code, message = excluded.message`
}

/** The verdicts that tests asked for, by the id of the document. */
export async function scriptedVerdicts(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  document_ids: readonly string[],
): Promise<Map<string, SiiVerdict>> {
  const rows = await sql<Script & { readonly document_id: string }>`
    select document_id, outcome, code, message from sandbox_script
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and document_id = any(${document_ids}::text[])`
  return new Map(rows.map((row) => [row.document_id, scriptedVerdict(row)]))
}
