import { santiagoDate } from '@timbre/dte/values'
import type { LastingAct, LastingObject } from '../../../catalog/lasting.ts'
import { systemNow } from '../../../kernel/clock.ts'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { isMadeAt, type Untrusted } from '../../distrust.ts'
import { changesBy } from '../lasting-change/sql.ts'
import type { AgentGrant } from './schema.ts'
import type { GrantRow } from './show.ts'

/** A grant and what was issued by it today. */
export interface SpentRow extends GrantRow {
  readonly spent_today: number
}

export async function insertGrant(sql: Sql, row: GrantRow, key_version: number): Promise<void> {
  await sql`
    insert into agent_grant (id, account_id, mode, client_id, client_name, client_host, scopes, empresas, two_steps,
      max_clp_per_document, max_clp_per_day, tipos, receptores, created_at, expires_at, key_version)
    values (${row.id}, ${row.account_id}, ${row.mode}, ${row.client_id}, ${row.client_name}, ${row.client_host},
      ${row.scopes}, ${row.empresas}, ${row.two_steps}, ${row.max_clp_per_document}, ${row.max_clp_per_day},
      ${row.tipos}, ${row.receptores}, ${row.created_at}, ${row.expires_at}, ${key_version})`
}

export async function findGrant(
  sql: Sql,
  { account_id, mode }: AccountScope,
  id: string,
  today: string,
): Promise<SpentRow | null> {
  const [row] = await sql<SpentRow>`
    select g.*, coalesce(s.spent, 0) as spent_today
    from agent_grant g left join agent_spend s on s.grant_id = g.id and s.day = ${today}
    where g.account_id = ${account_id} and g.mode = ${mode} and g.id = ${id}`
  return row ?? null
}

/** Only time moves a grant from active to expired, so its status follows from its dates. */
function withStatus(status: AgentGrant['status'] | undefined, now: Date): Fragment {
  if (status === undefined) return nothing
  if (status === 'revoked') return part`and g.revoked_at is not null`
  return status === 'active'
    ? part`and g.revoked_at is null and g.expires_at > ${now}`
    : part`and g.revoked_at is null and g.expires_at <= ${now}`
}

export async function listGrants(
  sql: Sql,
  { account_id, mode }: AccountScope,
  page: {
    readonly today: string
    readonly now: Date
    readonly status: AgentGrant['status'] | undefined
    readonly before: string | null
    readonly take: number
  },
): Promise<SpentRow[]> {
  return sql<SpentRow>`
    select g.*, coalesce(s.spent, 0) as spent_today
    from agent_grant g left join agent_spend s on s.grant_id = g.id and s.day = ${page.today}
    where g.account_id = ${account_id} and g.mode = ${mode} ${withStatus(page.status, page.now)}
      ${page.before === null ? nothing : part`and g.id < ${page.before}`}
    order by g.id desc limit ${page.take}`
}

/** Ends a grant once; null when somebody did before. */
export async function markRevoked(sql: Sql, id: string, at: Date): Promise<GrantRow | null> {
  const [row] = await sql<GrantRow>`
    update agent_grant set revoked_at = ${at} where id = ${id} and revoked_at is null returning *`
  return row ?? null
}

export async function readSpent(sql: Sql, grant_id: string, day: string): Promise<number> {
  const [row] = await sql<{ spent: number }>`
    select spent from agent_spend where grant_id = ${grant_id} and day = ${day}`
  return row?.spent ?? 0
}

/** Adds an amount to a day if it fits under the cap; false if not. Others of the same grant wait until we commit. */
export async function addSpent(
  sql: Sql,
  { grant_id, day, amount, cap }: { grant_id: string; day: string; amount: number; cap: number | null },
): Promise<boolean> {
  if (cap !== null && amount > cap) return false
  const rows = await sql`
    insert into agent_spend (grant_id, day, spent) values (${grant_id}, ${day}, ${amount})
    on conflict (grant_id, day) do update set spent = agent_spend.spent + excluded.spent
      where ${cap}::bigint is null or agent_spend.spent + excluded.spent <= ${cap}::bigint
    returning 1`
  return rows.length > 0
}

/** Takes what some grants spent on a day off them, for the one that it goes over to. */
export async function takeSpent(sql: Sql, grant_ids: readonly string[], day: string): Promise<number> {
  const rows = await sql<{ spent: number }>`
    delete from agent_spend where grant_id = any(${grant_ids}::text[]) and day = ${day} returning spent`
  return rows.reduce((sum, { spent }) => sum + spent, 0)
}

/** The day of Santiago that a limit counts by, in real time: an agent gains nothing by moving a test clock. */
export function grantDay(): string {
  return santiagoDate(new Date(systemNow()))
}

export async function lockGrants(sql: Sql, account_id: string): Promise<void> {
  await sql`select 1 from agent_grant where account_id = ${account_id} and revoked_at is null order by id for update`
}

/** All that a client was given by an account in a mode, ended ones too. */
export async function lockGrantsOfClient(
  sql: Sql,
  { account_id, mode, client_id }: AccountScope & { readonly client_id: string },
): Promise<GrantRow[]> {
  return sql<GrantRow>`
    select * from agent_grant where account_id = ${account_id} and mode = ${mode} and client_id = ${client_id}
    order by id for update`
}

/** The grants of an account given at a time; ended ones too. */
export async function listGrantsMade(sql: Sql, account_id: string, time: Untrusted): Promise<GrantRow[]> {
  return sql<GrantRow>`
    select * from agent_grant where account_id = ${account_id} and ${isMadeAt('agent_grant', time)} order by id`
}

/** Those that have access, newest first; with a client, of that one. */
export async function listActive(
  sql: Sql,
  account_id: string,
  now: Date,
  take: number,
  client_id: string | null = null,
): Promise<GrantRow[]> {
  return sql<GrantRow>`
    select * from agent_grant where account_id = ${account_id} and revoked_at is null and expires_at > ${now}
      ${client_id === null ? nothing : part`and client_id = ${client_id}`}
    order by id desc limit ${take}`
}

export async function countActive(sql: Sql, account_id: string, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) as count from agent_grant
    where account_id = ${account_id} and revoked_at is null and expires_at > ${now}`
  return row?.count ?? 0
}

/** What an agent can make that works without it. Of these a contact and a linked bank stay: they are the empresa's. */
export const MAKING_KINDS = ['webhook_endpoint', 'public_link', 'connection', 'counterparty_contact'] as const
export type MakingKind = (typeof MAKING_KINDS)[number]

/** Of something that an agent made: where it leads, or the secret that it is known by. Two agents may have set them. */
export type MakingAspect = 'address' | 'secret'

export interface MakingRow {
  readonly subject_id: string
  readonly grant_id: string
  readonly kind: MakingKind
  readonly label: string
  readonly created_at: Date
}

export async function upsertMaking(sql: Sql, row: MakingRow, aspects: readonly MakingAspect[]): Promise<void> {
  await sql`
    insert into agent_making (subject_id, grant_id, kind, label, created_at, aspect)
    select ${row.subject_id}, ${row.grant_id}, ${row.kind}, ${row.label}, ${row.created_at}::timestamptz, aspect
    from unnest(${aspects}::text[]) as aspect
    on conflict (subject_id, aspect) do update
      set grant_id = excluded.grant_id, label = excluded.label, created_at = excluded.created_at`
}

/** What some grants answer for goes over to another. */
export async function moveMakings(sql: Sql, from: readonly string[], to: string): Promise<void> {
  await sql`update agent_making set grant_id = ${to} where grant_id = any(${from}::text[])`
}

export async function deleteMaking(sql: Sql, subject_id: string, aspects: readonly MakingAspect[]): Promise<void> {
  await sql`delete from agent_making where subject_id = ${subject_id} and aspect = any(${aspects}::text[])`
}

/** Whether an agent, other than this credential, set one aspect of a thing. */
export async function isMadeByAnother(
  sql: Sql,
  subject_id: string,
  aspect: MakingAspect,
  credential_id: string,
): Promise<boolean> {
  const rows = await sql`
    select 1 from agent_making
    where subject_id = ${subject_id} and aspect = ${aspect} and grant_id <> ${credential_id}`
  return rows.length > 0
}

export interface LeftRow {
  readonly subject_id: string
  readonly grant_id: string
  readonly object: MakingKind | LastingObject
  readonly label: string
  readonly act: LastingAct
  readonly fields: readonly string[]
  readonly created_at: Date
  /** Whether the agent answers for it, so that it can end with the grant. */
  readonly answers: boolean
  /** How many there are of the grant. */
  readonly total: number
}

/** The newest that each grant left: what it made and answers for, and what it set up or changed. */
export async function listLeft(sql: Sql, grant_ids: readonly string[], most: number): Promise<LeftRow[]> {
  return sql<LeftRow>`
    select g.id as grant_id, l.* from unnest(${grant_ids}::text[]) as g (id)
    cross join lateral (
      select subject_id, coalesce(m.kind, c.object) as object, coalesce(m.label, c.label) as label,
        coalesce(c.act, 'created') as act, coalesce(c.fields, '{}') as fields,
        coalesce(c.written_at, m.created_at) as created_at, m.kind is not null as answers, count(*) over () as total
      from (
        select subject_id, kind, max(label) as label, min(created_at) as created_at from agent_making
        where grant_id = g.id group by subject_id, kind
      ) m full join (${changesBy(part`g.id`)}) c using (subject_id)
      order by created_at desc, subject_id desc limit ${most}
    ) l`
}
