import { type Fragment, part, type Sql } from '../../../kernel/db.ts'
import { LOCKS } from '../../../kernel/locks.ts'
import type { MovementScope } from './row.ts'

function of({ account_id, empresa_id, mode }: MovementScope): Fragment {
  return part`m.account_id = ${account_id} and m.empresa_id = ${empresa_id} and m.mode = ${mode}`
}

/** Cartolas are brought in side by side with anything but an undoing: what both tell must not fall between them. */
export async function letImport(sql: Sql, { empresa_id }: MovementScope): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCKS.statements}::int, hashtext(${empresa_id}))`
}

/** Keeps cartolas of an empresa out until the transaction ends; false where one is being brought in or undone. */
export async function keepOut(sql: Sql, { empresa_id }: MovementScope): Promise<boolean> {
  const [row] = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.statements}::int, hashtext(${empresa_id})) as alone`
  return row?.alone ?? false
}

/** Holds the movements of a cartola, in the order in which everybody holds them. */
export async function lockOf(sql: Sql, scope: MovementScope, statement_id: string): Promise<void> {
  await sql`
    select count(*) from (
      select 1 from movement m where ${of(scope)} and m.source_id = ${statement_id} order by m.id for update) held`
}

/** What another cartola told too becomes that one's, so many at a time: how many each of them takes. */
export function handOver(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
): Promise<{ id: string; count: number }[]> {
  return sql<{ id: string; count: number }>`
    with heir as (
      select t.movement_id, min(t.statement_id) as statement_id from movement_told_again t
      join movement m on m.id = t.movement_id
      where ${of(scope)} and m.source_id = ${statement_id} group by t.movement_id order by t.movement_id limit ${most}
    ), taken as (
      update movement m set source_id = h.statement_id from heir h where ${of(scope)} and m.id = h.movement_id
      returning m.id, m.source_id
    ), told as (
      delete from movement_told_again t using taken where t.movement_id = taken.id and t.statement_id = taken.source_id
    )
    select source_id as id, count(*)::integer as count from taken group by 1`
}

/** Movements that somebody matched, or that a 46 was issued for. What was only guessed stands in nobody's way. */
export async function decidedOf(sql: Sql, scope: MovementScope, statement_id: string, most: number): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select m.id from movement m where ${of(scope)} and m.source_id = ${statement_id}
      and (m.match ->> 'matched_by' in ('caller', 'confirmation') or exists (
        select 1 from suggestion s where s.movement_id = m.id and s.status = 'confirmed'))
    order by m.id limit ${most}`
  return rows.map(({ id }) => id)
}

/** Erases movements, so many at a time, but for those that a settled suggestion remembers. */
export async function dropMovements(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    delete from movement d where d.id in (
      select m.id from movement m where ${of(scope)} and m.source_id = ${statement_id} and not exists (
        select 1 from suggestion s where s.movement_id = m.id and s.status <> 'open')
      order by m.id limit ${most})
    returning d.id`
  return rows.map(({ id }) => id)
}

/** Hides those that are left; another cartola may bring them anew. */
export async function hideMovements(sql: Sql, scope: MovementScope, statement_id: string, at: Date): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    with hidden as (
      update movement m set removed_at = coalesce(m.removed_at, ${at}), changed_at = ${at}, line_key = 'gone:' || m.id,
        match = null, matched_document_id = null, matched_received_document_id = null,
        duplicate_of = null, duplicate_certain = null, duplicate_reason = null
      where ${of(scope)} and m.source_id = ${statement_id} returning m.id
    ), unspent as (
      update expense m set removed_at = ${at}, changed_at = ${at}
      where ${of(scope)} and m.movement_id in (select id from hidden) and m.removed_at is null
    ), unpaid as (
      delete from movement_match m where ${of(scope)} and m.movement_id in (select id from hidden)
    )
    select id from hidden`
  return rows.map(({ id }) => id)
}
