import { listed, type Sql } from '../../kernel/db.ts'
import { type AnswerMany, inStep } from '../../kernel/in-step.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { EACH, ownedBy, tenantsOf } from '../../kernel/tenant.ts'
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
export function scriptedVerdicts(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[],
): Promise<Map<string, SiiVerdict>> {
  return inStep(sql, scriptsOf, { scope, ids })
}

const scriptsOf: AnswerMany<
  { readonly scope: EmpresaScope; readonly ids: readonly string[] },
  Map<string, SiiVerdict>
> = async (sql, batches) => {
  const scopes = batches.flatMap(({ scope, ids }) => ids.map(() => scope))
  const rows = await sql<Script & { readonly document_id: string }>`
    select s.* from (select ${tenantsOf(scopes)}, ${listed.text(batches.flatMap(({ ids }) => ids))} as id) w, lateral (
        select document_id, outcome, code, message from sandbox_script where ${ownedBy(EACH)} and document_id = w.id limit 1) s`
  const verdicts = new Map(rows.map((row) => [row.document_id, scriptedVerdict(row)]))
  return batches.map(({ ids }) => new Map([...verdicts].filter(([id]) => ids.includes(id))))
}
