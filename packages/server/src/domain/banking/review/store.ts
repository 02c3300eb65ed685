import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { MovementRow } from '../match/row.ts'

function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

/** Movements beyond a place that nobody looked at in the state they are in, held until the transaction ends. */
export function lockUnreviewed(
  sql: Sql,
  scope: EmpresaScope,
  { after, take }: { after: string; take: number },
): Promise<MovementRow[]> {
  return sql<MovementRow>`
    select * from movement where ${of(scope)} and reviewed_at is null and id > ${after} order by id limit ${take}
    for update`
}

/** Whether a movement waits to be explained; `matches_alone`: by a match, which the empresa wants made for it. */
export async function waitsFor(
  sql: Sql,
  scope: EmpresaScope,
  { matches_alone }: { readonly matches_alone: boolean },
): Promise<boolean> {
  const wanted = part`and exists (
    select 1 from automation_settings s
    where s.account_id = ${scope.account_id} and s.empresa_id = ${scope.empresa_id} and s.apply_movement_matches)`
  const [row] = await sql<{ waits: boolean }>`
    select exists (select 1 from movement where ${of(scope)} and removed_at is null and match is null)
      ${matches_alone ? wanted : nothing} as waits`
  return row?.waits ?? false
}

export type Loose = Pick<
  MovementRow,
  'id' | 'post_date' | 'amount' | 'description' | 'counterparty_rut' | 'counterparty_name'
>

/** Movements in pesos of some days, both inclusive, that were looked at and are matched to nothing. */
export function looseBetween(
  sql: Sql,
  scope: EmpresaScope,
  { from, to }: { readonly from: string; readonly to: string },
  page: { readonly after: string; readonly take: number },
): Promise<Loose[]> {
  return sql<Loose>`
    select id, post_date, amount, description, counterparty_rut, counterparty_name from movement
    where ${of(scope)} and removed_at is null and match is null and reviewed_at is not null and currency = 'CLP'
      and post_date >= ${from} and post_date <= ${to} and id > ${page.after}
    order by id limit ${page.take}`
}

export async function forgetReviews(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<void> {
  await sql`
    update movement set reviewed_at = null where ${of(scope)} and id = any(${ids}::text[]) and match is null`
}

/** What the movements say that some others may be. */
export async function wordsOfTwins(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  rows: readonly MovementRow[],
): Promise<Map<string, string>> {
  const suspected = rows.filter(({ duplicate_of }) => duplicate_of !== null).map(({ id }) => id)
  if (suspected.length === 0) return new Map()
  const found = await sql<{ id: string; words: string }>`
    select m.id, t.description || ' ' || coalesce(t.counterparty_name, '') as words
    from movement m join movement t on t.account_id = m.account_id and t.empresa_id = m.empresa_id and t.mode = m.mode
      and t.id = m.duplicate_of and t.removed_at is null
    where m.account_id = ${account_id} and m.empresa_id = ${empresa_id} and m.mode = ${mode}
      and m.id = any(${suspected}::text[])`
  return new Map(found.map(({ id, words }) => [id, words]))
}

/** So many of those that were looked at and are matched to nothing: how many there were. */
export async function forgetSome(sql: Sql, scope: EmpresaScope, most: number): Promise<number> {
  const rows = await sql`
    update movement set reviewed_at = null where id in (
      select id from movement where ${of(scope)} and removed_at is null and match is null and reviewed_at is not null
      order by id limit ${most})
    returning id`
  return rows.length
}

export async function noteReviewed(sql: Sql, scope: EmpresaScope, ids: readonly string[], at: Date): Promise<void> {
  await sql`update movement set reviewed_at = ${at} where ${of(scope)} and id = any(${ids}::text[])`
}
