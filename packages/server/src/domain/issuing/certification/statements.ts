import { createHash } from 'node:crypto'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

/** What the representante legal would declare, as the SII had it when it was last read; null before that. */
export async function findStatements(sql: Sql, scope: EmpresaScope): Promise<readonly string[] | null> {
  const [row] = await sql<{ statements: readonly string[] | null }>`
    select statements from certification where ${ownedBy(scope)}`
  return row?.statements ?? null
}

export async function saveStatements(sql: Sql, scope: EmpresaScope, statements: readonly string[]): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    insert into certification as c (account_id, empresa_id, mode, statements)
    values (${account_id}, ${empresa_id}, ${mode}, ${JSON.stringify(statements)}::json)
    on conflict (empresa_id) do update set statements = excluded.statements where ${ownedBy(scope, 'c')}`
}

export function digestOfStatements(statements: readonly string[]): string {
  return createHash('sha256').update(statements.join('\n\n'), 'utf8').digest('hex')
}
