import { CEILINGS } from '../../../catalog/limits.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { lockAccountRow } from './lookup.ts'

type Ceiling = 'api_keys' | 'empresas' | 'public_links'

/**
 * Refuses one more of what an account may hold in a mode. The account is locked first: of many that are made at once
 * none slips past. `count` tells how many there are, and may stop counting at the ceiling it is given.
 */
export async function requireRoom(
  sql: Sql,
  { account_id }: AccountScope,
  ceiling: Ceiling,
  count: (max: number) => Promise<number>,
): Promise<void> {
  await lockAccountRow(sql, account_id)
  const max = CEILINGS[ceiling]
  if ((await count(max)) >= max) throw new Problem('account_limit_reached', { details: { limit: ceiling, max } })
}
