import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

export interface Script {
  readonly outcome: 'accepted' | 'reparo' | 'rejected'
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
