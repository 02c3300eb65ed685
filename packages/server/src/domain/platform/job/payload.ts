import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

/** The payload of a job of an empresa; null when there is no such job. */
export async function findJobPayload(
  sql: Sql,
  { account_id, empresa_id }: EmpresaScope,
  job_id: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await sql<{ payload: Record<string, unknown> }>`
    select payload from job where id = ${job_id} and account_id = ${account_id} and empresa_id = ${empresa_id}`
  return row?.payload ?? null
}
