import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import type { Twin } from './duplicates.ts'
import type { MovementScope, MovementSource } from './row.ts'

function of({ account_id, empresa_id, mode }: MovementScope): Fragment {
  return part`m.account_id = ${account_id} and m.empresa_id = ${empresa_id} and m.mode = ${mode}`
}

export interface Days {
  readonly from: string
  readonly to: string
}

export interface ToldRow {
  readonly id: string
  readonly source_type: 'statement' | 'connection'
  readonly source_id: string
  readonly bank_account: string
  readonly account_tail: string | null
  readonly bank: string | null
  readonly post_date: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly is_matched: boolean
  /** Who tells it too, and is hidden behind it. */
  readonly behind: readonly string[]
  readonly created_at: Date
}

// Lines of all cartolas know each other by what they say; a connection knows its own by the ids of its bank.
const isOf = (source: MovementSource) =>
  source.type === 'statement' ? part`m.source_type = 'statement'` : part`m.source_id = ${source.id}`

/** Whether anybody else tells of those days: most empresas have one source alone. */
export async function hasOthers(sql: Sql, scope: MovementScope, source: MovementSource, days: Days): Promise<boolean> {
  const types = source.type === 'statement' ? part`('connection')` : part`('connection', 'statement')`
  const [row] = await sql<{ found: boolean }>`
    select exists (select 1 from movement m where ${of(scope)} and m.removed_at is null and m.source_type in ${types}
      and m.post_date >= ${days.from} and m.post_date <= ${days.to} and not ${isOf(source)}) as found`
  return row?.found ?? false
}

const FORGOTTEN = part`duplicate_of = null, duplicate_certain = null, duplicate_reason = null`

const COLUMNS = part`m.id, m.source_type, m.source_id, m.bank_account, m.account_tail, m.bank, m.post_date, m.amount,
  m.currency, m.description, m.match is not null as is_matched, m.created_at,
  array(select case when h.source_type = 'statement' then 'statements' else h.source_id end from movement h
    where h.account_id = m.account_id and h.empresa_id = m.empresa_id and h.mode = m.mode and h.duplicate_of = m.id
      and h.duplicate_certain) as behind`

/** What is shown of some days, in the order in which it came: of a source, or of all others with an amount among its own. */
export function toldBetween(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  days: Days,
  amounts: readonly number[] | null,
): Promise<ToldRow[]> {
  const theirs = part`and not ${isOf(source)} and m.amount in (select unnest(${amounts ?? []}::bigint[]))`
  return sql<ToldRow>`
    select ${COLUMNS} from movement m where ${of(scope)} and m.removed_at is null
      and m.post_date >= ${days.from} and m.post_date <= ${days.to}
      ${amounts === null ? part`and ${isOf(source)}` : theirs}
    order by m.id`
}

/** Pairs of movements that somebody took apart. */
export function apartIn(sql: Sql, scope: MovementScope): Promise<{ movement_id: string; target_id: string }[]> {
  return sql<{ movement_id: string; target_id: string }>`
    select m.movement_id, m.target_id from movement_kept_apart m
    where ${of(scope)} and m.target_id >= 'mov_' and m.target_id < 'mov_~'`
}

const hideExpenses = (scope: MovementScope, at: Date) => part`
  update expense m set removed_at = ${at}, changed_at = ${at}
  where ${of(scope)} and m.movement_id in (select id from hidden) and m.removed_at is null`

/** What is hidden behind a movement that is about to be hidden itself goes behind the one that stays. */
async function rejoin(sql: Sql, scope: MovementScope, twins: readonly Twin[]): Promise<void> {
  const certain = JSON.stringify(twins.filter((one) => one.certain))
  const told = part`json_to_recordset(${certain}::json) as l (id text, "of" text)`
  // The one that stays is suspected no more of being the one that goes.
  await sql`
    update movement m set ${FORGOTTEN} from ${told} where ${of(scope)} and m.id = l."of" and m.duplicate_of = l.id`
  await sql`update movement m set duplicate_of = l."of" from ${told} where ${of(scope)} and m.duplicate_of = l.id`
}

/** Hides what is certain, with its expense, and notes what is not. What is matched meanwhile is left alone. */
export async function noteTwins(sql: Sql, scope: MovementScope, twins: readonly Twin[], at: Date): Promise<string[]> {
  if (twins.length === 0) return []
  await rejoin(sql, scope, twins)
  const rows = await sql<{ id: string }>`
    with told as (
      select * from json_to_recordset(${JSON.stringify(twins)}::json) as l (id text, "of" text, certain boolean, reason text)
    ), noted as (
      update movement m set duplicate_of = l."of", duplicate_certain = false, duplicate_reason = l.reason
      from told l where ${of(scope)} and m.id = l.id and not l.certain and m.removed_at is null
        and m.duplicate_of is distinct from l."of"
    ), hidden as (
      update movement m set duplicate_of = l."of", duplicate_certain = true, duplicate_reason = l.reason,
        removed_at = ${at}, changed_at = ${at}
      from told l where ${of(scope)} and m.id = l.id and l.certain and m.removed_at is null and m.match is null
      returning m.id
    ), unspent as (${hideExpenses(scope, at)})
    select id from hidden`
  return rows.map(({ id }) => id)
}

/** Shows what was hidden again, with its expense, and forgets what was suspected. */
async function show(
  sql: Sql,
  scope: MovementScope,
  which: Fragment,
  at: Date,
  becomes: Fragment = FORGOTTEN,
): Promise<void> {
  await sql`
    with shown as (
      update movement m set ${becomes}, changed_at = ${at},
        removed_at = case when m.duplicate_certain then null else m.removed_at end
      where ${of(scope)} and ${which} returning m.id, m.removed_at
    )
    update expense m set removed_at = null, changed_at = ${at}
    where ${of(scope)} and m.movement_id in (select id from shown where removed_at is null) and m.removed_at is not null`
}

/** Whatever was hidden behind some movements, because they change or go. */
export async function showBehind(sql: Sql, scope: MovementScope, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length > 0) await show(sql, scope, part`m.duplicate_of = any(${ids}::text[])`, at)
}

/** The same where they say something else now, and may still be meant: they count, and somebody should say. */
export async function suspectBehind(sql: Sql, scope: MovementScope, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  const which = part`m.duplicate_of = any(${ids}::text[]) and m.duplicate_certain`
  await show(sql, scope, which, at, part`duplicate_certain = false, duplicate_reason = 'changed'`)
}

export function showAgain(sql: Sql, scope: MovementScope, id: string, at: Date): Promise<void> {
  return show(sql, scope, part`m.id = ${id} and m.duplicate_of is not null`, at)
}
