import type { Sql } from '../../../kernel/db.ts'
import type { Indicator } from './indicators.ts'
import type { LoadedIndicator } from './parse.ts'

// Figures of the whole country: they belong to no account.

/** A figure that was loaded before is replaced. */
export async function saveIndicators(sql: Sql, rows: readonly LoadedIndicator[], at: Date): Promise<void> {
  await sql`
    insert into indicator (indicator, period, units, loaded_at)
    select r.indicator, r.period, r.units, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (indicator text, period text, units bigint)
    on conflict (indicator, period) do update set units = excluded.units, loaded_at = excluded.loaded_at`
}

/** All but the UF, which has one for each day. */
export function listMonthly(sql: Sql): Promise<{ indicator: Indicator; period: string; units: number }[]> {
  return sql`select indicator, period, units from indicator where indicator <> 'uf'`
}

/** How many there are of each, and the last. */
export function summarize(sql: Sql): Promise<{ indicator: Indicator; count: number; last_period: string }[]> {
  return sql`
    select indicator, count(*)::integer as count, max(period) as last_period from indicator
    group by indicator order by indicator`
}
