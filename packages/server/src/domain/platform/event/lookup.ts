import type { Sql } from '../../../kernel/db.ts'
import type { EventData } from '../../../kernel/event-data.ts'
import { idFloor } from '../../../kernel/id.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { knowBases } from '../../../kernel/text-base.ts'
import { type EventRow, eventBytes } from './show.ts'
import { ofType } from './slices.ts'

// The kernel writes the ledger of events and this folder reads it: other nouns ask here.

type StoredEvent = Omit<EventRow, 'data' | 'mode'> & EventData

/** Events by their ids, each as the bytes that a GET of it answers; what is not kept any more is missing. */
export async function readEventBytes(
  sql: Sql,
  { account_id, mode }: AccountScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const sorted = ids.toSorted()
  // The bounds tell which months to look in: PostgreSQL does not see that in a list.
  const rows = await sql<StoredEvent>`
    select id, type, empresa_id, empresa_rut, created_at, data::text as data, packed, base_id from event
    where id = any(${sorted}::text[]) and id >= ${sorted[0]} and id <= ${sorted.at(-1)} and account_id = ${account_id}`
  await knowBases(
    sql,
    rows.map(({ base_id }) => base_id),
  )
  return new Map(rows.map((row) => [row.id, eventBytes(mode, row)]))
}

/** How many events of a type were recorded in an account since an instant of real time. */
export async function countEventsSince(sql: Sql, scope: AccountScope, type: string, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from event
    where ${ofType(scope, type)} and account_id = ${scope.account_id} and mode = ${scope.mode}
      and id >= ${idFloor('event', since)}`
  return row?.count ?? 0
}
