import { type Fragment, name, part, type Sql } from '../../../kernel/db.ts'
import { LOCKS } from '../../../kernel/locks.ts'
import { Problem } from '../../../kernel/problem.ts'

// The table of accounts belongs to this folder: other nouns ask here, or join with the fragments below.

/** Joins, under the alias `a`, the account that a row with `account_id` belongs to. */
export function joinAccount(child: string): Fragment {
  return part`join account a on a.id = ${name(child)}.account_id`
}

/** The same where the account is open; other rows drop out. */
export function joinOpenAccount(child: string): Fragment {
  return part`${joinAccount(child)} and a.closed_at is null`
}

export async function isAccountOpen(sql: Sql, account_id: string): Promise<boolean> {
  const rows = await sql`select 1 from account where id = ${account_id} and closed_at is null`
  return rows.length > 0
}

/** The operator reaches any account that is open. */
export async function reachAnyAccount(sql: Sql, id = ''): Promise<string> {
  if (!(await isAccountOpen(sql, id))) throw new Problem('account_not_found')
  return id
}

export interface AccountEmail {
  readonly name: string | null
  readonly email: string
  readonly verified: boolean
}

/** The address of an open account, and whether its owner proved to read it. */
export async function findAccountEmail(sql: Sql, account_id: string): Promise<AccountEmail | null> {
  const [row] = await sql<AccountEmail>`
    select name, email, email_verified_at is not null as verified from account
    where id = ${account_id} and closed_at is null`
  return row ?? null
}

/** The address of an account, open or closed, once it was proven to be its own; in lower case. */
export async function findVerifiedEmail(sql: Sql, account_id: string): Promise<string | null> {
  const [row] = await sql<{ email: string }>`
    select lower(email) as email from account where id = ${account_id} and email_verified_at is not null`
  return row?.email ?? null
}

/** Locks an account until the transaction ends: what is counted under it is counted by one caller at a time. */
export async function lockAccountRow(sql: Sql, account_id: string): Promise<void> {
  await sql`select 1 from account where id = ${account_id} for no key update`
}

export async function isSessionLive(sql: Sql, session_id: string): Promise<boolean> {
  const rows = await sql`select 1 from session where id = ${session_id} and revoked_at is null`
  return rows.length > 0
}

/** Locks an account, as above, and gives how many unproven empresas the operator lets it hold; null for the default. */
export async function lockEmpresaAllowance(sql: Sql, account_id: string): Promise<number | null> {
  const [row] = await sql<{ unproven_empresas: number | null }>`
    select unproven_empresas from account where id = ${account_id} for no key update`
  return row?.unproven_empresas ?? null
}

// What stands behind a + before the @ is a tag: the mail goes to the same mailbox (RFC 5233 calls it a subaddress).
const MAILBOX = part`split_part(split_part(lower(email), '@', 1), '+', 1) || '@' || split_part(lower(email), '@', 2)`

/**
 * The accounts, closed ones too, of whoever reads the mailbox of an account, for one caller at a time until the transaction
 * ends: a person opens as many as there are tags.
 */
export async function lockMailboxAccounts(sql: Sql, account_id: string): Promise<string[]> {
  const [own] = await sql<{ mailbox: string }>`select ${MAILBOX} as mailbox from account where id = ${account_id}`
  if (!own) return [account_id]
  await sql`select pg_advisory_xact_lock(${LOCKS.mailbox}::int, hashtext(${own.mailbox}))`
  const rows = await sql<{ id: string }>`select id from account where ${MAILBOX} = ${own.mailbox}`
  return rows.map(({ id }) => id)
}
