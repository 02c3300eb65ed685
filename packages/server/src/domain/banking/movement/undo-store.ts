import { nothing, part, type Sql } from '../../../kernel/db.ts'
import { LOCKS } from '../../../kernel/locks.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { hideExpenses } from '../../tax/expense/of-movement.ts'
import { isConfirmed, isSettled } from '../suggestion/sql.ts'
import type { MovementScope } from './row.ts'
import { stands } from './sql.ts'

/** Imports of an empresa run side by side, but never beside an undo: a movement of both cartolas must not be lost between them. */
export async function lockForImport(sql: Sql, { empresa_id }: MovementScope): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCKS.statements}::int, hashtext(${empresa_id}))`
}

/** Locks out imports of an empresa until the transaction ends; false where a cartola is being imported or undone. */
export async function tryLockForUndo(sql: Sql, { empresa_id }: MovementScope): Promise<boolean> {
  const [row] = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.statements}::int, hashtext(${empresa_id})) as alone`
  return row?.alone ?? false
}

/** The same for who can wait: batches of an import are short. */
export async function lockForUndoBatch(sql: Sql, { empresa_id }: MovementScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.statements}::int, hashtext(${empresa_id}))`
}

/** Passes movements to another cartola that holds them too, `most` at a time; gives how many each cartola got. */
export function handOver(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
): Promise<{ id: string; count: number }[]> {
  return sql<{ id: string; count: number }>`
    with heir as materialized (
      select t.movement_id, min(t.statement_id) as statement_id from movement_told_again t
      join movement m on m.id = t.movement_id
      where ${ownedBy(scope, 'm')} and m.source_id = ${statement_id} and ${ownedBy(scope, 't')}
        and t.statement_id <> all((select undone_statements(${scope.empresa_id}))::text[])
      group by t.movement_id order by t.movement_id limit ${most}
    ), taken as (
      update movement m set source_id = h.statement_id from heir h where ${ownedBy(scope, 'm')} and m.id = h.movement_id
      returning m.id, m.source_id
    ), told as (
      delete from movement_told_again t using taken where t.movement_id = taken.id and t.statement_id = taken.source_id
    )
    select source_id as id, count(*)::integer as count from taken group by 1`
}

/** Movements of an undone cartola alone that somebody matched, or that a 46 was issued for; automatic matches do not count. */
export async function listDecided(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select m.id from movement m where ${ownedBy(scope, 'm')} and m.source_id = ${statement_id}
      and (m.match ->> 'matched_by' in ('caller', 'confirmation') or ${isConfirmed(part`m.id`)})
      and not ${stands(scope)}
    order by m.id limit ${most}`
  return rows.map(({ id }) => id)
}

// Lists of ids are arrays, found once: joined to a subquery, a planner without statistics asked it again for every row.

/** Deletes movements, `most` at a time, but for those that a settled suggestion is about; `matched`: that pay something. */
export async function deleteOfStatement(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
  { matched = false } = {},
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    delete from movement d where d.id = any(array(
      select m.id from movement m where ${ownedBy(scope, 'm')} and m.source_id = ${statement_id} and not ${isSettled(part`m.id`)}
        ${matched ? part`and m.removed_at is null and m.match is not null` : nothing}
      order by m.id limit ${most} for update))
    returning d.id`
  return rows.map(({ id }) => id)
}

/** Hides those that are left, `most` at a time; another cartola may bring them anew. */
export async function hideOfStatement(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
  at: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    with left_over as (
      select m.id from movement m where ${ownedBy(scope, 'm')} and m.source_id = ${statement_id} and m.line_key <> 'gone:' || m.id
      order by m.id limit ${most} for update
    ), hidden as (
      update movement m set removed_at = coalesce(m.removed_at, ${at}), changed_at = ${at}, line_key = 'gone:' || m.id,
        match = null, matched_document_id = null, matched_received_document_id = null,
        duplicate_of = null, duplicate_certain = null, duplicate_reason = null
      where ${ownedBy(scope, 'm')} and m.id = any(array(select id from left_over)) returning m.id
    ), unspent as (${hideExpenses(scope, part`in (select id from hidden)`, at)}
    ), unpaid as (
      delete from movement_match m where ${ownedBy(scope, 'm')} and m.movement_id in (select id from hidden)
    )
    select id from hidden`
  return rows.map(({ id }) => id)
}

/** Forgets that an undone cartola held movements of others too, `most` at a time; gives how many. */
export async function forgetRepeats(
  sql: Sql,
  scope: MovementScope,
  statement_id: string,
  most: number,
): Promise<number> {
  const rows = await sql`
    delete from movement_told_again d where d.statement_id = ${statement_id} and d.movement_id = any(array(
      select t.movement_id from movement_told_again t where ${ownedBy(scope, 't')} and t.statement_id = ${statement_id}
      limit ${most}))
    returning d.movement_id`
  return rows.length
}
