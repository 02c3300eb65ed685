import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Standing, Term } from './standing.ts'

export interface SubscriptionRow extends Term {
  readonly id: string
  readonly updated_at: Date
}

function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

/** Everything the paywall asks about, in one statement. Null when the empresa is gone. */
export async function readStanding(sql: Sql, scope: EmpresaScope): Promise<Standing | null> {
  const [row] = await sql<Standing>`
    select a.plan, e.legal_name, s.status, s.current_period_end, s.grace_until, s.updated_at
    from empresa e
    join account a on a.id = e.account_id
    left join subscription s on s.account_id = e.account_id and s.empresa_id = e.id and s.mode = e.mode
    where e.account_id = ${scope.account_id} and e.id = ${scope.empresa_id} and e.mode = ${scope.mode}`
  return row ?? null
}

/** The state of the empresa itself, which archiving cannot change before this transaction ends. */
export async function holdEmpresaStatus(sql: Sql, scope: EmpresaScope): Promise<string | null> {
  const [row] = await sql<{ status: string }>`
    select status from empresa
    where account_id = ${scope.account_id} and id = ${scope.empresa_id} and mode = ${scope.mode} for share`
  return row?.status ?? null
}

/** The row of an empresa, made without a status if there was none, held until the transaction ends. */
export async function holdSubscription(sql: Sql, scope: EmpresaScope, now: Date): Promise<SubscriptionRow> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    insert into subscription (account_id, empresa_id, mode, created_at, updated_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${now}, ${now})
    on conflict (id) do nothing`
  const [row] = await sql<SubscriptionRow>`select * from subscription where ${of(scope)} for update`
  return row as SubscriptionRow
}

export async function lockSubscription(sql: Sql, scope: EmpresaScope): Promise<SubscriptionRow | null> {
  const [row] = await sql<SubscriptionRow>`select * from subscription where ${of(scope)} for update`
  return row ?? null
}

export async function writeTerm(
  sql: Sql,
  scope: EmpresaScope,
  term: { current_period_end: Date; grace_until: Date | null; updated_at: Date },
): Promise<void> {
  await sql`
    update subscription set current_period_end = ${term.current_period_end}, grace_until = ${term.grace_until},
      updated_at = ${term.updated_at}
    where ${of(scope)}`
}
