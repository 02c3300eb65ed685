import type { Sql } from '../../../kernel/db.ts'
import type { MovementScope, MovementSource } from './row.ts'

export function knownIds(
  sql: Sql,
  { account_id, empresa_id, mode }: MovementScope,
  source: MovementSource,
  bank_account: string,
  days: { readonly since: string; readonly until: string },
): Promise<{ external_id: string }[]> {
  return sql<{ external_id: string }>`
    select external_id from movement
    where account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}
      and source_type = ${source.type} and source_id = ${source.id} and bank_account = ${bank_account}
      and post_date >= ${days.since} and post_date < ${days.until} and removed_at is null and external_id is not null`
}
