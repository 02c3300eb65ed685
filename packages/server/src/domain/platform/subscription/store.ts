import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { joinAccount } from '../account/lookup.ts'
import { fromEmpresa } from '../empresa/sql.ts'
import type { Standing, Term } from './standing.ts'

export interface SubscriptionRow extends Term {
  readonly id: string
  readonly updated_at: Date
}

/** Everything the paywall needs, in one statement. Null when the empresa is gone. */
export async function readStanding(sql: Sql, scope: EmpresaScope): Promise<Standing | null> {
  const [row] = await sql<Standing>`
    select a.plan, e.legal_name, s.status, s.current_period_end, s.grace_until, s.updated_at
    from ${fromEmpresa(scope)}
    ${joinAccount('e')}
    left join subscription s on s.account_id = e.account_id and s.empresa_id = e.id and s.mode = e.mode`
  return row ?? null
}

/** The row of an empresa, locked until the transaction ends; inserted without a status if there was none. */
export async function lockOrInsertSubscription(sql: Sql, scope: EmpresaScope, now: Date): Promise<SubscriptionRow> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    insert into subscription (account_id, empresa_id, mode, created_at, updated_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${now}, ${now})
    on conflict (id) do nothing`
  const [row] = await sql<SubscriptionRow>`select * from subscription where ${ownedBy(scope)} for update`
  return row as SubscriptionRow
}

export async function lockSubscription(sql: Sql, scope: EmpresaScope): Promise<SubscriptionRow | null> {
  const [row] = await sql<SubscriptionRow>`select * from subscription where ${ownedBy(scope)} for update`
  return row ?? null
}

export async function saveTerm(
  sql: Sql,
  scope: EmpresaScope,
  term: { current_period_end: Date; grace_until: Date | null; updated_at: Date },
): Promise<void> {
  await sql`
    update subscription set current_period_end = ${term.current_period_end}, grace_until = ${term.grace_until},
      updated_at = ${term.updated_at}
    where ${ownedBy(scope)}`
}
