import { type Fragment, listed, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type EACH, ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import { type DayUse, paceOf, rememberedSince, runwayLine } from './forecast.ts'

/** Adds what went today and gives the line of the day; null where none was computed yet. Also as a part of another statement. */
export const countUse = (scope: EmpresaScope, tipo_dte: number, on: string, used: number) =>
  part`${countUses([{ scope, tipo_dte, on, used }], part`where true`)} returning u.runway_line`

/** The use of one tipo on one day. */
interface Use {
  readonly scope: EmpresaScope
  readonly tipo_dte: number
  readonly on: string
  readonly used: number
}

/** The same of several, in one order, so that two that count the same never wait for each other in a circle. */
export function countUses(uses: readonly Use[], when: Fragment): Fragment {
  const rows = uses.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  return part`insert into folio_use as u (account_id, empresa_id, mode, tipo_dte, day, used)
    select w.account_id, w.empresa_id, w.mode, w.tipo_dte, w.day, w.used
    from (select ${tenantsOf(rows.map(({ scope }) => scope))},
      ${listed.smallint(rows.map(({ tipo_dte }) => tipo_dte))} as tipo_dte,
      ${listed.date(rows.map(({ on }) => on))} as day, ${listed.integer(rows.map(({ used }) => used))} as used) w ${when}
    on conflict (empresa_id, tipo_dte, day) do update set used = u.used + excluded.used`
}

const placeOf = ({ scope, tipo_dte, on }: Use) => `${scope.empresa_id}|${tipo_dte}|${on}`

/** The line of a day, where it was computed, as a part of another statement. */
export const readLine = (scope: Tenant | typeof EACH, tipo_dte: number | Fragment, on: string | Fragment) =>
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
