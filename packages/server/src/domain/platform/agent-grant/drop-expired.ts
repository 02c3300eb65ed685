import type { Sql } from '../../../kernel/db.ts'

/** Forgets codes, tokens, sessions and clients that ended before an instant: nobody can use them. */
export async function dropExpiredItems(sql: Sql, before: Date): Promise<void> {
  await sql`delete from oauth_item where expires_at < ${before}`
}
