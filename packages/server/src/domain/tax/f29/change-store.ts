import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

/** Counted, not stamped: a change while a computation runs must not be taken for one that it saw. */
export async function countChange(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  await sql`update f29_proposal p set changes = p.changes + 1 where ${ownedBy(scope, 'p')} and p.period = ${period}`
}
