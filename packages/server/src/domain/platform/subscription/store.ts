import { daysFrom } from '../../../kernel/clock.ts'
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

/** The same with what its checkout page tells besides. */
export interface Checkout extends Standing {
  readonly empresa_status: string
  /** When the operator was last asked for it; null while nobody did. */
  readonly requested_at: Date | null
}

export async function readCheckout(sql: Sql, scope: EmpresaScope): Promise<Checkout | null> {
  const [row] = await sql<Checkout>`
    select a.plan, e.legal_name, e.status as empresa_status, s.status, s.current_period_end, s.grace_until, s.updated_at,
      r.requested_at
    from ${fromEmpresa(scope)}
    ${joinAccount('e')}
    left join subscription s on s.account_id = e.account_id and s.empresa_id = e.id and s.mode = e.mode
    left join subscription_request r on r.account_id = e.account_id and r.empresa_id = e.id and r.mode = e.mode`
  return row ?? null
}

/** False when it was asked for within the last day: then nothing changes. */
export async function saveRequest(sql: Sql, scope: EmpresaScope, at: Date): Promise<boolean> {
  const { account_id, empresa_id, mode } = scope
  const rows = await sql`
    insert into subscription_request (account_id, empresa_id, mode, requested_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${at})
    on conflict (empresa_id) do update set requested_at = excluded.requested_at
      where subscription_request.requested_at <= ${daysFrom(at, -1)}
    returning 1`
  return rows.length > 0
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
