import type { Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { moveLinks } from './store.ts'

/** Lets the pages that some credentials minted live on with another, which takes their place. */
export async function handOverLinks(
  sql: Sql,
  { account_id, mode, id }: AccountScope & { readonly id: string },
  from: readonly string[],
): Promise<void> {
  await moveLinks(sql, { account_id, mode }, from, id)
}
