import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { type DayUse, paceOf, rememberedSince, runwayLine } from './forecast.ts'

/** Adds what went today and gives the line of the day; null where none was computed yet. Also as a part of another statement. */
export const countUse = (
  { account_id, empresa_id, mode }: EmpresaScope,
  tipo_dte: number,
  on: string,
  used: number,
  when: Fragment = nothing,
) =>
  part`insert into folio_use as u (account_id, empresa_id, mode, tipo_dte, day, used)
    select ${account_id}::text, ${empresa_id}::text, ${mode}::text, ${tipo_dte}::smallint, ${on}::date, ${used}::integer
    ${when === nothing ? part`where true` : when}
    on conflict (empresa_id, tipo_dte, day) do update set used = u.used + excluded.used
    returning u.runway_line`

/** The line of a day, where it was computed, as a part of another statement. */
export const readLine = (scope: EmpresaScope, tipo_dte: number, on: string) =>
  part`select u.runway_line from folio_use u where ${ownedBy(scope, 'u')} and u.tipo_dte = ${tipo_dte} and u.day = ${on}`

export async function readUses(sql: Sql, scope: EmpresaScope, tipo_dte: number, on: string): Promise<DayUse[]> {
  return sql<DayUse>`
    select day, used from folio_use
    where ${ownedBy(scope)} and tipo_dte = ${tipo_dte} and day >= ${rememberedSince(on)}`
}

/** The line that says how many folios are too few, as it was when the stock was compared last and as it is now. */
export interface RunwayLines {
  readonly before: number
  readonly now: number
}

/** The lines of a fall without a draw; its chain is locked. */
export async function linesOfFall(sql: Sql, scope: EmpresaScope, tipo_dte: number, on: string): Promise<RunwayLines> {
  const [row] = await sql<{ runway_line: number | null }>`${countUse(scope, tipo_dte, on, 0)}`
  return linesOf(sql, scope, tipo_dte, on, row?.runway_line ?? null)
}

/** The first to ask on a day computes its line, which then stands: the pace is that of the days before. */
export async function linesOf(
  sql: Sql,
  scope: EmpresaScope,
  tipo_dte: number,
  on: string,
  known: number | null,
): Promise<RunwayLines> {
  if (known !== null) return { before: known, now: known }
  const series = part`${ownedBy(scope)} and tipo_dte = ${tipo_dte}`
  const now = runwayLine(paceOf(await readUses(sql, scope, tipo_dte, on), on))
  await sql`update folio_use set runway_line = ${now} where ${series} and day = ${on}`
  await sql`delete from folio_use where ${series} and day < ${rememberedSince(on)}`
  const [last] = await sql<{ runway_line: number | null }>`
    select runway_line from folio_use where ${series} and day < ${on} order by day desc limit 1`
  return { before: last?.runway_line ?? 0, now }
}
