import { systemNow } from './clock.ts'
import type { Sql } from './db.ts'

// The instant that retention goes by. A clock that is years ahead, for an hour or since the machine started, must not drop what is
// kept for years: so this one moves by a day at most every hour. After a long absence it catches up, a day an hour; a
// clock that was set back takes it along.

/** What it says, for a start: one that fails and is repeated moves nothing. */
export async function retentionNow(sql: Sql, now = new Date(systemNow())): Promise<Date> {
  const [row] = await sql<{ at: Date }>`select least(${now}::timestamptz, at) as at from retention_clock`
  return row?.at ?? now
}

/** Moves it, and gives what it says. */
export async function moveRetention(sql: Sql, now = new Date(systemNow())): Promise<Date> {
  const [row] = await sql<{ at: Date }>`
    update retention_clock set at = least(${now}::timestamptz, at + interval '1 day') returning at`
  return row?.at ?? now
}
