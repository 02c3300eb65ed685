import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { MovementRow, MovementScope, MovementSource } from './row.ts'
import { lockSourceOf, stands } from './sql.ts'

export async function findMovement(sql: Sql, scope: MovementScope, id: string): Promise<MovementRow | null> {
  const [row] = await sql<MovementRow>`
    select * from movement m where ${ownedBy(scope, 'm')} and m.id = ${id} and ${stands(scope)}`
  return row ?? null
}

/** The same, locked until the transaction ends, and with it its cartola: nobody undoes what somebody decides about. */
export async function lockMovement(sql: Sql, scope: MovementScope, id: string): Promise<MovementRow | null> {
  await sql`${lockSourceOf(id, scope)}`
  const [row] = await sql<MovementRow>`
    select * from movement m where ${ownedBy(scope, 'm')} and m.id = ${id} and ${stands(scope)} for update`
  return row ?? null
}

export interface MovementFilter {
  readonly from?: string
  readonly to?: string
  readonly direction?: 'in' | 'out'
  readonly matched?: boolean
  readonly suspected?: boolean
  readonly source?: string
  readonly currency?: string
}

export type Place = readonly [post_date: string, id: string]

// Written out, so that the partial index of each of them can serve it.
const DIRECTIONS = { in: part`and m.amount > 0`, out: part`and m.amount < 0` }
const SUSPECTED = { true: part`and m.duplicate_of is not null`, false: part`and m.duplicate_of is null` }
const MATCHED = { true: part`and m.match is not null`, false: part`and m.match is null` }

function matching({ from, to, direction, matched, suspected, source, currency }: MovementFilter): Fragment {
  return part`
    ${from === undefined ? nothing : part`and m.post_date >= ${from}`}
    ${to === undefined ? nothing : part`and m.post_date <= ${to}`}
    ${direction === undefined ? nothing : DIRECTIONS[direction]}
    ${matched === undefined ? nothing : MATCHED[`${matched}`]}
    ${suspected === undefined ? nothing : SUSPECTED[`${suspected}`]}
    ${source === undefined ? nothing : part`and m.source_type = ${source}`}
    ${currency === undefined ? nothing : part`and m.currency = ${currency}`}`
}

/** Latest first, strictly before a place. Movements that their bank took back are left out. */
export function listMovementRows(
  sql: Sql,
  scope: MovementScope,
  filter: MovementFilter,
  { place, take }: { place: Place | null; take: number },
): Promise<MovementRow[]> {
  return sql<MovementRow>`
    select * from movement m where ${ownedBy(scope, 'm')} and m.removed_at is null and ${stands(scope)} ${matching(filter)}
      ${place === null ? nothing : part`and (m.post_date, m.id) < (${place[0]}::date, ${place[1]})`}
    order by m.post_date desc, m.id desc limit ${take}`
}

/** How many movements a cartola brought over all the attempts of its import, duplicates left out. */
export async function countImported(sql: Sql, scope: MovementScope, statement_id: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*) from movement m
    where ${ownedBy(scope, 'm')} and m.source_id = ${statement_id} and m.duplicate_certain is not true`
  return row?.count ?? 0
}

/** The bank's ids of the movements that a source brought of an account: one that the bank no longer lists was taken back. */
export async function knownIds(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  bank_account: string,
  days: { readonly since: string; readonly until: string },
): Promise<string[]> {
  const rows = await sql<{ external_id: string }>`
    select m.external_id from movement m
    where ${ownedBy(scope, 'm')} and m.source_type = ${source.type} and m.source_id = ${source.id}
      and m.bank_account = ${bank_account} and m.post_date >= ${days.since} and m.post_date < ${days.until}
      and m.removed_at is null and m.external_id is not null`
  return rows.map(({ external_id }) => external_id)
}
