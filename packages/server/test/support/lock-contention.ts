// Lets a call run into a row that another transaction has locked.

import type { Sql } from '../../src/kernel/db.ts'
import type { World } from './world.ts'

async function waiter(world: World): Promise<void> {
  for (;;) {
    const [row] = await world.db.sql<{ any: boolean }>`
      select exists (
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      ) as any`
    if (row?.any) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/**
 * Makes a call run into a row that another transaction holds and is about to change, and lets it go on once that is
 * committed: a lost update that always happens, unless the call took the row before it read it.
 */
export async function behind<T>(
  world: World,
  other: { readonly hold: (sql: Sql) => Promise<unknown>; readonly change: (sql: Sql) => Promise<unknown> },
  call: () => Promise<T>,
): Promise<T> {
  const { pending } = await world.db.transact(async (sql) => {
    await other.hold(sql)
    const started = { pending: call() }
    await waiter(world)
    await other.change(sql)
    return started
  })
  return pending
}
