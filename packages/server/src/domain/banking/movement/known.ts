import type { Sql } from '../../../kernel/db.ts'
import { knownIds } from './known-store.ts'
import type { MovementScope, MovementSource } from './row.ts'

/** What a source told of an account within some days, by the ids of the bank: what it no longer tells was taken back. */
export async function toldBefore(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  bank_account: string,
  days: { readonly since: string; readonly until: string },
): Promise<string[]> {
  return (await knownIds(sql, scope, source, bank_account, days)).map(({ external_id }) => external_id)
}
