import { MODE_NAMES, MODES } from '../../../catalog/modes.ts'
import { type Fragment, listed, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'
import { type Distrust, isChangedInDistrust, isMadeInDistrust } from '../../distrust.ts'
import { lockAccountRow } from '../account/lookup.ts'
import { grantStands } from '../agent-grant/sql.ts'
import type { Outcome } from './deliver-store.ts'
import type { EndpointRow } from './show.ts'

/** RUTs the caller reaches, or null for all. */
export type EndpointReach = readonly string[] | null

// An endpoint that hears of an empresa the caller does not reach is none of the caller's business.
function within(scope: AccountScope, reach: EndpointReach): Fragment {
  return part`account_id = ${scope.account_id} and mode = ${scope.mode}
    ${reach === null ? nothing : part`and empresas <@ ${reach}::text[]`}`
}

/** Locks the account: a ceiling on endpoints must hold when two are made at once. */
export async function countEndpoints(sql: Sql, scope: AccountScope): Promise<number> {
  await lockAccountRow(sql, scope.account_id)
  const [row] = await sql<{ count: number }>`
    select count(*) as count from webhook_endpoint where account_id = ${scope.account_id} and mode = ${scope.mode}`
  return row?.count ?? 0
}

const WITH_GRANT_ENDED = () => part`webhook_endpoint.*, not ${grantStands(part`webhook_endpoint.id`)} as grant_ended,
  not ${grantStands(part`webhook_endpoint.id`, 'secret')} as secret_grant_ended`

export type NewEndpoint = Omit<
  EndpointRow,
  'status' | 'disabled_reason' | 'grant_ended' | 'secret_grant_ended' | 'secret_exposed'
>

export async function insertEndpoint(sql: Sql, row: NewEndpoint): Promise<EndpointRow> {
  const [made] = await sql<EndpointRow>`
    insert into webhook_endpoint (account_id, id, mode, url, description, enabled_events, empresas, secret, made_by,
      created_at)
    values (${row.account_id}, ${row.id}, ${row.mode}, ${row.url}, ${row.description}, ${row.enabled_events},
      ${row.empresas}, ${row.secret}, ${row.made_by}, ${row.created_at})
    returning *`
  return made as EndpointRow
}

export async function listEndpoints(
  sql: Sql,
  scope: AccountScope,
  reach: EndpointReach,
  page: { before: string | null; take: number },
): Promise<EndpointRow[]> {
  return sql<EndpointRow>`
    select ${WITH_GRANT_ENDED()} from webhook_endpoint where ${within(scope, reach)}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export async function findEndpoint(
  sql: Sql,
  scope: AccountScope,
  reach: EndpointReach,
  id: string,
  options: { lock?: boolean } = {},
): Promise<EndpointRow | null> {
  const [row] = await sql<EndpointRow>`
    select ${WITH_GRANT_ENDED()} from webhook_endpoint where ${within(scope, reach)} and id = ${id}
    ${options.lock ? part`for no key update` : nothing}`
  return row ?? null
}

export type EndpointChanges = Pick<EndpointRow, 'url' | 'description' | 'enabled_events' | 'empresas'>

export async function saveEndpoint(sql: Sql, row: EndpointRow, to: EndpointChanges): Promise<EndpointRow> {
  const [changed] = await sql<EndpointRow>`
    update webhook_endpoint set url = ${to.url}, description = ${to.description},
      enabled_events = ${to.enabled_events}, empresas = ${to.empresas}
    where account_id = ${row.account_id} and id = ${row.id} returning *`
  return changed as EndpointRow
}

/** Who did something to an endpoint, and when, in real time. */
export interface EndpointAct {
  readonly by: string
  readonly at: Date
}

/** Records who gave it its address, or enabled it. */
export async function recordActs(
  sql: Sql,
  row: EndpointRow,
  { by, at }: EndpointAct,
  what: { readonly url: boolean; readonly enabled: boolean },
): Promise<void> {
  await sql`
    update webhook_endpoint set
      url_by = case when ${what.url} then ${by} else url_by end, url_at = case when ${what.url} then ${at} else url_at end,
      enabled_by = case when ${what.enabled} then ${by} else enabled_by end,
      enabled_at = case when ${what.enabled} then ${at} else enabled_at end
    where account_id = ${row.account_id} and id = ${row.id}`
}

/** Saves why an endpoint is disabled; null, once it is enabled again, clears its failures too. */
export async function saveDisabledReason(
  sql: Sql,
  row: EndpointRow,
  reason: EndpointRow['disabled_reason'],
): Promise<EndpointRow> {
  const [changed] = await sql<EndpointRow>`
    update webhook_endpoint set disabled_reason = ${reason}, failing_since = null, failures = 0,
      failing_event_id = null, fails_several_events = false
    where account_id = ${row.account_id} and id = ${row.id} returning *`
  return changed as EndpointRow
}

/** The secret before the last one is lost: at most two sign, and the newest alone where there is no `until`. */
export async function replaceSecret(
  sql: Sql,
  row: EndpointRow,
  { secret, until, by, at }: EndpointAct & { readonly secret: Buffer; readonly until: Date | null },
): Promise<void> {
  await sql`
    update webhook_endpoint set previous_secret = case when ${until}::timestamptz is not null then secret end,
      previous_secret_until = ${until}, previous_secret_by = secret_by, previous_secret_at = secret_at,
      secret = ${secret}, secret_by = ${by}, secret_at = ${at}, secret_exposed = false
    where account_id = ${row.account_id} and id = ${row.id}`
}

export async function deleteEndpointRow(sql: Sql, row: EndpointRow): Promise<void> {
  await sql`delete from webhook_endpoint where account_id = ${row.account_id} and id = ${row.id}`
}

export async function deleteEndpointsOf(sql: Sql, account_id: string): Promise<void> {
  await sql`delete from webhook_endpoint where account_id = ${account_id}`
}

/** Deletes the endpoints that were made in distrust, and gives them. */
export async function deleteDistrusted(sql: Sql, account_id: string, distrust: Distrust): Promise<EndpointRow[]> {
  return sql<EndpointRow>`
    delete from webhook_endpoint
    where account_id = ${account_id} and ${isMadeInDistrust('webhook_endpoint', distrust)} returning *`
}

/** Whoever was thrown out may know its secrets: the older one signs no more, the newer one not before it is replaced. */
export async function exposeSecret(sql: Sql, row: EndpointRow): Promise<void> {
  await sql`
    update webhook_endpoint set secret_exposed = true, previous_secret = null, previous_secret_until = null
    where account_id = ${row.account_id} and id = ${row.id}`
}

/** Drops the secrets that were made in distrust and replaced since, and would sign for a while. */
export async function dropDistrustedSecrets(sql: Sql, account_id: string, distrust: Distrust): Promise<void> {
  await sql`
    update webhook_endpoint set previous_secret = null, previous_secret_until = null
    where account_id = ${account_id} and previous_secret is not null
      and ${isChangedInDistrust(part`previous_secret_at`, part`previous_secret_by`, distrust)}`
}

/** Every endpoint of an account, and whether its address or secret was set, or it was enabled, in distrust. */
export async function listJudged(
  sql: Sql,
  account_id: string,
  distrust: Distrust,
): Promise<(EndpointRow & { readonly distrusted: boolean })[]> {
  return sql<EndpointRow & { readonly distrusted: boolean }>`
    select *, (${isChangedInDistrust(part`url_at`, part`url_by`, distrust)}
      or ${isChangedInDistrust(part`secret_at`, part`secret_by`, distrust)}
      or ${isChangedInDistrust(part`enabled_at`, part`enabled_by`, distrust)}) as distrusted
    from webhook_endpoint where account_id = ${account_id} order by id for no key update`
}

/** Failures at an endpoint since its last success. */
export interface Health {
  readonly id: string
  readonly failing_since: Date | null
  readonly failures: number
  readonly fails_several_events: boolean
}

function groupByEndpoint(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    const { endpoint_id } = outcome.task
    const group = groups.get(endpoint_id)
    if (group) group.push(outcome)
    else groups.set(endpoint_id, [outcome])
  }
  return groups
}

/** Counts failures, and clears them where anything succeeded. Returns the health of each endpoint of the outcomes. */
export async function recordHealth(sql: Sql, outcomes: readonly Outcome[]): Promise<Map<string, Health>> {
  const counts = [...groupByEndpoint(outcomes)].map(([id, group]) => ({
    id,
    succeeded: group.some(({ succeeded }) => succeeded),
    failures: group.length,
    at: group[0]?.at,
    event_id: group[0]?.task.event_id,
    several: new Set(group.map(({ task }) => task.event_id)).size > 1,
  }))
  // Locked in order: two workers that meet at the same endpoints must not deadlock.
  const rows = await sql<Health>`
    with locked as (
      select id from webhook_endpoint where id = any(${counts.map(({ id }) => id)}::text[]) order by id for no key update
    )
    update webhook_endpoint e set
      failing_since = case when n.succeeded then null else coalesce(e.failing_since, n.at) end,
      failures = case when n.succeeded then 0 else e.failures + n.failures end,
      failing_event_id = case when n.succeeded then null else coalesce(e.failing_event_id, n.event_id) end,
      fails_several_events = not n.succeeded and (e.fails_several_events or n.several
        or coalesce(e.failing_event_id <> n.event_id, false))
    from locked, (select ${listed.text(counts.map((n) => n.id))} as id,
      ${listed.boolean(counts.map((n) => n.succeeded))} as succeeded,
      ${listed.integer(counts.map((n) => n.failures))} as failures,
      ${listed.timestamptz(counts.map((n) => n.at))} as at,
      ${listed.text(counts.map((n) => n.event_id))} as event_id,
      ${listed.boolean(counts.map((n) => n.several))} as several) n
    where e.id = locked.id and n.id = e.id
    returning e.id, e.failing_since, e.failures, e.fails_several_events`
  return new Map(rows.map((row) => [row.id, row]))
}

const MODES_WITH_CLOCK = MODE_NAMES.filter((mode) => MODES[mode].has_test_clock)

/** The sandbox of an account: its rows go by the test clock. */
export function inSandbox(account_id: string): Fragment {
  return part`account_id = ${account_id} and mode = any(${MODES_WITH_CLOCK})`
}

export async function shiftFailuresBack(sql: Sql, account_id: string, ms: number): Promise<void> {
  await sql`
    update webhook_endpoint set failing_since = failing_since - make_interval(secs => ${ms / 1000})
    where ${inSandbox(account_id)} and failing_since is not null`
}
