import { joined, name, nothing, part, type Sql } from '../../../kernel/db.ts'
import { AccountProblem } from '../../../kernel/problem.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { type ApiKeyJson, joinApiKey, KEY_AS_JSON } from '../api-key/lookup.ts'
import { joinEmpresaCounts } from '../empresa/sql.ts'

export interface AccountOverview {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly plan: string
  readonly key: ApiKeyJson | null
  readonly empresas_ready: number
  readonly empresas_total: number
}

export async function readAccountOverview(
  sql: Sql,
  account: AccountScope,
  reach: readonly string[],
  key_id: string | null,
): Promise<AccountOverview> {
  const [row] = await sql<AccountOverview>`
    select a.id, a.name, a.email, a.plan, ${KEY_AS_JSON} as key, e.ready as empresas_ready, e.total as empresas_total
    from account a
    ${joinApiKey('a', key_id)}
    ${joinEmpresaCounts('a', account.mode, reach)}
    where a.id = ${account.account_id}`
  return row as AccountOverview
}

export interface AccountRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: string
  readonly password_hash: string
  readonly email_verified_at: Date | null
  /** When an address of it was proven for the first time, whichever it was. */
  readonly first_verified_at: Date | null
  readonly created_at: Date
}

export interface NewAccount {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly created_at: Date
}

export async function insertAccount(sql: Sql, row: NewAccount): Promise<AccountRow> {
  const [made] = await sql<AccountRow>`
    insert into account (id, email, name, password_hash, created_at)
    values (${row.id}, ${row.email}, ${row.name}, ${row.password_hash}, ${row.created_at})
    returning *`
  return made as AccountRow
}

/** Every change of an account locks it: here the statement itself does. */
export async function savePlan(sql: Sql, account_id: string, plan: string): Promise<void> {
  await sql`update account set plan = ${plan} where id = ${account_id}`
}

export async function isEmailTaken(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`select 1 from account where email = ${email} and closed_at is null`
  return rows.length > 0
}

/** Whether another account may still come back to an address that it left. */
export async function isEmailReserved(sql: Sql, email: string, account_id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from account_link
    where kind = 'restore_email' and email = ${email} and account_id <> ${account_id}
      and used_at is null and expires_at > ${now}`
  return rows.length > 0
}

// Every change of an account locks it first, before anything of it is touched, so that two changes take turns.
const TO_CHANGE = part`for no key update`

export async function findAccountByEmail(sql: Sql, email: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow>`select * from account where email = ${email} and closed_at is null`
  return row ?? null
}

export async function findOpenAccount(sql: Sql, id: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow>`select * from account where id = ${id} and closed_at is null`
  return row ?? null
}

/** The account of a session, which was just seen to be open. */
export async function findAccount(sql: Sql, id: string): Promise<AccountRow> {
  const row = await findOpenAccount(sql, id)
  if (!row) throw new AccountProblem('invalid_session')
  return row
}

/** A share lock: the password cannot change between this check and the new session. */
export async function lockAccountByEmailShared(sql: Sql, email: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow>`select * from account where email = ${email} and closed_at is null for share`
  return row ?? null
}

export async function lockAccountByEmail(sql: Sql, email: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow>`select * from account where email = ${email} and closed_at is null ${TO_CHANGE}`
  return row ?? null
}

export async function lockAccount(sql: Sql, id: string): Promise<AccountRow> {
  const [row] = await sql<AccountRow>`select * from account where id = ${id} and closed_at is null ${TO_CHANGE}`
  if (!row) throw new AccountProblem('invalid_session')
  return row
}

/** The account that a link belongs to, whether or not the link still works. */
export async function lockAccountOfLink(sql: Sql, token_hash: Buffer): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow>`
    select * from account where closed_at is null
      and id = (select account_id from account_link where token_hash = ${token_hash}) ${TO_CHANGE}`
  return row ?? null
}

export async function changeAccount(
  sql: Sql,
  id: string,
  changes: Partial<Pick<AccountRow, 'email' | 'password_hash' | 'email_verified_at'>> & { closed_at?: Date },
): Promise<void> {
  const sets = Object.entries(changes).map(([column, value]) => part`${name(column)} = ${value}`)
  const proven = changes.email_verified_at
  if (proven) sets.push(part`first_verified_at = coalesce(first_verified_at, ${proven}::timestamptz)`)
  await sql`update account set ${joined(sets, ', ')} where id = ${id}`
}

/** A session with the account it belongs to. */
export interface SessionRow extends AccountRow {
  readonly session_created_at: Date
  readonly session_expires_at: Date
}

export async function readSessionRow(sql: Sql, account_id: string, session_id: string): Promise<SessionRow> {
  const [row] = await sql<SessionRow>`
    select a.*, s.created_at as session_created_at, s.expires_at as session_expires_at
    from session s join account a on a.id = s.account_id
    where s.account_id = ${account_id} and s.id = ${session_id}`
  if (!row) throw new AccountProblem('invalid_session')
  return row
}

/**
 * Since when whoever holds a session may have been in: since it began, or since the first session after `floor` from a network
 * that was not usual, though it ended: an intruder may log in twice. Null where there is none.
 */
export async function findIntrusionStart(
  sql: Sql,
  account_id: string,
  session_id: string,
  floor: Date,
): Promise<Date | null> {
  const [row] = await sql<{ began: Date | null }>`
    select min(created_at) as began from session
    where account_id = ${account_id} and (id = ${session_id} or (strange and created_at >= ${floor}))`
  return row?.began ?? null
}

/** Ends one session, or every session of the account but `except`. Returns how many could still be used. */
export async function endSessions(
  sql: Sql,
  account_id: string,
  at: Date,
  which: { readonly only?: string; readonly except?: string } = {},
): Promise<number> {
  const rows = await sql<{ expires_at: Date }>`
    update session set revoked_at = ${at} where account_id = ${account_id} and revoked_at is null
      ${which.only === undefined ? nothing : part`and id = ${which.only}`}
      ${which.except === undefined ? nothing : part`and id <> ${which.except}`}
    returning expires_at`
  return rows.filter(({ expires_at }) => expires_at > at).length
}

/** The act that following a link from a letter performs. */
export const LINK_KINDS = ['verify_email', 'reset_password', 'change_email', 'restore_email'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export interface LinkRow {
  readonly account_id: string
  readonly kind: LinkKind
  /** The address the letter went to: who follows the link reads this mailbox. */
  readonly email: string
  /** Of a change of address and its way back: since when the account is not trusted, if an intruder asked for it. */
  readonly distrusted_since?: Date | null
}

export interface FollowedLink extends LinkRow {
  readonly expires_at: Date
}

export async function insertLink(sql: Sql, link: LinkRow & { token_hash: Buffer; expires_at: Date }): Promise<void> {
  await sql`
    insert into account_link (token_hash, account_id, kind, email, expires_at, distrusted_since)
    values (${link.token_hash}, ${link.account_id}, ${link.kind}, ${link.email}, ${link.expires_at},
      ${link.distrusted_since ?? null})`
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

/** Of two that follow a link at once, one gets the row. */
export async function consumeLink(
  sql: Sql,
  token_hash: Buffer,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<FollowedLink | null> {
  const [row] = await sql<FollowedLink>`
    update account_link set used_at = ${now}
    where token_hash = ${token_hash} and kind = any(${kinds}::text[]) and used_at is null and expires_at > ${now}
    returning account_id, kind, email, expires_at, distrusted_since`
  return row ?? null
}

/** Returns when each of them would have expired. */
export async function deleteLinks(sql: Sql, account_id: string, kinds: readonly LinkKind[]): Promise<Date[]> {
  const rows = await sql<{ expires_at: Date }>`
    delete from account_link where account_id = ${account_id} and kind = any(${kinds}::text[]) and used_at is null
    returning expires_at`
  return rows.map(({ expires_at }) => expires_at)
}

/** Ends the ways back from later changes of address than the one whose way back ends at an instant. */
export async function deleteLaterWaysBack(sql: Sql, account_id: string, expires_at: Date): Promise<Date[]> {
  const rows = await sql<{ expires_at: Date }>`
    delete from account_link where account_id = ${account_id} and kind = 'restore_email' and used_at is null
      and expires_at > ${expires_at}
    returning expires_at`
  return rows.map((row) => row.expires_at)
}

/** Whether an address that the account left may still call it back. */
export async function hasWayBack(sql: Sql, account_id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from account_link
    where account_id = ${account_id} and kind = 'restore_email' and used_at is null and expires_at > ${now}`
  return rows.length > 0
}

/** Links that nobody can follow any more. */
export async function deleteDeadLinks(sql: Sql, account_id: string, now: Date): Promise<void> {
  await sql`delete from account_link where account_id = ${account_id} and (used_at is not null or expires_at <= ${now})`
}
