import { type Fragment, listed, part, type Sql } from '../../../kernel/db.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { hideExpenses, unhideExpenses } from '../../tax/expense/of-movement.ts'
import type { Duplicate } from './duplicate/find.ts'
import type { MovementScope, MovementSource } from './row.ts'
import { stands } from './sql.ts'

export interface Days {
  readonly from: string
  readonly to: string
}

export interface ComparedRow {
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
  /** Sources whose duplicate of it is hidden. */
  readonly behind: readonly string[]
  readonly created_at: Date
}

// All cartolas are one source, since equal lines have equal keys; a connection knows its own by the ids of its bank.
const isOf = (source: MovementSource) =>
  source.type === 'statement' ? part`m.source_type = 'statement'` : part`m.source_id = ${source.id}`

/** Whether another source holds movements of those days: most empresas have one source alone. */
export async function hasOtherSources(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  days: Days,
): Promise<boolean> {
  const types = source.type === 'statement' ? part`('connection')` : part`('connection', 'statement')`
  const [row] = await sql<{ found: boolean }>`
    select exists (select 1 from movement m where ${ownedBy(scope, 'm')} and m.removed_at is null and m.source_type in ${types}
      and m.post_date >= ${days.from} and m.post_date <= ${days.to} and not ${isOf(source)}
      and ${stands(scope)}) as found`
  return row?.found ?? false
}

const NO_DUPLICATE = part`duplicate_of = null, duplicate_certain = null, duplicate_reason = null`

const COLUMNS = part`m.id, m.source_type, m.source_id, m.bank_account, m.account_tail, m.bank, m.post_date, m.amount,
  m.currency, m.description, m.match is not null as is_matched, m.created_at,
  array(select case when h.source_type = 'statement' then 'statements' else h.source_id end from movement h
    where h.account_id = m.account_id and h.empresa_id = m.empresa_id and h.mode = m.mode and h.duplicate_of = m.id
      and h.duplicate_certain) as behind`

/** Visible movements of some days in the order of their arrival: of a source, or of all others with one of its amounts. */
export function listComparable(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  days: Days,
  amounts: readonly number[] | null,
): Promise<ComparedRow[]> {
  const theirs = part`and not ${isOf(source)} and m.amount in (select ${listed.bigint(amounts ?? [])})`
  return sql<ComparedRow>`
    select ${COLUMNS} from movement m where ${ownedBy(scope, 'm')} and m.removed_at is null and ${stands(scope)}
      and m.post_date >= ${days.from} and m.post_date <= ${days.to}
      ${amounts === null ? part`and ${isOf(source)}` : theirs}
    order by m.id`
}

/** Pairs of movements that somebody took apart. */
export function listKeptApart(sql: Sql, scope: MovementScope): Promise<{ movement_id: string; target_id: string }[]> {
  return sql<{ movement_id: string; target_id: string }>`
    select m.movement_id, m.target_id from movement_kept_apart m
    where ${ownedBy(scope, 'm')} and m.target_id >= 'mov_' and m.target_id < 'mov_~'`
}

/** Movements behind one that is about to be hidden itself go behind the one that stays. */
async function repointHidden(sql: Sql, scope: MovementScope, duplicates: readonly Duplicate[]): Promise<void> {
  const certain = JSON.stringify(duplicates.filter((one) => one.certain))
  const certainOnes = part`json_to_recordset(${certain}::json) as l (id text, "of" text)`
  // The movement that stays is no longer suspected of being the one that goes.
  await sql`
    update movement m set ${NO_DUPLICATE} from ${certainOnes} where ${ownedBy(scope, 'm')} and m.id = l."of" and m.duplicate_of = l.id`
  await sql`update movement m set duplicate_of = l."of" from ${certainOnes} where ${ownedBy(scope, 'm')} and m.duplicate_of = l.id`
}

/** Hides certain duplicates with their expenses, and marks suspected ones. One that was matched meanwhile is left alone. */
export async function saveDuplicates(
  sql: Sql,
  scope: MovementScope,
  duplicates: readonly Duplicate[],
  at: Date,
): Promise<string[]> {
  if (duplicates.length === 0) return []
  await repointHidden(sql, scope, duplicates)
  const rows = await sql<{ id: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(duplicates)}::json) as l (id text, "of" text, certain boolean, reason text)
    ), suspected as (
      update movement m set duplicate_of = l."of", duplicate_certain = false, duplicate_reason = l.reason
      from given l where ${ownedBy(scope, 'm')} and m.id = l.id and not l.certain and m.removed_at is null
        and m.duplicate_of is distinct from l."of"
    ), hidden as (
      update movement m set duplicate_of = l."of", duplicate_certain = true, duplicate_reason = l.reason,
        removed_at = ${at}, changed_at = ${at}
      from given l where ${ownedBy(scope, 'm')} and m.id = l.id and l.certain and m.removed_at is null and m.match is null
      returning m.id
    ), unspent as (${hideExpenses(scope, part`in (select id from hidden)`, at)})
    select id from hidden`
  return rows.map(({ id }) => id)
}

/** Shows hidden duplicates again with their expenses, and clears suspicions. */
async function unhide(
  sql: Sql,
  scope: MovementScope,
  which: Fragment,
  at: Date,
  becomes: Fragment = NO_DUPLICATE,
): Promise<void> {
  await sql`
    with shown as (
      update movement m set ${becomes}, changed_at = ${at},
        removed_at = case when m.duplicate_certain then null else m.removed_at end
      where ${ownedBy(scope, 'm')} and ${which} returning m.id, m.removed_at
    )
    ${unhideExpenses(scope, part`in (select id from shown where removed_at is null)`, at)}`
}

/** Shows whatever was hidden behind movements that go. */
export async function unhideBehind(sql: Sql, scope: MovementScope, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length > 0) await unhide(sql, scope, part`m.duplicate_of = any(${ids}::text[])`, at)
}

/** The same for movements that their bank changed: their duplicates count again, and stay suspected until somebody says. */
export async function suspectBehind(sql: Sql, scope: MovementScope, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  const which = part`m.duplicate_of = any(${ids}::text[]) and m.duplicate_certain`
  await unhide(sql, scope, which, at, part`duplicate_certain = false, duplicate_reason = 'changed'`)
}

export function unhideMovement(sql: Sql, scope: MovementScope, id: string, at: Date): Promise<void> {
  return unhide(sql, scope, part`m.id = ${id} and m.duplicate_of is not null`, at)
}
