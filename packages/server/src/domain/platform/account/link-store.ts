import type { Sql } from '../../../kernel/db.ts'

/** What following a link from a letter does. */
export type LinkKind = 'verify_email' | 'reset_password' | 'change_email'

export interface LinkRow {
  readonly account_id: string
  readonly kind: LinkKind
  /** Where the letter went: who follows the link reads this mailbox. */
  readonly email: string
}

export async function insertLink(sql: Sql, link: LinkRow & { token_hash: Buffer; expires_at: Date }): Promise<void> {
  await sql`
    insert into account_link (token_hash, account_id, kind, email, expires_at)
    values (${link.token_hash}, ${link.account_id}, ${link.kind}, ${link.email}, ${link.expires_at})`
}

/** Whether a link can still be followed, without using it up. */
export async function findLink(
  sql: Sql,
  token_hash: Buffer,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow>`
    select account_id, kind, email from account_link
    where token_hash = ${token_hash} and kind = any(${kinds}::text[]) and used_at is null and expires_at > ${now}`
  return row ?? null
}

/** Spends a link: of two that follow it at once, one gets the row. */
export async function spendLink(
  sql: Sql,
  token_hash: Buffer,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow>`
    update account_link set used_at = ${now}
    where token_hash = ${token_hash} and kind = any(${kinds}::text[]) and used_at is null and expires_at > ${now}
    returning account_id, kind, email`
  return row ?? null
}

export async function dropLinks(sql: Sql, account_id: string, kinds: readonly LinkKind[]): Promise<void> {
  await sql`delete from account_link where account_id = ${account_id} and kind = any(${kinds}::text[]) and used_at is null`
}

/** What nobody can follow any more is of no use to anybody. */
export async function dropDeadLinks(sql: Sql, account_id: string, now: Date): Promise<void> {
  await sql`delete from account_link where account_id = ${account_id} and (used_at is not null or expires_at <= ${now})`
}
