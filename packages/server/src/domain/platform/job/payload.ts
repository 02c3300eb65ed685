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

/** Whether a job of an empresa waits or runs under a key. */
export async function isUnderWay(
  sql: Sql,
  { account_id, empresa_id }: EmpresaScope,
  { name, key }: { readonly name: string; readonly key: string },
): Promise<boolean> {
  const [row] = await sql`
    select from job where name = ${name} and key = ${key} and status in ('queued', 'running')
      and account_id = ${account_id} and empresa_id = ${empresa_id}`
  return row !== undefined
}
