import type { Sql } from '../../../kernel/db.ts'

/** The e-mail address of an account in lower case, once its owner has proven that it is theirs. */
export async function findVerifiedEmail(sql: Sql, account_id: string): Promise<string | null> {
  const [row] = await sql<{ email: string }>`
    select lower(email) as email from account where id = ${account_id} and email_verified_at is not null`
  return row?.email ?? null
}

/** Whether the account exists and was not closed. */
export async function isAccountOpen(sql: Sql, account_id: string): Promise<boolean> {
  const rows = await sql`select 1 from account where id = ${account_id} and closed_at is null`
  return rows.length > 0
}
