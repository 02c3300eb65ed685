import { listed, type Sql } from '../../../kernel/db.ts'
import { type AnswerMany, inStep } from '../../../kernel/in-step.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, ownedBy, tenantsOf } from '../../../kernel/tenant.ts'
import type { MovementRow } from './row.ts'
import { stands } from './sql.ts'

/** Movements beyond a place that were not reviewed since they last changed, locked until the transaction ends. */
export function lockUnreviewed(
  sql: Sql,
  scope: EmpresaScope,
  { after, take }: { after: string; take: number },
): Promise<MovementRow[]> {
  return sql<MovementRow>`
    select * from movement m where ${ownedBy(scope, 'm')} and reviewed_at is null and id > ${after} and ${stands(scope)}
    order by id limit ${take}
    for update`
}

/** Whether a movement waits to be explained. */
export function hasUnmatched(sql: Sql, scope: EmpresaScope): Promise<boolean> {
  return inStep(sql, haveUnmatched, scope)
}

const haveUnmatched: AnswerMany<EmpresaScope, boolean> = async (sql, asked) => {
  const rows = await sql<{ place: number }>`
    select w.place from (select ${tenantsOf(asked)}, ${listed.integer(asked.map((_, i) => i))} as place) w
    where exists (
      select 1 from movement m where ${ownedBy(EACH, 'm')} and m.removed_at is null and m.match is null and ${stands(EACH)})`
  return asked.map((_, i) => rows.some(({ place }) => place === i))
}

export type Unmatched = Pick<
  MovementRow,
  'id' | 'post_date' | 'amount' | 'description' | 'counterparty_rut' | 'counterparty_name'
>

/** Movements in pesos of some days, both inclusive, that were reviewed and are matched to nothing. */
export function listUnmatched(
  sql: Sql,
  scope: EmpresaScope,
  { from, to }: { readonly from: string; readonly to: string },
  page: { readonly after: string; readonly take: number },
): Promise<Unmatched[]> {
  return sql<Unmatched>`
    select id, post_date, amount, description, counterparty_rut, counterparty_name from movement m
    where ${ownedBy(scope, 'm')} and removed_at is null and match is null and reviewed_at is not null and currency = 'CLP'
      and post_date >= ${from} and post_date <= ${to} and id > ${page.after} and ${stands(scope)}
    order by id limit ${page.take}`
}

/** Has movements reviewed again, unless they were matched meanwhile. */
export async function reopenReviews(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<void> {
  await sql`
    update movement m set reviewed_at = null where ${ownedBy(scope, 'm')} and id = any(${ids}::text[]) and match is null`
}

/** The texts of the movements that some others are suspected to duplicate. */
export async function textsOfDuplicates(
  sql: Sql,
  scope: EmpresaScope,
  rows: readonly MovementRow[],
): Promise<Map<string, string>> {
  const suspected = rows.filter(({ duplicate_of }) => duplicate_of !== null).map(({ id }) => id)
  if (suspected.length === 0) return new Map()
  const found = await sql<{ id: string; text: string }>`
    select m.id, t.description || ' ' || coalesce(t.counterparty_name, '') as text
    from movement m join movement t on t.account_id = m.account_id and t.empresa_id = m.empresa_id and t.mode = m.mode
      and t.id = m.duplicate_of and t.removed_at is null and ${stands(scope, 't')}
    where ${ownedBy(scope, 'm')} and m.id = any(${suspected}::text[])`
  return new Map(found.map(({ id, text }) => [id, text]))
}

/** Has up to `most` unmatched movements reviewed again; gives how many there were. */
export async function reopenSome(sql: Sql, scope: EmpresaScope, most: number): Promise<number> {
  const rows = await sql`
    update movement set reviewed_at = null where id in (
      select id from movement m where ${ownedBy(scope, 'm')} and removed_at is null and match is null and reviewed_at is not null
      order by id limit ${most})
    returning id`
  return rows.length
}

export async function markReviewed(sql: Sql, scope: EmpresaScope, ids: readonly string[], at: Date): Promise<void> {
  await sql`update movement m set reviewed_at = ${at} where ${ownedBy(scope, 'm')} and id = any(${ids}::text[])`
}
