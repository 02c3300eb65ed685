import { CEILINGS } from '../../../catalog/limits.ts'
import { type Fragment, joined, listed, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import type { CountedMonth, UsageRow } from './show.ts'

export interface NewUsageRow extends UsageRow {
  readonly account_id: string
}

/**
 * The records and their count, in one statement. Counters are taken in the order of their key, so that two
 * transactions that count for the same empresas wait for each other in turn and never in a circle.
 */
export async function insertUsage(sql: Sql, rows: readonly NewUsageRow[]): Promise<void> {
  await sql`with ${joined(insertUsageParts(rows, nothing), ', ')} select`
}

/** A key of the counters holds no null. */
const tipoOf = ({ tipo_dte }: NewUsageRow) => tipo_dte ?? 0

const counterOf = (row: NewUsageRow) =>
  [row.account_id, row.mode, row.period, row.empresa_id, row.kind, String(tipoOf(row)).padStart(3, '0')].join('|')

/** One row for each counter that records add to, in the order of its key. */
function countsOf(rows: readonly NewUsageRow[]): NewUsageRow[] {
  const counts = new Map<string, NewUsageRow>()
  for (const row of rows) {
    const counter = counterOf(row)
    const quantity = (counts.get(counter)?.quantity ?? 0) + row.quantity
    counts.set(counter, Object.assign({}, row, { quantity }))
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/** The same as parts of another statement, which writes them when its condition holds. */
export function insertUsageParts(rows: readonly NewUsageRow[], when: Fragment): Fragment[] {
  const counts = countsOf(rows)
  return [
    part`recorded as (
      insert into usage_record (id, account_id, mode, empresa_id, empresa_rut, kind, tipo_dte, quantity, subject_id,
        period, created_at)
      select r.* from (select ${listed.text(rows.map((r) => r.id))}, ${listed.text(rows.map((r) => r.account_id))},
        ${listed.text(rows.map((r) => r.mode))}, ${listed.text(rows.map((r) => r.empresa_id))},
        ${listed.text(rows.map((r) => r.empresa_rut))}, ${listed.text(rows.map((r) => r.kind))},
        ${listed.smallint(rows.map((r) => r.tipo_dte))}, ${listed.integer(rows.map((r) => r.quantity))},
        ${listed.text(rows.map((r) => r.subject_id))}, ${listed.text(rows.map((r) => r.period))},
        ${listed.timestamptz(rows.map((r) => r.created_at))}) r
      ${when})`,
    part`counted as (
    insert into usage_month as m (account_id, mode, period, empresa_id, kind, tipo_dte, empresa_rut, quantity)
    select c.* from (select ${listed.text(counts.map((c) => c.account_id))}, ${listed.text(counts.map((c) => c.mode))},
      ${listed.text(counts.map((c) => c.period))}, ${listed.text(counts.map((c) => c.empresa_id))},
      ${listed.text(counts.map((c) => c.kind))}, ${listed.smallint(counts.map(tipoOf))},
      ${listed.text(counts.map((c) => c.empresa_rut))}, ${listed.bigint(counts.map((c) => c.quantity))}) c
    ${when}
    on conflict (account_id, mode, period, empresa_id, kind, tipo_dte)
      do update set quantity = m.quantity + excluded.quantity)`,
  ]
}

/** `ruts`: the empresas looked at, or null for all of the account. */
export async function readMonth(
  sql: Sql,
  scope: AccountScope,
  period: string,
  ruts: readonly string[] | null,
): Promise<CountedMonth> {
  const [month] = await sql<CountedMonth>`
    with month as materialized (
      select empresa_id, empresa_rut, kind, tipo_dte, quantity from usage_month
      where account_id = ${scope.account_id} and mode = ${scope.mode} and period = ${period}
        ${ruts === null ? nothing : part`and empresa_rut = any(${ruts})`}
    ), tipos as (
      select tipo_dte, kind, sum(quantity) as quantity from month group by 1, 2
    ), kinds as (
      select empresa_id, empresa_rut, kind, sum(quantity) as quantity from month group by 1, 2, 3
    ), empresas as (
      select empresa_id as id, empresa_rut as rut, json_object_agg(kind, quantity) as counts from kinds group by 1, 2
      order by coalesce(sum(quantity) filter (where kind = 'document_issued'), 0) desc, empresa_id
      limit ${CEILINGS.usage_empresas}
    )
    select (select coalesce(json_agg(tipos), '[]') from tipos) as tipos,
      (select coalesce(json_agg(empresas), '[]') from empresas) as empresas,
      (select count(distinct empresa_id) from month) as empresas_total`
  return month as CountedMonth
}

export interface UsageFilter {
  readonly ruts: readonly string[] | null
  readonly period?: string
  readonly kind?: string
  readonly tipo_dte?: number
  readonly from: Date
}

/** Strictly older than this is what comes next. */
export type Place = readonly [created_at: string, id: string]

const COLUMNS = part`id, mode, empresa_id, empresa_rut, kind, tipo_dte, quantity, subject_id, period, created_at`

/** The key of an index is a hash of these words: it finds, and the columns themselves decide. */
const keyOf = ({ account_id, mode }: AccountScope, word: string | number): Fragment =>
  part`hashtextextended(${`${account_id}${mode}${word}`}::text, 0)`

const OF_KIND = part`hashtextextended(account_id || mode || kind, 0)`
const OF_TIPO = part`hashtextextended(account_id || mode || tipo_dte::text, 0)`
const OF_EMPRESA = part`hashtextextended(account_id || mode || empresa_rut, 0)`
const OF_ACCOUNT = part`hashtextextended(account_id || mode, 0)`

function within(scope: AccountScope, { period, kind, tipo_dte, from, ruts }: UsageFilter): Fragment {
  const of_all = ruts === null && kind === undefined && tipo_dte === undefined
  return part`account_id = ${scope.account_id} and mode = ${scope.mode} and created_at >= ${from}
    ${of_all ? part`and ${OF_ACCOUNT} = ${keyOf(scope, '')}` : nothing}
    ${kind === undefined ? nothing : part`and kind = ${kind} and ${OF_KIND} = ${keyOf(scope, kind)}`}
    ${tipo_dte === undefined ? nothing : part`and tipo_dte = ${tipo_dte} and ${OF_TIPO} = ${keyOf(scope, tipo_dte)}`}
    ${period === undefined ? nothing : part`and period = ${period}`}`
}

/**
 * Newest first, strictly older than a place. Of several empresas the newest of each are merged: one index serves each
 * of them, however little they have next to the rest of the account. The place is the only upper bound there is: next
 * to a lower one, a plain `created_at <=` makes PostgreSQL expect few rows and sort them, all million of them.
 */
export async function usageBefore(
  sql: Sql,
  scope: AccountScope,
  filter: UsageFilter,
  place: Place,
  take: number,
): Promise<UsageRow[]> {
  const newest = (whose: Fragment) => part`
    select ${COLUMNS} from usage_record
    where ${within(scope, filter)} ${whose} and (created_at, id) < (${place[0]}, ${place[1]})
    order by created_at desc, id desc limit ${take}`
  const ofReached = part`and empresa_rut = reached.rut
    and ${OF_EMPRESA} = hashtextextended(${`${scope.account_id}${scope.mode}`}::text || reached.rut, 0)`
  if (filter.ruts === null) return sql<UsageRow>`${newest(nothing)}`
  return sql<UsageRow>`
    select r.* from unnest(${filter.ruts}::text[]) as reached (rut)
    cross join lateral (${newest(ofReached)}) as r
    order by r.created_at desc, r.id desc limit ${take}`
}
