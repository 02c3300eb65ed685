import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

export async function writeSandboxProposal(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  period: string,
  codes: object | null,
): Promise<void> {
  await sql`
    insert into sandbox_f29 (account_id, empresa_id, mode, period, proposed)
    values (${account_id}, ${empresa_id}, ${mode}, ${period}, ${json(codes)})
    on conflict (empresa_id, period) do update set proposed = excluded.proposed`
}

export async function writeSandboxErrors(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  period: string,
  errors: object | null,
): Promise<void> {
  await sql`
    insert into sandbox_f29 (account_id, empresa_id, mode, period, errors)
    values (${account_id}, ${empresa_id}, ${mode}, ${period}, ${json(errors)})
    on conflict (empresa_id, period) do update set errors = excluded.errors`
}
