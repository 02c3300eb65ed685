import type { Sql } from '../src/kernel/db.ts'
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

/** Makes a call run into a change that is not committed yet, and lets it go on once it is: a race that always happens. */
export async function behind<T>(
  world: World,
  change: (sql: Sql) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const { pending } = await world.db.transact(async (sql) => {
    await change(sql)
    const started = { pending: call() }
    await waiter(world)
    return started
  })
  return pending
}
