import { nothing, part, type Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { SiiCall, SiiRoad } from '../../../ports/sii-weather.ts'
import type { Durations } from './histogram.ts'

/** The verdicts of a road are kept beside its services. */
export const verdictsOf = (road: SiiRoad) => `verdicts_${road}`

export interface Step {
  readonly service: string
  readonly ambiente: Ambiente
  readonly step_at: Date
  readonly calls: number
  readonly failures: number
  readonly ms_total: number
  readonly durations: Durations
}

/** Adds what one process counted to what is known. */
export async function addSteps(sql: Sql, steps: readonly Step[]): Promise<void> {
  for (const { service, ambiente, step_at, calls, failures, ms_total, durations } of steps) {
    await sql`
      insert into sii_weather as w (service, ambiente, step_at, calls, failures, ms_total, durations)
      values (${service}, ${ambiente}, ${step_at}, ${calls}, ${failures}, ${Math.round(ms_total)},
        ${[...durations]}::integer[])
      on conflict (service, ambiente, step_at) do update set calls = w.calls + excluded.calls,
        failures = w.failures + excluded.failures, ms_total = w.ms_total + excluded.ms_total,
        durations = array(select coalesce(a, 0) + coalesce(b, 0)
          from unnest(w.durations, excluded.durations) with ordinality as both_of_them (a, b, n) order by n)`
  }
}

/** What was counted since an instant, step by step. */
export async function readSteps(sql: Sql, since: Date): Promise<Step[]> {
  return sql<Step>`
    select service, ambiente, step_at, calls, failures, ms_total::double precision as ms_total, durations
    from sii_weather where step_at >= ${since} order by service, ambiente, step_at`
}

/** The same in longer steps, for a longer time, without how long each call took. */
export async function readLongSteps(
  sql: Sql,
  { since, seconds }: { readonly since: Date; readonly seconds: number },
): Promise<Omit<Step, 'durations'>[]> {
  return sql<Omit<Step, 'durations'>>`
    select service, ambiente, to_timestamp(floor(extract(epoch from step_at) / ${seconds}::integer) * ${seconds}::integer)
        as step_at,
      sum(calls)::integer as calls, sum(failures)::integer as failures, sum(ms_total)::double precision as ms_total
    from sii_weather where step_at >= ${since} group by 1, 2, 3 order by 1, 2, 3`
}

export interface CallRow extends Omit<SiiCall, 'outcome' | 'ambiente'> {
  readonly id: string
  readonly outcome: string
  readonly ambiente: string
}

export async function insertCalls(sql: Sql, calls: readonly SiiCall[]): Promise<void> {
  const rows = calls.map((call) => ({ id: newId('sii_call'), ...call }))
  await sql`
    insert into sii_call (id, at, service, operation, ambiente, outcome, ms, estado, detail, trace)
    select id, at, service, operation, ambiente, outcome, round(ms), estado, detail, trace
    from json_to_recordset(${JSON.stringify(rows)}::json) as c (id text, at timestamptz, service text, operation text,
      ambiente text, outcome text, ms double precision, estado text, detail text, trace json)`
}

export async function listCalls(
  sql: Sql,
  filter: {
    readonly outcome?: string
    readonly service?: string
    readonly before: string | null
    readonly take: number
  },
): Promise<CallRow[]> {
  return sql<CallRow>`
    select id, at, service, operation, ambiente, outcome, ms, estado, detail, trace from sii_call
    where true
      ${filter.outcome === undefined ? nothing : part`and outcome = ${filter.outcome}`}
      ${filter.service === undefined ? nothing : part`and service = ${filter.service}`}
      ${filter.before === null ? nothing : part`and id < ${filter.before}`}
    order by id desc limit ${filter.take}`
}

export async function deleteOldWeather(sql: Sql, before: Date): Promise<void> {
  await sql`delete from sii_weather where step_at < ${before}`
  await sql`delete from sii_call where at < ${before}`
}
