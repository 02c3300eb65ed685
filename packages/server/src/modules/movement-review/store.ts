import type { EmpresaScope } from '../../kernel/context.ts'
import { type Fragment, part, type Sql } from '../../kernel/db.ts'
import type { MovementRow } from '../movement-match/row.ts'

function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

/** Movements beyond a place that nobody looked at in the state they are in, held until the transaction ends. */
export function lockUnreviewed(
  sql: Sql,
  scope: EmpresaScope,
  { after, take }: { after: string; take: number },
): Promise<MovementRow[]> {
  return sql<MovementRow>`
    select * from movement where ${of(scope)} and reviewed_at is null and id > ${after} order by id limit ${take}
    for update`
}

export async function noteReviewed(sql: Sql, scope: EmpresaScope, ids: readonly string[], at: Date): Promise<void> {
  await sql`update movement set reviewed_at = ${at} where ${of(scope)} and id = any(${ids}::text[])`
}
