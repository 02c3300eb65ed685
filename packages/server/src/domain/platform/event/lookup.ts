import { type Fragment, name, part, type Sql } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { ofType } from './slices.ts'

// The kernel writes the ledger of events and this folder reads it: other nouns ask here.

/**
 * Joins, under the alias `v`, the event that a row with `event_id` names, with nulls where it is not kept any more.
 * Looked up from within, by its key: a plan made while the ledger was small must not be a bad one later.
 */
export function joinEvent(child: string): Fragment {
  return part`left join lateral (select * from event v where v.id = ${name(child)}.event_id limit 1) v on true`
}

/** How many events of a type were recorded in an account since an instant of real time. */
export async function countEventsSince(sql: Sql, scope: AccountScope, type: string, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from event
    where ${ofType(scope, type)} and account_id = ${scope.account_id} and mode = ${scope.mode}
      and id >= ${idFloor('event', since)}`
  return row?.count ?? 0
}
