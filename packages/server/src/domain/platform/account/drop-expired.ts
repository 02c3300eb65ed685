import type { Sql } from '../../../kernel/db.ts'

/** Forgets sessions and links that ended before an instant: nobody can use them, and every login adds one. */
export async function dropExpired(sql: Sql, before: Date): Promise<void> {
  await sql`delete from session where expires_at < ${before}`
  await sql`delete from account_link where expires_at < ${before}`
}
