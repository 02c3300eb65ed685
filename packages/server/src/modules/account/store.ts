import type { AccountScope } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/db.ts'
import type { ApiKeyRow } from '../api-key/show.ts'

export interface AccountOverview {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly plan: string
  readonly key: ApiKeyRow | null
  readonly empresas_ready: number
  readonly empresas_total: number
}

export async function readAccountOverview(
  sql: Sql,
  account: AccountScope,
  reach: readonly string[],
  key_id: string | null,
): Promise<AccountOverview> {
  const [row] = await sql<AccountOverview>`
    select a.id, a.name, a.email, a.plan, to_json(k) as key, e.ready as empresas_ready, e.total as empresas_total
    from account a
    left join api_key k on k.account_id = a.id and k.id = ${key_id}
    cross join lateral (
      select count(*) as total, count(*) filter (where status = 'active' and onboarding_status = 'emitting') as ready
      from empresa where account_id = a.id and mode = ${account.mode} and ('*' = any(${reach}) or rut = any(${reach}))
    ) e
    where a.id = ${account.account_id}`
  return row as AccountOverview
}
